"""Loads tables. A table is a room at one moment, with the acts since the previous load.

These functions run queries. Do not call them in an event loop.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace

from django.db.models import F

from accounts.mutes_and_blocks import among, has_set_any
from chat import messages
from chat.models import Message
from games.engine.absent import game_of
from games.engine.catalogs import Choices, choices
from games.engine.memory import memory
from games.engine.snapshots import (
    MatchSnapshot,
    Parked,
    is_newest,
    load_readable,
    load_snapshot,
    snapshot_of,
)
from games.engine.table_policy import policy_of
from games.engine.told import ToldAct, told_acts_since
from games.models import Invitation, Look, Match, Member, Player, Room
from games.rooms.evening import Score, evening_of
from games.rooms.new_game import NewGame, new_games_of
from games.rooms.recent_players import RecentPlayer, known_to
from games.tables.recap import recap_of
from games.tables.table import NOTHING_NEW, RECENT, Json, Table, of_gallery

STORY = 300
"""Maximum acts of the match that a newly opened page shows."""

# Preparing annotations takes longer than running these queries, so it is done once.
_ROOMS = Room.objects.annotate(
    match_version=F("match__version"), match_revision=F("match__revision")
)
_MEMBERS = (
    Member.objects.select_related("user")
    .annotate(room_version=F("room__version"), keeps=has_set_any())
    .order_by("joined_at", "pk")
)


def load_page(room: Room, user_id: int) -> Table:
    """Return the table for a user who opens its page, with its recent acts.

    `room` must have just been read. If the current version is in memory, only the missing parts are
    read.
    """
    if (held := _from_memory(room, user_id)) is not None:
        return held
    return load(room.pk, None, with_story=True, only_for=user_id)


def _from_memory(read: Room, user_id: int) -> Table | None:
    held = memory.get(read.pk)
    if not isinstance(held, Table) or held.parked or held.display is not None:
        return None
    room, match = held.room, held.match
    if (read.version, read.match_id) != (room.version, match.row.pk if match else None):
        return None
    if match is not None and not is_newest(match):
        return None
    new_games = new_games_of(room)
    changes: Json = {
        **NOTHING_NEW,
        "story": _story(match) if match else (),
        "new_games": new_games,
        "kept": among(_who_may_meet(held.members, new_games)),
    }
    if not held.for_pages:
        changes |= {"for_pages": True, **_for_pages(room, match, None, user_id)}
    return replace(held, **changes)


def load(
    room_id: int,
    before: Table | None = None,
    with_story: bool = False,
    for_pages: bool = True,
    only_for: int | None = None,
) -> Table:
    """Return the current table of a room, with every act after the table `before`.

    * `with_story` adds the newest acts of the match, for newly arrived viewers.
    * `for_pages` adds the data that only pages show.
    * `only_for` is the only user who will be shown the table.
    """
    if not with_story and (after := _after_acts(before, for_pages)) is not None:
        return after
    table = None
    while table is None:
        table = _load(room_id, before, with_story, for_pages, only_for)
    return table


def _after_acts(before: Table | None, for_pages: bool) -> Table | None:
    """Return the table after the acts that other processes have stored since `before`.

    Return None if there are none, or if something else has changed. This takes four queries instead
    of seven.
    """
    known = before.match if before is not None else None
    if before is None or known is None or known.over or before.parked:
        return None
    if for_pages and not before.for_pages:
        return None
    row = Match.objects.filter(pk=known.row.pk, revision=known.row.revision).first()
    if row is None or row.version == known.row.version:
        return None
    try:
        match = snapshot_of(row)
        acts = told_acts_since(match, known.row.version)
    except Parked:
        return None
    # The room is read last, because the end of a match also changes it.
    if _version(before.room.pk) != before.room.version:
        return None
    return before.advanced(match, *acts)


def _load(
    room_id: int,
    before: Table | None,
    with_story: bool,
    for_pages: bool,
    only_for: int | None,
) -> Table | None:
    """Return the table, or None if its room was changed between the queries, for example by the
    end of a match.

    The members are read last, with the version of their room.
    """
    room = _ROOMS.get(pk=room_id)
    policy, new_games = policy_of(room), new_games_of(room)
    try:
        known = before.match if before is not None else None
        now = (room.match_version, room.match_revision)
        match = load_snapshot(room.match_id, known, now) if room.match_id else None
        acts = _acts_since(match, before)
        renamed = match is not None and _renamed(before, match)
        wants_story = with_story or renamed or (before is not None and before.parked)
        story = _story(match) if match and wants_story else ()
    except Parked:
        match, acts, renamed, story = None, (), False, ()
    parked = match is None and room.match_id is not None and room.status == Room.Status.PLAYING
    chat = messages.newest(f"room:{room.pk}")
    members = _MEMBERS.filter(room=room)
    table = Table(
        room=room,
        match=match,
        chat=tuple(chat),
        inside=_inside(chat),
        acts=acts,
        story=story,
        renamed=renamed,
        parked=parked,
        last=_read_last(before) if parked else None,
        newest=_newest(match, (*story, *acts), before),
        recent=_recent(match, story or acts, before),
        evening=_evening(room, before),
        new_games=new_games,
        **(_for_pages(room, match, before, only_for) if for_pages else {"for_pages": False}),
        display=policy.display(room, members) if policy.display else None,
        members=tuple(m for m in members if m.left_at is None),
        gone=tuple(m for m in members if m.left_at is not None),
    )
    if {room.version} != ({m.room_version for m in members} or {_version(room_id)}):
        return None
    if new_games or any(m.keeps for m in members):
        table = replace(table, kept=among(_who_may_meet(members, new_games)))
    return replace(table, between=_between(before, table))


def _version(room_id: int) -> int:
    return Room.objects.values_list("version", flat=True).get(pk=room_id)


def _evening(room: Room, before: Table | None) -> tuple[Score, ...]:
    """Return the scores of the evening.

    If there are any, they are recomputed after each change of the room, because a player of an
    earlier match may have been erased. Otherwise they are recomputed after a match has begun, which
    changes the secret of the room, or ended.
    """
    if not policy_of(room).counts_wins:
        return ()
    if before is not None:
        is_same = before.room.version == room.version
        known, now = (before.room.secret, before.room.status), (room.secret, room.status)
        if is_same or (not before.evening and known == now):
            return before.evening
    return evening_of(room)


def _who_may_meet(members: Iterable[Member], new_games: Iterable[NewGame]) -> list[int]:
    """Return the ids of users whose mutes and blocks matter: members, and hosts of new games."""
    here = [m.user_id for m in members if m.user_id and m.left_at is None]
    return here + [new.host_id for new in new_games if new.host_id]


def _for_pages(
    room: Room, match: MatchSnapshot | None, before: Table | None, only_for: int | None
) -> Json:
    """Return the data that only pages show. It is not loaded for programs.

    Recent players are shown only to the host.
    """
    to_host = only_for in (None, room.host_id) or policy_of(room).display is not None
    return {
        "choices": _choices(room),
        "claims": _claims(match),
        "recap": recap_of(match) if match and policy_of(room).archived else None,
        "asked": _asked(room),
        "known": _known(room, before) if to_host else (),
        "looks": looks_at(match),
    }


def _inside(chat: Sequence[Message]) -> frozenset[tuple[int | None, int | None]]:
    chapters = of_gallery(chat)
    if not chapters:
        return frozenset()
    held = Player.objects.filter(match_id__in=chapters, out=False, gone="")
    return frozenset(held.values_list("match_id", "user_id"))


def _choices(room: Room) -> Mapping[str, Choices]:
    if room.status == Room.Status.PLAYING:
        return {}
    return choices(game_of(room.game), room.options, room.host_id)


def looks_at(match: MatchSnapshot | None) -> tuple[str, ...]:
    """Return staff members' reasons for viewing the secrets of a match, once it is over."""
    if match is None or not match.over:
        return ()
    return tuple(Look.objects.filter(match=match.row).values_list("reason", flat=True))


