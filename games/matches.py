"""The commands for moves: read the state, ask the rules, commit state and log together.

Functions marked `@command` run in the writer's thread; the others are called from within such a
job.
"""

from __future__ import annotations

import copy
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import F

from games import fairness, frozen_times, notifications, pauses, time_source, timing
from games.catalogs import finder
from games.models import Act, Announcement, Look, Match, Member, Player, Room
from games.rules import GAMES
from games.rules.core import Change, Ignored, Move, Refused
from games.rules.data import Seat, Viewer, encode, pack, unpack
from games.rules.luck import Draw, Luck
from games.signals import match_finished
from games.snapshots import (
    MatchSnapshot,
    Parked,
    cache,
    decode_snapshot,
    load_readable,
    load_snapshot,
    seed_of,
)
from games.table_policy import policy_of
from games.wire import read_form, read_move
from games.writer import Conflict, command

log = logging.getLogger(__name__)

PlayerChanges = Mapping[int, Mapping[str, Any]]


@dataclass(frozen=True)
class Step:
    """What an act was, for the log."""

    kind: Act.Kind
    by: Act.By = Act.By.HAND
    seat: int | None = None
    prompt: int | None = None
    move: Any = None
    draws: Sequence[Draw] = ()


@command
def move(
    room_id: int,
    user_id: int | None,
    packet: Mapping[str, Any],
    prompt: int | None = None,
    form: bool = False,
) -> int:
    """A person's move in the running match of a room; return the version it is known from.

    `packet`: `{"type": …, arguments}`; with `form`, every value is text. Raise BadPacket, Ignored,
    Refused (`stale` for an old prompt), TooSoon (`games.pauses`). The identical move for a prompt
    already answered is done, and the version that of the answer.
    """
    row = Room.objects.values_list("match_id", "status", "game").get(pk=room_id)
    match_id, status, game = row
    understand = read_form if form else read_move
    if match_id is None:
        understand(GAMES[game], packet, ())  # what no game has is wrong here, too
        raise Ignored
    match = _played_by(match_id, user_id)
    made = understand(match.game, packet, match.names)
    seat = match.seat_of(user_id)
    known = _answered(match, seat, prompt, made)
    if known is not None:
        return known
    if seat is None or status != Room.Status.PLAYING or seat in match.game.out(match.state):
        raise Ignored
    if prompt is not None and prompt != match.state.prompts[seat]:
        raise Refused("stale")
    pauses.check(match, seat, made)
    return _act(match, seat, made, Act.By.HAND)


@command
def bot_move(match_id: int, seat: Seat, prompt: int, made: Move) -> int:
    """A built-in bot's move, thought out for this prompt. Raise Ignored when it has passed."""
    match = load_snapshot(match_id)
    if match.over or match.state.prompts[seat] != prompt or not match.players[seat].bot:
        raise Ignored
    return program_move(match, seat, made)


@command
def give_up(match_id: int) -> None:
    """End a match that cannot go on (its rules or its state failed). It has no result."""
    match = Match.objects.get(pk=match_id)
    if match.ended_at is None:
        end_without_result(match, broken=True)


def program_move(match: MatchSnapshot, seat: Seat, made: Move) -> int:
    """A move that no person made; return the version it is known from."""
    return _act(match, seat, made, Act.By.BOT)


def begin(room: Room, members: Sequence[Member], patience: float | None = None) -> MatchSnapshot:
    """Start a match of these members, seated in this order. Raise Refused (options, numbers).

    `patience`: seconds for every question, where the table has its own idea of it.
    """
    game = GAMES[room.game]
    options = unpack(room.options, game.options)
    least, most = game.seats[0], policy_of(room).most_seats(game.seats[1])
    if not least <= len(members) or (most is not None and len(members) > most):
        raise Refused("not_enough_players", needed=least, have=len(members))
    stocked = game.stock(options, finder(game, room.host_id))
    game.check(stocked, len(members))
    match = Match(
        room=room,
        game=room.game,
        game_version=game.version,
        options=pack(options),
        secret=room.secret,
        nonces=fairness.nonces(room.secret, members),
        nonces_derived=True,
        patience=patience,
        version=0,
        public=anybody_may_watch(room),
    )
    luck = Luck(seed_of(match), 1)
    change = game.setup(len(members), stocked, luck)
    match.state = encode(change.state).decode()
    match.save()
    idle = _idle_before(room)
    Player.objects.bulk_create(
        Player(
            match=match,
            seat=at,
            user_id=member.user_id,
            name=member.name,
            bot=member.bot,
            idle=idle.get(member.user_id, 0),
        )
        for at, member in enumerate(members)
    )
    room.match, room.status = match, Room.Status.PLAYING
    fairness.commit_anew(room)
    room.save()
    # Saved as version 0, which nobody sees: committing the setup makes it version 1.
    step = Step(Act.Kind.SETUP, draws=luck.draws)
    return _commit(decode_snapshot(match), change, step, new_clock=True)


