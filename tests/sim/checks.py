"""Checks that must pass in every evening. A failed check raises Broken."""

from __future__ import annotations

import asyncio
import json
import re
import traceback
from dataclasses import dataclass, field
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import F

from games.engine.memory import memory
from games.engine.snapshots import MatchSnapshot, decode_snapshot
from games.engine.writer import _writer
from games.history.replay import unfold
from games.history.verify import differences
from games.models import Act, Counter, Match, Room
from games.sockets.connections import connection_limiter
from games.sockets.hub import hub
from games.tables.loading import load
from games.tables.serializers import serialize_table
from games.tables.table import Table
from tests.kit.sent import plain, with_changes
from tests.sim.machine import machine

if TYPE_CHECKING:
    from tests.sim.evening import Evening
    from tests.sim.people import Person

Json = dict[str, Any]
Versions = tuple[Any, ...]
"""The id and version of a room, and the id, version and revision of its match."""

LATE = 3.0
"""Seconds by which a deadline or a bot's move must be overdue to count as forgotten."""
COUNTED_AFTER = 5.0
"""Maximum seconds until a finished match is counted."""
LOOKS_EVERY = 1.0
"""Seconds after which everybody must have been shown all stored acts."""


SEED = "serverSeed"
"""The field that reveals the luck of a match."""
REFUSED = ("stale", "busy", "paused", "ignored", "not_allowed_now")
"""Why an offered move may be refused: the table has changed, or the storage fails."""
RESULTS = ("place", "points", "no", "counted_at")
"""Columns that are never read from memory."""


class Broken(AssertionError):
    """A check has failed."""

    @property
    def check(self) -> str:
        """The check that failed, and for a logged error also its location."""
        frames = traceback.extract_tb(self.__traceback__)
        names = [one.name for one in frames if one.filename == __file__]
        is_logged = nothing_was_logged.__name__ in names
        return " ".join(names + re.findall(r'File ".*', str(self)) * is_logged)


