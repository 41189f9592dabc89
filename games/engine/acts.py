"""Committing an act: the new state, the log entry, and their consequences.

Call this from within a job of the writer. After the commit the new room is in memory, ready to be
shown (`games.engine.memory`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from games.contract.core import Change, Outcome, Told, ranked
from games.contract.data import encode, pack
from games.contract.luck import drawn_after
from games.engine import (
    act_log,
    figures,
    frozen_times,
    notifications,
    pauses,
    shows,
    state_parts,
    talk,
    time_source,
    timing,
)
from games.engine.act_log import Step
from games.engine.committing import Conflict
from games.engine.memory import ServedRoom, memory
from games.engine.process import process
from games.engine.shows import Show
from games.engine.signals import match_finished
from games.engine.snapshots import MatchSnapshot, cache, only_bots
from games.engine.table_policy import policy_of
from games.engine.told import told_act
from games.models import Act, Announcement, Look, Match, Player, Room

PlayerChanges = Mapping[int, Mapping[str, Any]]
KEEPS_ROOM = {"idle", "more_time", "out", "reason"}
"""Fields of a player that may change without affecting the rest of the room."""


def commit(
    match: MatchSnapshot,
    change: Change[Any],
    step: Step,
    players: PlayerChanges | None = None,
    new_clock: bool = False,
    patience: float | None = None,
    longer: float = 0.0,
) -> MatchSnapshot:
    """Write an act and its consequences. Return the new snapshot.

    `longer` is the number of seconds to add to the current deadline. Raise Conflict if another
    process has already changed the match.
    """
    now = time_source.now()
    game, state = match.game, change.state
    row = copy(match.row)
    row.version += 1
    pause = frozen_times.thaw(row, now) if row.paused is not None else None
    row.state = encode(state).decode()
    if row.mixed is not None and step.draws:
        row.drawn = drawn_after(row.drawn or {}, step.draws)
    if row.game_version != game.rules.version:
        state_parts.convert(row, state, game.rules.version)
    seated = _changed_players(match, state, players or {})
    if row.pace and not _keeps_pace(row.pace, seated):
        row.pace = ""
    after = match.then(row, seated, state)
    outcome = game.rules.outcome(state)
    asks = patience is not None or new_clock or state.clock != match.state.clock
    show = shows.show(after, change.told, outcome, asks, now)
    row.awaited_from = show.awaited_from
    if asks:
        row.dealt = [] if show.waits else None
    if outcome is None:
        _schedule(after, show, asks, patience, longer, now)
    else:
        _end(row, outcome, now)
    row.wake_at = timing.wake_at(row)
    row.clock = process.name
    if pause is not None and outcome is None:
        frozen_times.freeze(row, pause.by, pause.since, now)
    act_log.store(row, step, change.told, now)
    if outcome is not None:
        _score(after, outcome)
        _finish_room(row.room_id, [after.names[seat] for seat in outcome.winners], after)
    transaction.on_commit(lambda: _committed(after, step), robust=True)
    changed = {name for of in (players or {}).values() for name in of}
    keeps_room = outcome is None and not new_clock and changed <= KEEPS_ROOM
    room = _room_after(after, step, change.told) if keeps_room else None
    notifications.notify_room_changed(row.room_id, room)
    return after


def _keeps_pace(pace: str, seated: Sequence[Player]) -> bool:
    """Whether the pace that overrides the options still applies to a match with these players."""
    if pace == timing.NO_CLOCK:
        return timing.alone(seated)
    return only_bots(seated)


def _schedule(
    match: MatchSnapshot,
    show: Show,
    asks: bool,
    patience: float | None,
    longer: float,
    now: datetime,
) -> None:
    """Set the deadline, plans and claims in the row of a match. The row must not be shared with
    other code yet.

    `show` says when the act that led to it has been shown. `asks` says whether the act asks a new
    question, with a time limit of `patience` seconds instead of the usual one. Otherwise the
    current deadline is extended by `longer` seconds.
    """
    row, game, state, players = match.row, match.game, match.state, match.players
    shown = show.awaited_from or now
    if asks:
        usual = None if row.lesson else timing.lasts(game, state, match.pace)
        seconds = patience or row.patience or usual
        row.asked_at = show.over
        row.deadline = None if seconds is None else show.over + timedelta(seconds=seconds)
    elif row.deadline is not None:
        row.deadline += timedelta(seconds=longer)
    go_on = now
    if timing.is_pause(game, state):
        here = shows.present(row.room_id)
        if pauses.waits_for_absent(game, state, players, here):
            row.deadline = shown
        go_on = pauses.go_on(match, show, now)
    row.talks = _claims(match, shown) if game.rules.claims is not None else {}
    if row.talks:
        said = datetime.fromtimestamp(talk.all_said(row.talks), tz=UTC)
        shown, go_on = max(shown, said), max(go_on, said)
    row.plans = timing.bot_plans(
        game, state, players, row.plans, shown, go_on, match.pace, match.seed, row.deadline
    )


def _end(row: Match, outcome: Outcome, now: datetime) -> None:
    """Set the outcome in the row, and remove the deadline, plans and claims."""
    row.deadline, row.plans, row.talks = None, {}, {}
    row.outcome, row.ended_at = pack(outcome), now


def _claims(match: MatchSnapshot, shown: datetime) -> talk.Talks:
    game, state, before = match.game, match.state, match.row.talks
    if match.options.chat == "quiet_votes" and match.phase == "vote":
        return talk.held_back(before)
    return talk.plan(game, state, match.players, before, shown.timestamp(), match.pace, match.seed)


def _committed(match: MatchSnapshot, step: Step) -> None:
    cache.put(match.row.pk, match)
    figures.acts_of(match.row.game, str(step.kind), str(step.by)).inc()


def _room_after(after: MatchSnapshot, step: Step, told: Sequence[Told]) -> ServedRoom | None:
    """Return the room after this act, or None if its previous state is not in memory."""
    room = memory.get(after.row.room_id)
    if room is None:
        return None
    return room.advanced(after, told_act(after, after.row.version, step.kind, told, step.seat))


def _changed_players(
    match: MatchSnapshot, state: Any, changes: PlayerChanges
) -> tuple[Player, ...]:
    """Return the players after an act. Those that the act changed are saved, as copies."""
    out = set(match.game.rules.out(state))
    if not changes and out == {player.seat for player in match.players if player.out}:
        return match.players
    seated = []
    for player in match.players:
        change = dict(changes.get(player.seat, {}))
        if (player.seat in out) != player.out:
            change["out"] = player.seat in out
        if change:
            player = copy(player)
            for name, value in change.items():
                setattr(player, name, value)
            player.save(update_fields=list(change))
        seated.append(player)
    return tuple(seated)


def _score(match: MatchSnapshot, outcome: Outcome) -> None:
    """Save the place (1 is best) and points of every player."""
    for place, group in ranked(outcome.places):
        for seat in group:
            points = outcome.points[seat] if outcome.points else None
            Player.objects.filter(match=match.row, seat=seat).update(place=place, points=points)


def _finish_room(room_id: int, winners: Sequence[str], played: MatchSnapshot | None = None) -> None:
    room = Room.objects.select_for_update().get(pk=room_id)
    _tell_looks(room)
    room.status = Room.Status.FINISHED
    match_finished.send(Room, room=room, match=played)
    if policy_of(room).counts_wins and not (played and played.row.lesson):
        for name in winners:
            room.standings[name] = room.standings.get(name, 0) + 1
    room.version += 1
    room.save(update_fields=["status", "standings", "version"])
    notifications.notify_room_changed(room_id)


def _tell_looks(room: Room) -> None:
    """Once a match is over, tell the players if staff have viewed its secrets."""
    looks = Look.objects.filter(match=room.match)
    for reason in looks.values_list("reason", flat=True):
        Announcement.objects.create(
            room=room, level=Announcement.Level.WARNING, code="looked", text=reason
        )
        notifications.notify_everybody()


def end_without_result(match: Match, broken: bool = False) -> None:
    """End a match at once and without a result, because a moderator requests it or because it
    cannot continue.
    """
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