def anybody_may_watch(room: Room) -> bool:
    """Whether the table is open to whoever comes along, to watch if not to play."""
    is_open = room.visibility == Room.Visibility.PUBLIC and not room.password
    return is_open and room.options.get("spectators") != "none"


def lapse(match: MatchSnapshot) -> tuple[MatchSnapshot, tuple[Seat, ...]]:
    """Let the clock run out; also returns the seats that have been idle once too often."""
    idle = match.game.idles(match.state)
    luck = match.luck()
    change = match.game.lapse(match.state, luck)
    counted = {int(seat): {"idle": match.players[seat].idle + 1} for seat in idle}
    after = _commit(
        match,
        change,
        Step(Act.Kind.LAPSE, Act.By.CLOCK, draws=luck.draws),
        players=counted,
    )
    limit = match.options.idle_kick
    gone = tuple(seat for seat in idle if limit and after.players[seat].idle >= limit)
    return after, gone


def leave(match: MatchSnapshot, seat: Seat, because: str) -> MatchSnapshot:
    """A seat is given up: by the rules of the game, or to a bot where the table wants that."""
    luck = match.luck()
    changes: dict[str, Any] = {"gone": because, "gone_at": match.row.version + 1}
    if seat in match.game.out(match.state):
        change = Change(match.state, ())
    elif match.options.on_leave == "substitute":
        change = Change(match.state, ())
        changes |= {"bot": _substitute(match), "substitute": True}
    else:
        change = match.game.leave(match.state, seat, luck)
    step = Step(Act.Kind.LEAVE, seat=seat, draws=luck.draws)
    return _commit(match, change, step, players={int(seat): changes})


def to_take_back(match: MatchSnapshot, user_id: int | None) -> Player | None:
    """The seat this person has given up and may have again (conventions C5)."""
    if user_id is None or match.over:
        return None
    held = (p for p in match.players if p.user_id == user_id and p.gone)
    player = next((p for p in held if p.gone != "kicked" and not p.out), None)
    if player is None or not (player.substitute or match.game.comeback):
        return None
    return player


def come_back(match: MatchSnapshot, user_id: int) -> MatchSnapshot | None:
    """Give a leaver's seat back where that is possible; None where it is not."""
    player = to_take_back(match, user_id)
    if player is None:
        return None
    seat = Seat(player.seat)
    back: dict[str, Any] = {"gone": "", "gone_at": None, "idle": 0}
    luck = match.luck()
    if player.substitute:
        back |= {"bot": "", "substitute": False}
        change = Change(match.state, ())
    else:
        made = read_move(match.game, {"type": match.game.comeback}, match.names)
        change = match.game.apply(match.state, seat, made, luck)
    step = Step(Act.Kind.JOIN, seat=seat, draws=luck.draws)
    return _commit(match, change, step, players={int(seat): back})


def join_late(match: MatchSnapshot, member: Member) -> MatchSnapshot | None:
    """A seat for somebody who comes during the match, where game and options have one."""
    luck = match.luck()
    change = match.game.join(match.state, luck)
    if change is None:
        return None
    player = Player.objects.create(
        match=match.row, seat=len(match.players), user_id=member.user_id, name=member.name
    )
    joined = replace(match, players=(*match.players, player))
    return _commit(joined, change, Step(Act.Kind.JOIN, seat=player.seat, draws=luck.draws))


def reseat(match_id: int, owners: Mapping[int, int | None]) -> None:
    """Seat get other owners (seat → person), because two were one. Nothing else changes.

    In a running match it is an act, so that every process hears of it.
    """
    _change_people(match_id, {at: {"user_id": owner} for at, owner in owners.items()})