class Told:
    """The packets that one connection received: each act once and in order, then the sync."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.data: Json = {}
        """The last sync."""
        self._match: int | None = None
        self._versions: dict[int | None, int] = {}
        """The newest act of each match that was sent, in a sync or as an event."""
        self._synced: dict[int | None, int] = {}

    def note(self, packet: Json) -> None:
        kind, version = packet["type"], packet.get("version")
        if kind in ("GameDataSync", "GameDataChanged"):
            self._sync(with_changes(packet, self.data)["data"])
            if self.data["status"] == "playing" and SEED in str(self._about_the_match()):
                raise Broken(f"{self._name} was told the seed of the running match {self._match}")
        elif kind in ("TurnStart", "TurnEnd", "GameEnd"):
            if version != (synced := self.synced(self._match)):
                raise Broken(f"{kind} {version} came to {self._name} after the sync of {synced}")
        elif isinstance(version, int) and kind != "Done":
            self._event(packet)

    def _event(self, packet: Json) -> None:
        version = packet["version"]
        if packet["type"] == "GameStarted":
            self._match = packet["matchId"]
        if version <= self.synced(self._match):
            raise Broken(
                f"{packet['type']} {version} of match {self._match} was told to {self._name} again"
            )
        self._newest(version)

    def _sync(self, data: Json) -> None:
        self._match, version = data["matchId"], data["version"] or 0
        self._newest(version)
        self.data, self._synced[self._match] = data, version

    def _about_the_match(self) -> Json:
        """Return the last sync without the lists of shares that were given up before the match."""
        return {key: of for key, of in self.data.items() if key != "luckVoids"}

    def _newest(self, version: int) -> None:
        before = self._versions.get(self._match, 0)
        if version < before:
            raise Broken(
                f"{self._name} was told act {version} of match {self._match} after {before}"
            )
        self._versions[self._match] = version

    def synced(self, match: int | None) -> int:
        """Return the version of this match in its newest sync."""
        return self._synced.get(match, 0)


@dataclass(frozen=True)
class Look:
    """The stored acts and the connected users at one moment."""

    rooms: dict[str, Versions] = field(default_factory=dict)
    told: dict[Person, Told] = field(default_factory=dict)
    writes: int = -1
    """Number of statements that had written something."""
    compared: dict[str, list[Json]] = field(default_factory=dict)
    """The syncs of each room that equal this look."""


async def watch(evening: Evening) -> None:
    """Take a look every second."""
    look = Look()
    while not evening.is_over:
        nothing_was_logged(evening)
        if evening.faults.is_calm:
            nothing_is_overdue()
            look = everybody_is_shown_what_is_stored(evening, look)
            memory_equals_the_database(evening)
        else:
            look = Look()
        await asyncio.sleep(LOOKS_EVERY)


def nothing_was_logged(evening: Evening) -> None:
    """Check that the server has logged no error."""
    for error in evening.log.errors:
        raise Broken(f"logged: {error}")


def offers_are_taken(name: str, move: Json, code: str, match_id: int, version: int) -> None:
    """Check that a move is not refused for its fields, because they were offered.

    If the match has changed since, for example because a target has left, it may be refused.
    """
    if code not in REFUSED and Match.objects.filter(pk=match_id, version=version).exists():
        raise Broken(f"{name} was refused what was offered, as {code}: {move}")


def nothing_is_overdue() -> None:
    """Check that the clock handles everything that is due: deadlines and bot moves."""
    due = Match.objects.filter(ended_at=None, paused__isnull=True)
    for match in due.filter(wake_at__lt=machine.wall() - timedelta(seconds=LATE)):
        raise Broken(f"match {match.pk} should have gone on at {match.wake_at}")


def everybody_is_shown_what_is_stored(evening: Evening, before: Look) -> Look:
    """Check what users received against what was stored at the last look. Return this look."""
    fields = ("id", "version", "match_id", "match__version", "match__revision")
    now = Look(
        {code: tuple(of) for code, *of in Room.objects.order_by("pk").values_list("code", *fields)},
        {one: one.told for one in evening.people if one.told.data and one.line.holds},
        evening.faults.writes,
    )
    is_unchanged = now.writes == before.writes
    for code, versions in now.rooms.items():
        if (was := before.rooms.get(code)) is None:
            continue
        here = [
            one
            for one, told in now.told.items()
            if one.room == code and before.told.get(one) is told
        ]
        _, _, match, version, _ = was
        for person in here:
            if match == versions[2] and person.told.synced(match) < (version or 0):
                raise Broken(f"{person.name} is not shown act {version} of match {match}")
        if was != versions:
            continue
        known = before.compared.get(code, []) if is_unchanged else []
        now.compared[code] = [person.told.data for person in here]
        if any(person.told.data not in known for person in here):
            table = load(versions[0], for_pages=False)
            for person in here:
                _is_shown(table, person)
    return now


def _is_shown(table: Table, person: Person) -> None:
    you = person.told.data["you"]
    member = next((one for one in table.members if one.name == you), None)
    data = plain(serialize_table(table, member and member.user_id, with_chat=True))
    shown, stored = _lasting(person.told.data), _lasting(data)
    for key in shown | stored:
        if (one := shown.get(key)) != (other := stored.get(key)):
            raise Broken(f"{person.name} is not shown what is stored: {key} {one} is {other}")


def _lasting(data: Json) -> Json:
    """Return the fields that every sync contains and that do not change only with time."""
    return {key: of for key, of in data.items() if key not in ("chat", "secondsLeft")}


def the_log_is_whole(evening: Evening) -> None:
    """Check that every acknowledged move is stored, and that all draws follow from the seeds."""
    for match in Match.objects.all():
        for difference in differences(match):
            raise Broken(f"match {match.pk}: {difference}")
    moves = Act.objects.filter(kind=Act.Kind.MOVE)
    made = set(moves.values_list("match__room__code", "prompt", "number"))
    for room, name, prompt, version in evening.acknowledged:
        if (room, prompt, version) not in made:
            raise Broken(
                f"act {version} of {room} was acknowledged to {name} for question {prompt},"
                " and is not stored"
            )


def replays_lead_to_what_is_stored() -> None:
    """Check that the acts of each finished match, computed again, lead to its stored state."""
    for match in Match.objects.filter(ended_at__isnull=False, broken=False):
        stored = decode_snapshot(match)
        replay = unfold(match)
        if replay is None or replay.has_changed:
            raise Broken(f"match {match.pk} cannot be replayed to its end")
        if _as_json(replay.moments[-1].state) != _as_json(stored.state):
            raise Broken(f"match {match.pk} has another state in its replay")
        for shown, player in zip(replay.moments[-1].players, stored.players, strict=True):
            for name in ("user_id", "name", "bot", "substitute", "gone", "gone_at", "out"):
                if (one := getattr(shown, name)) != (other := getattr(player, name)):
                    raise Broken(f"match {match.pk} replays {name} {one} of {player}, not {other}")


def matches_are_counted_once() -> None:
    """Check that each finished match has a number, which no other match has."""
    ended = Match.objects.filter(ended_at__isnull=False).select_related("room")
    numbers = [match.no or 0 for match in ended]
    soon = machine.wall() - timedelta(seconds=COUNTED_AFTER)
    for match in ended:
        if match.no is None and match.ended_at is not None and match.ended_at > soon:
            continue
        if match.no is None or match.counted_at is None or numbers.count(match.no) > 1:
            raise Broken(f"match {match.pk} is counted as {match.no}, all: {numbers}")
        for player in match.players.exclude(no=match.no):
            raise Broken(f"{player} of match {match.no} is counted in match {player.no}")
    given = Counter.objects.filter(name=Counter.MATCHES).values_list("value", flat=True)
    if max(numbers, default=0) > sum(given):
        raise Broken(f"the newest match is number {max(numbers)}, the counter is at {sum(given)}")


def nothing_is_left(evening: Evening) -> None:
    """Check that no socket and no room remains after everybody has gone."""
    for process in evening.server.processes:
        for what, found in process.call(_left).items():
            if found:
                raise Broken(f"{what} are left: {found}")


def _left() -> dict[str, list[Any]]:
    return {
        "rooms": list(hub()._rooms),
        "programs": list(hub().api_clients._here),
        "counted sockets": list(connection_limiter._open),
        "waiting commands": list(_writer._waiting),
    }


def memory_equals_the_database(evening: Evening) -> None:
    """Check the matches that processes hold in memory against what was stored at this look."""
    matches = {match.pk: match for match in Match.objects.filter(room__match=F("pk"))}
    columns: dict[int, Json] = {}
    for process in evening.server.processes:
        for held in process.call(memory.rooms):
            match = matches.get(held.match.row.pk) if held.match is not None else None
            if match is None or _version(held.match.row) != _version(match):
                continue  # another process has changed it, and this one is not told at once
            if match.pk not in columns:
                columns[match.pk] = _columns(decode_snapshot(match))
            stored = columns[match.pk]
            for name, value in _columns(held.match).items():
                if value != stored[name] and _as_json(value) != _as_json(stored[name]):
                    raise Broken(f"match {match.pk} holds {name} {value} in memory: {stored[name]}")


def _version(match: Match) -> Versions:
    return match.version, match.revision


def _columns(match: MatchSnapshot) -> dict[str, Any]:
    """Return the columns of a match and its players, and its state."""
    rows = {"match": match.row} | {f"seat {player.seat}": player for player in match.players}
    columns = {
        f"{name} of {of}": value
        for of, row in rows.items()
        for name, value in vars(row).items()
        if not name.startswith("_") and name not in RESULTS
    }
    return columns | {"state": match.state}


def _as_json(value: Any) -> str:
    """Return a value as JSON, in which tuples equal lists, as in the database."""
    return json.dumps(value, default=str)
