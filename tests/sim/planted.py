"""Faults that the simulation must find.

Each is found by one check, in an evening of two people.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet

from games import rooms
from games.contract.data import Seat
from games.engine import act_log, matches, seat_owners
from games.engine.grace import NOTHING
from games.engine.storage import Storage
from games.engine.time_source import TimeSource
from games.history import counting, replay
from games.models import Match
from games.runtime.clock import Clock
from games.sockets.connections import ConnectionLimiter
from games.sockets.hub import Hub
from games.sockets.watched_room import WatchedRoom
from games.tables import diff, loading, serializers, views
from games.tables.table import Table


def put(of: Any, name: str, planted: Any) -> None:
    """Replace an attribute. It must exist, because otherwise nothing would be planted."""
    getattr(of, name)
    setattr(of, name, planted)


@dataclass(frozen=True)
class Fault:
    """A fault, and words from the message of the check that finds it."""

    plant: Callable[[], None]
    found: str
    faults: tuple[str, ...] = ()
    """Faults of the machine without which nobody notices this one."""


def changes_are_never_noticed() -> None:
    """Send no notification of a change, and do not poll for it."""

    async def nothing(self: Hub) -> None:
        pass

    put(Hub, "_on_notification", lambda self, room_id, by_act: None)
    put(Hub, "_poll_rooms", nothing)


def old_questions_are_answered() -> None:
    """Do not compare the prompt of a move."""
    real = matches._Asked
    put(matches, "_Asked", lambda who, packet, prompt, read: real(who, packet, None, read))


def acts_are_told_twice() -> None:
    """Forget that a room was shown, so that its next act is sent together with the last one."""
    real = WatchedRoom.show

    def show(self: WatchedRoom, now: Any, arrived: Any) -> None:
        before = self.table
        real(self, now, arrived)
        if before is not None and now.acts:
            self.table = before

    put(WatchedRoom, "show", show)


def old_tables_are_shown() -> None:
    """Show the previous table again, as a load that finishes late would."""
    real = WatchedRoom.show

    def show(self: WatchedRoom, now: Any, arrived: Any) -> None:
        before = self.table
        real(self, now, arrived)
        if before is not None and len(now.acts) == 1 and before.match is not None:
            real(self, replace(before, acts=(), between=None), ())

    put(WatchedRoom, "show", show)


def turns_are_told_too_early() -> None:
    """Send whose turn it is before the sync."""
    real = diff._Shared.between

    def between(before: Any, now: Any) -> Any:
        shared = real(before, now)
        return replace(shared, first=[*shared.first, *shared.last], last=[])

    put(diff._Shared, "between", between)


def people_outlive_a_change() -> None:
    """Show the members as they were before the change, unless a member came or left."""
    real = loading._load

    def load(room: Any, before: Any, *how: Any) -> Any:
        table = real(room, before, *how)
        same = before is not None and len(before.members) == len(table.members)
        return replace(table, members=before.members) if same else table

    put(loading, "_load", load)


def deadlines_are_forgotten() -> None:
    """Ignore matches with a deadline."""
    real = Clock._waiting

    def waiting(self: Clock) -> QuerySet[Match]:
        return real(self).filter(deadline=None)

    put(Clock, "_waiting", waiting)


def changes_without_an_act_are_missed() -> None:
    """Do not reload a match that has changed without an act."""
    put(seat_owners, "revise", lambda match_ids: None)


def draws_are_mixed_up() -> None:
    """Log the draws of an act in the wrong order."""
    real = act_log.store

    def store(row: Match, step: act_log.Step, *args: Any) -> None:
        real(row, replace(step, draws=tuple(reversed(step.draws))), *args)

    put(act_log, "store", store)


def jumps_are_not_noticed() -> None:
    """Do not postpone deadlines when the system clock is set."""
    put(TimeSource, "drift", lambda self: NOTHING)


def matches_are_never_counted() -> None:
    """Give no number to a finished match."""
    put(counting, "run", lambda stopped: 0)


def replays_forget_who_leaves() -> None:
    """Do not change the players of a replay."""
    put(replay, "_of_seat", lambda *_: {})


def sockets_stay_counted() -> None:
    """Count a closed socket as an open one."""
    put(ConnectionLimiter, "release", lambda self, socket: None)


def storage_is_never_tried_again() -> None:
    """Refuse all changes for ever once the storage has failed."""
    put(Storage, "is_resting", lambda self: bool(self.fault))


def seeds_are_told_early() -> None:
    """Tell the seed of a match while it runs."""
    real = serializers._committed

    def committed(table: Table) -> Any:
        return serializers.fairness(table.match) if table.match and table.playing else real(table)

    put(serializers, "_committed", committed)


def everybody_is_offered() -> None:
    """Offer all players as targets of a move, even those who cannot be one."""
    real = views._values

    def values(among: Any, names: Any) -> Any:
        return tuple(names) if any(isinstance(one, Seat) for one in among) else real(among, names)

    put(views, "_values", values)


def a_command_fails() -> None:
    """Raise an error in a command."""

    def seen(members: Any) -> None:
        raise ValueError("planted")

    put(rooms, "seen", seen)


FAULTS: dict[str, Fault] = {
    fault.plant.__name__: fault
    for fault in (
        Fault(changes_are_never_noticed, "is not shown act"),
        Fault(people_outlive_a_change, "is not shown what is stored: players"),
        Fault(old_questions_are_answered, "was acknowledged to"),
        Fault(draws_are_mixed_up, "the seed says"),
        Fault(acts_are_told_twice, "was told to"),
        Fault(old_tables_are_shown, "was told act"),
        Fault(turns_are_told_too_early, "after the sync of"),
        Fault(deadlines_are_forgotten, "should have gone on"),
        Fault(changes_without_an_act_are_missed, "in memory"),
        Fault(jumps_are_not_noticed, "should have gone on", ("clock",)),
        Fault(matches_are_never_counted, "is counted as None"),
        Fault(replays_forget_who_leaves, "replays gone"),
        Fault(sockets_stay_counted, "counted sockets are left"),
        Fault(storage_is_never_tried_again, "should have gone on", ("storage",)),
        Fault(seeds_are_told_early, "was told the seed"),
        Fault(everybody_is_offered, "was refused what was offered"),
        Fault(a_command_fails, "logged: presence could not be recorded"),
    )
}
