"""Registered names and watchers with their endpoints, kept in memory between rounds."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence

from games.models import UdpName
from games.udp import listeners
from games.udp.allowance import Allowances, Endpoint
from games.udp.listeners import SPEAKS, Listener, Program

PER_ADDRESS = 16
MOST_NAMES = 500
"""Maximum names. With more, SCORE might not fit into a datagram."""
MOST_WATCHERS = 20


class Names:
    """The names of the table. Each endpoint belongs to the last name that it registered."""

    def __init__(self) -> None:
        self.programs: dict[str, Program] = {}
        self.people: dict[str, int] = {}
        """Points of human players who have played a round."""
        self.kept_names: set[str] = set()
        """Names of human players, including those who have not played a round."""
        self._allowances = Allowances()
        self._speaks: dict[Endpoint, str] = {}
        self._watchers: dict[Endpoint, Listener] = {}
        self._kept: dict[str, tuple[str, int | None, bool]] = {}

    def refresh(self, rows: Iterable[UdpName], newer: Collection[str] = ()) -> None:
        """Update points and names from the stored rows, and drop names that are not stored.

        `newer` are names that were registered after the rows were read.
        """
        found = {row.name: row for row in rows}
        people = [row for row in found.values() if row.address is None]
        self.kept_names = {row.name for row in people}
        self.people = {row.name: row.points for row in people if row.rounds}
        for name in set(self.programs) - set(found) - set(newer):
            self.drop(name)
        for row in found.values():
            if row.address is None:
                continue
            program = self.programs.get(row.name)
            if program is None:
                program = self._known(row)
            program.points, program.played = row.points, row.rounds > 0

    def invited(self) -> list[Program]:
        """Return the programs invited to the next round."""
        return [program for program in self.programs.values() if program.invited]

    def audience(self) -> Iterator[Listener]:
        """Yield all active listeners."""
        for listener in (*self.programs.values(), *self._watchers.values()):
            if listener.active:
                yield listener

    def points(self) -> dict[str, int]:
        """Return the points of all names, for the line SCORE."""
        return {name: program.points for name, program in self.programs.items()} | self.people

    def gain(self, points: Iterable[tuple[str, int]]) -> None:
        """Add these points, which are already stored."""
        for name, gained in points:
            if name in self.programs:
                self.programs[name].points += gained
                self.programs[name].played = True
            elif name in self.people:
                self.people[name] += gained

    def heard(self, endpoint: Endpoint) -> str | None:
        """Record a datagram from an endpoint. Return the name registered for it, if any."""
        if endpoint in self._watchers:
            self._watchers[endpoint].silent = SPEAKS
        name = self._speaks.get(endpoint)
        if name is not None:
            program = self.programs[name]
            if program.silent >= listeners.SILENT_ROUNDS:  # docs/rules/mia.md rule 33
                program.unanswered = 0
            program.silent = SPEAKS
        return name

    def may_get(self, endpoint: Endpoint, size: int) -> bool:
        """Whether a reply of `size` bytes may be sent.

        Replies to unknown endpoints are always allowed.
        """
        there = self._watchers.get(endpoint) or self.programs.get(self._speaks.get(endpoint, ""))
        return there is None or there.may_get(size)

    def gave(self, name: str, token: str) -> None:
        """Record a token that was sent to this name."""
        self.programs[name].tokens.append(token)

    def returned(self, name: str, token: str) -> None:
        """Check a returned token. If it is valid, the name's endpoint really receives lines."""
        program = self.programs[name]
        if token in program.tokens:
            program.allowance, program.unanswered, program.answered = None, 0, True

    def round_ended(self, invited: Collection[str]) -> None:
        """At the end of a round, count it against silent endpoints and unanswered invitations."""
        for name in invited:
            program = self.programs.get(name)
            if program is not None and not program.answered:
                program.unanswered += 1
        for listener in (*self.programs.values(), *self._watchers.values()):
            listener.silent += 1
            listener.answered = False

    def is_taken(self, name: str, address: str) -> bool:
        """Whether this name belongs to another endpoint."""
        program = self.programs.get(name)
        return name in self.kept_names or (program is not None and program.address != address)

    def eviction_candidates(self, address: str, coming: Sequence[str] = ()) -> list[Program] | None:
        """Return the programs of which one must be removed to let this address register another.

        Return None if there is room. `coming` are the addresses of names that are being registered
        now.
        """
        there = [program for program in self.programs.values() if program.address == address]
        if len(there) + list(coming).count(address) >= PER_ADDRESS:
            return there
        full = len(self.programs) + len(self.kept_names) + len(coming) >= MOST_NAMES
        return list(self.programs.values()) if full else None

    def enter(self, name: str, endpoint: Endpoint) -> Program:
        """Assign the name to this endpoint."""
        program = self.programs.setdefault(name, Program(name=name, address=endpoint[0]))
        before = self._speaks.get(endpoint)
        here = None if before is None else self.programs[before]
        if here is None or here.allowance is not None:
            program.allowance = self._allowances.grant(endpoint, program.allowance)
        else:
            program.allowance = None
        program.silent, program.unanswered = SPEAKS, 0
        self._watchers.pop(endpoint, None)
        if here is not None and here is not program:
            self._move(here, None)
        if program.endpoint != endpoint:
            self._move(program, endpoint)
        return program

    def drop(self, name: str) -> None:
        """Remove a name."""
        if name in self.programs:
            self._move(self.programs.pop(name), None)

    def watch(self, endpoint: Endpoint) -> Listener | None:
        """Add a watcher. Return None if there are too many.

        A watcher gets no tokens. At most 4 KB are sent to it, and 4 KB more if it registers again
        after a minute.
        """
        self._watchers = {e: one for e, one in self._watchers.items() if one.active}
        if endpoint not in self._watchers and len(self._watchers) >= MOST_WATCHERS:
            return None
        allowance = self._allowances.grant(endpoint)
        watcher = Listener(endpoint=endpoint, silent=SPEAKS, allowance=allowance)
        self._watchers[endpoint] = watcher
        return watcher

    def moved(self) -> list[tuple[str, str, int | None, bool]]:
        """Return the programs whose endpoint or pause has changed since the last call.

        Each is given as (name, address, port, paused).
        """
        now = {name: _place(program) for name, program in self.programs.items()}
        changed = [(name, *place) for name, place in now.items() if self._kept.get(name) != place]
        self._kept = now
        return changed

    def _known(self, row: UdpName) -> Program:
        """Add a stored name that another process or the admin has created."""
        assert row.address is not None
        program = Program(
            name=row.name,
            address=row.address,
            silent=listeners.SILENT_ROUNDS if row.paused else 0,
            since=row.registered_at.timestamp(),
        )
        self.programs[row.name] = program
        if row.port is not None and (row.address, row.port) not in self._speaks:
            program.allowance = self._allowances.grant((row.address, row.port))
            self._move(program, (row.address, row.port))
        self._kept[row.name] = _place(program)
        return program

    def _move(self, program: Program, endpoint: Endpoint | None) -> None:
        if program.endpoint is not None and self._speaks.get(program.endpoint) == program.name:
            del self._speaks[program.endpoint]
        program.endpoint = endpoint
        program.tokens.clear()
        if endpoint is not None:
            self._speaks[endpoint] = program.name


def _place(program: Program) -> tuple[str, int | None, bool]:
    port = program.endpoint[1] if program.endpoint else None
    return program.address, port, not program.active
