"""Who has registered, from where, and who is to be told: the server's memory between rounds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.models import UdpName

Endpoint = tuple[str, int]
"""An IP address and a port."""

SILENT_ROUNDS = 40
"""After so many rounds without any datagram an endpoint gets nothing more, until it speaks."""
SPEAKS = -1
PER_ADDRESS = 16
MOST_NAMES = 500
MOST_WATCHERS = 20


@dataclass
class Program:
    """A registered name and where it is reached."""

    name: str
    address: str
    endpoint: Endpoint | None = None
    silent: int = 0
    """Whole rounds since it was heard; SPEAKS in a round in which it was."""
    points: int = 0

    @property
    def active(self) -> bool:
        """Whether it is sent anything."""
        return self.endpoint is not None and self.silent < SILENT_ROUNDS


class Names:
    """The names of the table. One endpoint speaks for the name it registered last."""

    def __init__(self) -> None:
        self.programs: dict[str, Program] = {}
        self.people: dict[str, int] = {}
        """The points of people who have sat in."""
        self.kept_names: set[str] = set()
        """Names of people, whether they have played or not."""
        self._speaks: dict[Endpoint, str] = {}
        self._watchers: dict[Endpoint, int] = {}
        self._kept: dict[str, tuple[str, int | None, bool]] = {}

    def refresh(self, rows: Iterable[UdpName], newer: Collection[str] = ()) -> None:
        """Takes points from what is kept, new names too; forgets names that are gone there.

        `newer` are names that were registered after the rows had been read.
        """
        found = {row.name: row for row in rows}
        people = [row for row in found.values() if row.address is None]
        self.kept_names = {row.name for row in people}
        self.people = {row.name: row.points for row in people if row.rounds}
        for name in set(self.programs) - set(found) - set(newer):
            self._move(self.programs.pop(name), None)
        for row in found.values():
            if row.address is None:
                continue
            program = self.programs.get(row.name)
            if program is None:
                program = self._known(row)
            program.points = row.points

    def active(self) -> list[Program]:
        """Who is invited to the next round."""
        return [program for program in self.programs.values() if program.active]

    def audience(self) -> Iterator[Endpoint]:
        """Every endpoint that is told what everybody is told."""
        for program in self.programs.values():
            if program.active and program.endpoint is not None:
                yield program.endpoint
        for endpoint, silent in self._watchers.items():
            if silent < SILENT_ROUNDS:
                yield endpoint

    def points(self) -> dict[str, int]:
        """Everybody's points, for SCORE."""
        return {name: program.points for name, program in self.programs.items()} | self.people

    def gain(self, points: Iterable[tuple[str, int]]) -> None:
        """Points that have been written down."""
        for name, gained in points:
            if name in self.programs:
                self.programs[name].points += gained
            elif name in self.people:
                self.people[name] += gained

    def heard(self, endpoint: Endpoint) -> str | None:
        """Something came from there: the name it speaks for, which is silent no longer."""
        if endpoint in self._watchers:
            self._watchers[endpoint] = SPEAKS
        name = self._speaks.get(endpoint)
        if name is not None:
            self.programs[name].silent = SPEAKS
        return name

    def round_ended(self) -> None:
        """Who was not heard has been silent for one round more."""
        for program in self.programs.values():
            program.silent += 1
        for endpoint in self._watchers:
            self._watchers[endpoint] += 1

    def is_taken(self, name: str, address: str) -> bool:
        """Whether somebody else goes by this name."""
        program = self.programs.get(name)
        return name in self.kept_names or (program is not None and program.address != address)

    def has_room(self, address: str, coming: Sequence[str] = ()) -> bool:
        """Whether one more name fits, from this address and at all.

        `coming` are the addresses of names that are being registered just now.
        """
        there = [program.address for program in self.programs.values()] + list(coming)
        return there.count(address) < PER_ADDRESS and len(there) + len(self.people) < MOST_NAMES

    def enter(self, name: str, endpoint: Endpoint) -> None:
        """The name is played from this endpoint from now on."""
        program = self.programs.setdefault(name, Program(name, endpoint[0]))
        program.silent = SPEAKS
        self._watchers.pop(endpoint, None)
        before = self._speaks.get(endpoint)
        if before is not None and before != name:
            self._move(self.programs[before], None)
        self._move(program, endpoint)

    def watch(self, endpoint: Endpoint) -> bool:
        """Tells this endpoint everything from now on; False where too many watch already."""
        if endpoint in self._watchers:
            return True
        stale = [e for e, silent in self._watchers.items() if silent >= SILENT_ROUNDS]
        for old in stale:
            del self._watchers[old]
        if len(self._watchers) >= MOST_WATCHERS:
            return False
        self._watchers[endpoint] = SPEAKS
        return True

    def moved(self) -> list[tuple[str, str, int | None, bool]]:
        """What has changed since this was asked last: (name, address, port, paused)."""
        now = {name: _place(program) for name, program in self.programs.items()}
        changed = [(name, *place) for name, place in now.items() if self._kept.get(name) != place]
        self._kept = now
        return changed

    def _known(self, row: UdpName) -> Program:
        """A name from before this process, or from the database's admin."""
        assert row.address is not None
        program = Program(row.name, row.address, silent=SILENT_ROUNDS if row.paused else 0)
        self.programs[row.name] = program
        if row.port is not None and (row.address, row.port) not in self._speaks:
            self._move(program, (row.address, row.port))
        self._kept[row.name] = _place(program)
        return program

    def _move(self, program: Program, endpoint: Endpoint | None) -> None:
        if program.endpoint is not None and self._speaks.get(program.endpoint) == program.name:
            del self._speaks[program.endpoint]
        program.endpoint = endpoint
        if endpoint is not None:
            self._speaks[endpoint] = program.name


def _place(program: Program) -> tuple[str, int | None, bool]:
    port = program.endpoint[1] if program.endpoint else None
    return program.address, port, program.silent >= SILENT_ROUNDS