def _asked(room: Room) -> tuple[Invitation, ...]:
    if not room.invitations.exists():  # the query below is expensive
        return ()
    asked = room.invitations.unanswered()
    return tuple(asked.select_related("user").order_by("-at", "-pk"))


def _known(room: Room, before: Table | None) -> tuple[RecentPlayer, ...]:
    """Return the people the host knows, as suggestions for invitations.

    They are read again only if the host or the match has changed.
    """
    was = (before.room.host_id, before.room.match_id) if before else None
    if before is not None and before.for_pages and was == (room.host_id, room.match_id):
        return before.known
    return known_to(room.host_id)


def _renamed(before: Table | None, match: MatchSnapshot) -> bool:
    """Whether a player of this match was renamed since the match was last shown."""
    known = _read_last(before)
    if known is None or known.row.pk != match.row.pk:
        return False
    return match.names[: len(known.names)] != known.names


def _claims(match: MatchSnapshot | None) -> tuple[Message, ...]:
    if match is None or match.game.rules.claims is None:
        return ()
    return tuple(messages.claims(f"room:{match.row.room_id}", match.row.pk))


def _between(before: Table | None, now: Table) -> Table | None:
    """If the room has moved on to another match or game, return the table at the end of the match
    that was shown before. Otherwise return None.
    """
    last = _read_last(before)
    if last is None or last.over or now.parked or now.match_id == last.row.pk:
        return None
    room = copy(now.room)
    room.status, room.game, room.match_id = Room.Status.FINISHED, last.row.game, last.row.pk
    room.options = last.row.options
    if now.match is not None:
        room.secret = now.match.row.secret  # the commitment that the room showed at that time
    match = load_readable(last.row.pk)
    if match is None:
        return None
    newest = _newest(match, now.acts, before)
    table = replace(now, room=room, match=match, newest=newest)
    if not now.for_pages:
        return table
    return replace(table, recap=recap_of(match), looks=looks_at(match))


