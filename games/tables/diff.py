"""Differences between a table and its previous state, as packets (docs/wire.md §2 and §4).

Only the previous table is kept, so if a notification is lost, the next one makes up for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from games.contract.core import Refused
from games.contract.data import Viewer
from games.engine.told import ToldAct
from games.models import Member
from games.tables.decisions import has_failed, reacted, voided, vote_changes, was_given_up
from games.tables.people import player, watches
from games.tables.sentences import refusal
from games.tables.serializers import (
    event_packet,
    new_message,
    options,
    outcome,
    pause,
    serialize_table,
    settled,
    skip,
    started,
)
from games.tables.table import Table
from games.wire import parts, server

Memo = dict[Any, Any]

ALERTS: Mapping[str, parts.Level] = {
    "idle": "warning",
    "watching": "info",
    "no_seat": "info",
    "vote_failed": "info",
    "luck_failed": "warning",
    "broken": "error",
    "parked": "error",
}


@dataclass(frozen=True)
class Sync:
    """Placeholder for the `GameDataSync` of a table, which differs for each member."""

    table: Table


@dataclass(frozen=True, eq=False)
class Happened:
    """Placeholder for the event at index `at` of an act, shared by all members who see it."""

    act: ToldAct
    at: int


New = server.Sent | Sync | Happened


def packets(before: Table, now: Table, user_id: int, lang: str = "en") -> list[server.Sent]:
    """Return all packets for this member, in order. The sync comes after the events."""
    return [_packet(one, user_id, lang) for one in changes(before, now, user_id, lang, {})]


def _packet(one: New, user_id: int, lang: str) -> server.Sent:
    match one:
        case Sync(table):
            return server.GameDataSync(serialize_table(table, user_id, lang))
        case Happened(act, at):
            return event_packet(act, at)
        case _:
            return one


def changes(before: Table, now: Table, user_id: int, lang: str, memo: Memo) -> list[New]:
    """Return the packets for this member like `packets`, but with placeholders for syncs and
    events.

    Everybody who is shown this change shares `memo`, so equal packets are one object.
    """
    if now.between is not None:
        end = _changes(before, now.between, user_id, lang, memo)
        return [*end, *_changes(now.between, now, user_id, lang, memo)]
    return _changes(before, now, user_id, lang, memo)


def _changes(before: Table, now: Table, user_id: int, lang: str, memo: Memo) -> list[New]:
    key = ("changes", id(now))
    if key not in memo:
        memo[key] = _Shared.between(before, now)
    shared: _Shared = memo[key]
    events = _events(now, now.viewer(user_id), memo)
    sent: list[New] = [*shared.first, *events]
    if sent or shared.changed:
        sent.append(Sync(now))
    sent += shared.last
    if warned := warning(before, now, user_id):
        message = refusal(warned, language=lang)
        sent.append(server.ShowAlert(ALERTS[warned.code], message))
    if now.chat is not before.chat:
        sent += _chat(before, now, user_id)
    if now.room is not before.room:
        sent += _reactions(before, now, user_id)
    return sent


@dataclass(frozen=True)
class _Shared:
    """Packets that are the same for everybody: those before an act's events, and those after the
    sync.
    """

    first: list[server.Sent]
    last: list[server.Sent]
    changed: bool
    """Whether a sync is sent even if no packet comes before it."""

    @classmethod
    def between(cls, before: Table, now: Table) -> _Shared:
        if before.loading is now.loading and before.match_id == now.match_id:  # only acts are new
            return cls(
                first=[*_pause(before, now), *_skip(before, now)],
                last=[*_turns(before, now), *_ended(before, now)],
                changed=_version(before) != _version(now),
            )
        people = _people(before, now) if before.members is not now.members else ()
        displayed = _displayed(before) != _displayed(now) or _names(before) != _names(now)
        return cls(
            first=[
                *people,
                *vote_changes(before, now),
                *_room(before, now),
                *_pause(before, now),
                *_skip(before, now),
                *voided(before, now),
                *_started(before, now),
            ],
            last=[*_turns(before, now), *_ended(before, now)],
            changed=displayed
            or _stored(before) != _stored(now)
            or before.parked != now.parked
            or settled(before) != settled(now),
        )


def warning(before: Table, now: Table, user_id: int) -> Refused | None:
    """Return the warning for this member, if any: for example, their seat is at risk or the match
    cannot be read.
    """
    if before.loading is now.loading and same_players(before, now):
        return None
    if now.parked and not before.parked:
        return Refused("parked")
    if has_failed(before, now):
        return Refused("vote_failed")
    if was_given_up(before, now):
        return Refused("luck_failed")
    return (
        _idle(before, now, user_id)
        or _watching(before, now, user_id)
        or _no_seat(before, now, user_id)
        or _broken(before, now)
    )


def same_players(before: Table, now: Table) -> bool:
    """Whether the players are unchanged, so that no warning about players is needed."""
    old, new = before.match, now.match
    return old is not None and new is not None and old.players is new.players


def _idle(before: Table, now: Table, user_id: int) -> Refused | None:
    """Return a warning if this player missed a turn but is still below the idle limit, else None
    (docs/rules/conventions.md C5).
    """
    seat = now.acting(user_id)
    if seat is None or now.match is None or before.match is None:
        return None
    limit, idle = now.match.options.idle_kick, now.match.players[seat].idle
    same = before.match.row.pk == now.match.row.pk and seat < len(before.match.players)
    if not limit or not same or idle <= before.match.players[seat].idle:
        return None
    return Refused("idle", left=limit - idle)


def _watching(before: Table, now: Table, user_id: int) -> Refused | None:
    """Return a warning if this user wanted to play but there were too few seats, else None."""
    began = now.match is not None and before.match_id != now.match_id
    member = now.member(user_id)
    if not began or member is None or member.spectator or now.viewer(user_id) is not None:
        return None
    return Refused("watching", most=now.game.seats[1])


def _no_seat(before: Table, now: Table, user_id: int) -> Refused | None:
    """Return a warning if this user lost their seat because another game was chosen, else None."""
    member = now.member(user_id)
    if before.room.game == now.room.game or member is None or member.pk not in now.surplus:
        return None
    return Refused("no_seat", game=now.game.name, most=now.game.seats[1])


def _broken(before: Table, now: Table) -> Refused | None:
    if now.match is None or not now.match.row.broken or before.match_id != now.match_id:
        return None
    return Refused("broken") if before.match and not before.match.row.broken else None


def left(now: Table, user_id: int) -> Member | None:
    """Return this user's former membership if they have left the room, else None."""
    if now.member(user_id) is not None:
        return None
    return next((m for m in now.gone if m.user_id == user_id), None)