def anonymize(match_id: int, seat: int, name: str) -> None:
    """A seat whose person is no more here: it is nobody's, and was played under this name."""
    _change_people(match_id, {seat: {"user_id": None, "name": name}})


def _change_people(match_id: int, changes: PlayerChanges) -> None:
    """Who sits where, when that changes without a move. Every process hears of it: by an act
    while the match runs, by its revision afterwards, and while it is parked."""
    match = load_readable(match_id)
    if match is not None and not match.over:
        seat = next(iter(changes))
        _commit(match, Change(match.state, ()), Step(Act.Kind.JOIN, seat=seat), players=changes)
        return
    for at, change in changes.items():
        Player.objects.filter(match_id=match_id, seat=at).update(**change)
    Match.objects.filter(pk=match_id).update(revision=F("revision") + 1)
    transaction.on_commit(lambda: cache.evict(match_id), robust=True)


def rename(match_id: int, user_id: int | None, name: str) -> None:
    """Somebody's seat bears another name. In a running match it is an act, as in `reseat`."""
    row = Match.objects.get(pk=match_id)
    held = Player.objects.filter(match=row, user_id=user_id).first() if user_id else None
    if held is None:
        return
    match = load_readable(match_id) if row.ended_at is None else None
    if match is not None:
        step = Step(Act.Kind.JOIN, seat=held.seat)
        _commit(match, Change(match.state, ()), step, players={held.seat: {"name": name}})
        return
    Player.objects.filter(pk=held.pk).update(name=name)
    transaction.on_commit(lambda: cache.evict(match_id), robust=True)


def nudge(match: MatchSnapshot, by: Act.By = Act.By.HAND) -> MatchSnapshot:
    """Sixty seconds for a question without a clock. Raise Refused where one is running."""
    if match.over or match.row.deadline is not None:
        raise Refused("not_allowed_now")
    state = msgspec.structs.replace(match.state, clock=match.state.clock + 1)
    return _commit(match, Change(state, ()), Step(Act.Kind.NUDGE, by), patience=timing.NUDGE)


def end_without_result(match: Match, broken: bool = False) -> None:
    """Stop a match at once: by a moderator, or because it cannot go on."""
    now = time_source.now()
    version = match.version
    match.version += 1
    match.broken, match.ended_at = broken, now
    match.deadline = match.wake_at = None
    match.outcome = None
    changed = Match.objects.filter(pk=match.pk, version=version).update(
        version=match.version, broken=broken, ended_at=now, deadline=None, wake_at=None
    )
    if not changed:
        raise Conflict
    Act.objects.create(match=match, number=match.version, kind=Act.Kind.STOP)
    _finish_room(match.room_id, ())


def _act(match: MatchSnapshot, seat: Seat, made: Move, by: Act.By) -> int:
    if match.row.paused is not None:
        raise Refused("paused")
    luck = match.luck()
    change = match.game.apply(match.state, seat, made, luck)
    step = Step(Act.Kind.MOVE, by, seat, match.state.prompts[seat], pack(made), luck.draws)
    reset = {int(seat): {"idle": 0}} if match.players[seat].idle else {}
    return _commit(match, change, step, players=reset).row.version


def _played_by(match_id: int, user_id: int | None) -> MatchSnapshot:
    """The match for a move of this person. Raise Parked to whoever plays in it, else Ignored."""
    try:
        return load_snapshot(match_id)
    except Parked:
        if not Player.objects.filter(match=match_id, user=user_id or 0, gone="").exists():
            raise Ignored from None
        raise


def _answered(match: MatchSnapshot, seat: Viewer, prompt: int | None, made: Move) -> int | None:
    """The act by which this seat has answered an earlier prompt with this very move.

    Moves are compared as the rules read them: JSON knows no tuples, and what is stored has lists.
    """
    if seat is None or prompt is None or prompt == match.state.prompts[seat]:
        return None
    answers = Act.objects.filter(match=match.row, kind=Act.Kind.MOVE, seat=seat, prompt=prompt)
    stored = answers.values_list("number", "move")
    same = (number for number, move in stored if unpack(move, match.game.moves) == made)
    return next(same, None)


def _substitute(match: MatchSnapshot) -> str:
    return "normal" if "normal" in match.game.bots else "random"