def _acts_since(match: MatchSnapshot | None, before: Table | None) -> tuple[ToldAct, ...]:
    """Return new acts of the match that was shown before, and all acts of a match that began later.

    Leave out acts that are newer than the table being loaded. The next loading returns them.
    """
    known = _read_last(before)
    if before is None or (match is None and (known is None or known.over)):
        return ()
    if match is None:  # another game was chosen
        assert known is not None
        return told_acts_since(load_snapshot(known.row.pk), known.row.version)
    if known is None:
        was_parked = before.match_id == match.row.pk
        return () if was_parked else told_acts_since(match, 0)
    if known.row.pk == match.row.pk:
        return told_acts_since(match, known.row.version)
    rest = () if known.over else told_acts_since(load_snapshot(known.row.pk), known.row.version)
    return (*rest, *told_acts_since(match, 0))


def _read_last(before: Table | None) -> MatchSnapshot | None:
    """Return the match that was shown before, as it was last read, or None."""
    return (before.match or before.last) if before is not None else None


def _newest(
    match: MatchSnapshot | None, acts: Sequence[ToldAct], before: Table | None
) -> ToldAct | None:
    """Return the newest known act of this match: the last one among `acts`, or else the newest act
    of the table `before`, or None.
    """
    known = (before.newest,) if before is not None else ()
    mine = [act for act in (*known, *acts) if act and match and act.match_id == match.row.pk]
    return mine[-1] if mine else None


def _recent(
    match: MatchSnapshot | None, acts: Sequence[ToldAct], before: Table | None
) -> tuple[ToldAct, ...]:
    """Return the newest acts of this match without a gap, including those known from the previous
    table.
    """
    known = before.recent if before is not None else ()
    mine = {act.version: act for act in (*known, *acts) if match and act.match_id == match.row.pk}
    run: list[ToldAct] = []
    version = match.row.version if match else 0
    while version in mine and len(run) < RECENT:
        run.append(mine[version])
        version -= 1
    return tuple(reversed(run))


def _story(match: MatchSnapshot) -> tuple[ToldAct, ...]:
    return told_acts_since(match, max(0, match.row.version - STORY))