def is_somebody_else(now: Table, user_id: int) -> bool:
    """Whether a guest's membership now belongs to an account (`games.history.account_merge`)."""
    return now.member(user_id) is None and left(now, user_id) is None


def _people(before: Table, now: Table) -> Iterator[server.Sent]:
    old = {m.pk: m for m in before.members}
    for member in now.gone:
        if member.pk in old:
            # Send the old name, because a deleted user gets a new one.
            yield server.PlayerLeft(old[member.pk].name, member.left_because)
    for member in now.members:
        known = old.get(member.pk)
        if known is None:
            yield server.PlayerJoined(player(now, member))
            continue
        if _watches(before, now, known, member) or _is_guest(known) != _is_guest(member):
            yield server.PlayerChanged(player(now, member))
        if (known.away_since is None) != (member.away_since is None):
            yield server.PlayerConnection(member.name, member.away_since is None)


def _watches(before: Table, now: Table, was: Member, member: Member) -> bool:
    """Whether a member switched between watching and playing the next match."""
    if before.playing or now.playing:  # all members without a seat are watching
        return was.spectator != member.spectator
    return watches(before, was) != watches(now, member)


def _is_guest(member: Member) -> bool:
    return member.user is not None and member.user.is_guest


def _room(before: Table, now: Table) -> Iterator[server.Sent]:
    if before.host != now.host and now.host is not None:
        yield server.HostSet(now.host)
    if before.room.game != now.room.game:
        yield server.GameSet(now.room.game, now.room.options)
    elif before.room.options != now.room.options:
        yield server.OptionsSet(options(now))
    known = {one.code for one in before.new_games}
    opened = (one for one in now.new_games if one.code not in known)
    yield from (server.NewGameOpened(one.code, one.host) for one in opened)
    old, new = before.room, now.room
    if any(
        getattr(old, name) != getattr(new, name) for name in ("visibility", "password", "rated")
    ):
        yield server.RoomSet(new.visibility, bool(new.password), new.rated)