def _idle_before(room: Room) -> dict[int | None, int]:
    """How often people were silent in the match before, where matches are only rounds."""
    if not policy_of(room).continuous or room.match_id is None:
        return {}
    before = Player.objects.filter(match_id=room.match_id, user__isnull=False)
    return dict(before.values_list("user_id", "idle"))


def _commit(
    match: MatchSnapshot,
    change: Change[Any],
    step: Step,
    players: PlayerChanges | None = None,
    new_clock: bool = False,
    patience: float | None = None,
) -> MatchSnapshot:
    """Write the act and what follows from it. Raise Conflict when somebody was faster."""
    now = time_source.now()
    game, state = match.game, change.state
    row = copy.copy(match.row)
    row.version += 1
    pause = frozen_times.thaw(row, now)
    row.state = encode(state).decode()
    seated = _changed_players(match, state, players or {})
    outcome = game.outcome(state)
    if outcome is not None:
        row.deadline, row.plans = None, {}
        row.outcome, row.ended_at = pack(outcome), now
    else:
        if patience is not None or new_clock or state.clock != match.state.clock:
            given = patience or row.patience
            row.asked_at = now
            row.deadline = (
                now + timedelta(seconds=given)
                if given
                else timing.deadline(game, state, match.options, now)
            )
        shown = pauses.shown(match, state, seated)
        row.plans = timing.bot_plans(game, state, seated, row.plans, now, shown)
    row.wake_at = timing.wake_at(row.deadline, row.plans)
    if pause is not None and outcome is None:
        frozen_times.freeze(row, pause.by, pause.since, now)
    _store(row, step, change, now)
    after = MatchSnapshot(row, seated, game, match.options, state)
    if outcome is not None:
        _score(after)
        _finish_room(row.room_id, [after.names[seat] for seat in outcome.winners], after)
    notifications.notify_room_changed(row.room_id)
    transaction.on_commit(lambda: cache.put(after), robust=True)
    return after


def _store(row: Match, step: Step, change: Change[Any], now: Any) -> None:
    fields = ("version", "state", *frozen_times.FIELDS, "outcome", "ended_at")
    read = Match.objects.filter(pk=row.pk, version=row.version - 1, revision=row.revision)
    changed = read.update(**{name: getattr(row, name) for name in fields})
    if not changed:
        raise Conflict
    Act.objects.create(
        match=row,
        number=row.version,
        kind=step.kind,
        seat=step.seat,
        prompt=step.prompt,
        move=step.move,
        told=[{"event": pack(told.event), "to": pack(told.to)} for told in change.told],
        draws=pack(tuple(step.draws)),
        by=step.by,
        at=now,
    )


def _changed_players(
    match: MatchSnapshot, state: Any, changes: PlayerChanges
) -> tuple[Player, ...]:
    """The players after an act: those that changed are copied and written."""
    out = set(match.game.out(state))
    seated = []
    for player in match.players:
        change = dict(changes.get(player.seat, {}))
        if (player.seat in out) != player.out:
            change["out"] = player.seat in out
        if change:
            player = copy.copy(player)
            for name, value in change.items():
                setattr(player, name, value)
            player.save(update_fields=list(change))
        seated.append(player)
    return tuple(seated)


def _score(match: MatchSnapshot) -> None:
    """Write place (1 is best) and points of everybody."""
    outcome = match.game.outcome(match.state)
    assert outcome is not None
    for place, group in enumerate(outcome.places, 1):
        for seat in group:
            points = outcome.points[seat] if outcome.points else None
            Player.objects.filter(match=match.row, seat=seat).update(place=place, points=points)


def _finish_room(room_id: int, winners: Sequence[str], played: MatchSnapshot | None = None) -> None:
    room = Room.objects.get(pk=room_id)
    _tell_looks(room)
    room.status = Room.Status.FINISHED
    match_finished.send(Room, room=room, match=played)
    if policy_of(room).counts_wins:
        for name in winners:
            room.standings[name] = room.standings.get(name, 0) + 1
    room.version += 1
    room.save(update_fields=["status", "standings", "version"])
    notifications.notify_room_changed(room_id)


def _tell_looks(room: Room) -> None:
    """Who of the staff has seen the secrets of a match says so when it ends."""
    looks = Look.objects.filter(match=room.match)
    for reason in looks.values_list("reason", flat=True):
        Announcement.objects.create(
            room=room, level=Announcement.Level.WARNING, code="looked", text=reason
        )
        notifications.notify_house_changed()