def _pause(before: Table, now: Table) -> Iterator[server.Sent]:
    """Yield a packet for the start or end of a pause. A pause that ends with its match needs no
    packet.
    """
    if before.parked or now.parked or not now.playing:  # a parked match is unreadable
        return
    was, there = before.pause, pause(now)
    if was is not None and there is None and before.match_id == now.match_id:
        yield server.Resumed()
    if was is None and there is not None and there.by is not None:
        yield server.Paused(there.by)


def _skip(before: Table, now: Table) -> Iterator[server.Sent]:
    asked = skip(now)
    if asked is not None and asked != skip(before):
        yield server.SkipAsked(asked.by, asked.needed, asked.granted)


def _started(before: Table, now: Table) -> Iterator[server.Sent]:
    if now.match is not None and before.match_id != now.match.row.pk:
        row = now.match.row
        yield server.GameStarted(row.pk, 1, started(now.match), now.rated)


def _events(now: Table, seat: Viewer, memo: Memo) -> list[New]:
    seat = seat if told_apart(now) else None
    key = ("events", id(now), seat)
    if key not in memo:
        memo[key] = [
            packet
            for act in now.acts
            if act.match_id == now.match_id
            for packet in _told(act, seat, memo)
        ]
    known: list[New] = memo[key]
    return known


def told_apart(now: Table) -> bool:
    """Whether some events of the table's acts are visible only to some seats."""
    return any(act.is_private for act in now.acts)


def _told(act: ToldAct, seat: Viewer, memo: Memo) -> Iterator[New]:
    if act.kind == "nudge" and act.seat is None:
        yield server.Nudged(act.version)
    for at, (_, to, _event) in enumerate(act.told):
        if to is None or (seat is not None and seat in to):
            key = ("event", id(act), at)
            yield memo.setdefault(key, Happened(act, at))


def _turns(before: Table, now: Table) -> Iterator[server.Sent]:
    if now.parked:  # the turn is unknown, so assume that it is the same
        return
    if before.parked:
        before = replace(before, match=before.last, parked=False)
    old, new = before.turn, now.turn
    was = old.seat if old else None
    now_on = new.seat if new else None
    changed = (was, old.count if old else 0) != (now_on, new.count if new else 0)
    same_match = before.match_id == now.match_id
    if not changed and same_match:
        return
    if was is not None:
        yield server.TurnEnd(before.names[was], _version(now))
    if now_on is not None:
        yield server.TurnStart(now.names[now_on], _version(now))


def _ended(before: Table, now: Table) -> Iterator[server.Sent]:
    ended = outcome(now)
    was_over = before.match_id == now.match_id and before.match and before.match.over
    if ended is not None and not was_over:
        yield server.GameEnd(
            version=_version(now),
            winners=ended.winners,
            places=ended.places,
            reason=ended.reason,
            fairness=ended.fairness,
        )


def _chat(before: Table, now: Table, user_id: int) -> Iterator[server.Sent]:
    last = before.chat[-1].pk if before.chat else 0
    for message in now.in_chat(user_id):
        if message.pk > last:
            yield new_message(now, message)


def _reactions(before: Table, now: Table, user_id: int) -> Iterator[server.Sent]:
    for member, one in reacted(before, now, user_id):
        yield server.Reacted(member.name, one.reaction, one.audience)


def _names(table: Table) -> dict[int, str]:
    return {member.pk: member.name for member in table.members}


def _displayed(table: Table) -> int | None:
    return table.display.number if table.display else None


def _version(table: Table) -> Any:
    return table.match.row.version if table.match else None


def _stored(table: Table) -> Any:
    """Return what identifies the stored match. Postponed deadlines change only its revision."""
    return (table.match.row.version, table.match.row.revision) if table.match else None
