"""An act in progress: the state so far, its random source, and the events with their recipients."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from games.contract.core import (
    Auto,
    Change,
    Event,
    Told,
    answered,
    asked,
    automatic,
    everyone,
    only,
)
from games.contract.data import Seat
from games.contract.luck import Luck
from games.secret_hitler.rules.state import Phase, Session, State


class Step:
    """Mutable context of one call of the rules. The game states themselves are immutable."""

    def __init__(self, state: State, luck: Luck) -> None:
        self.state = state
        self.luck = luck
        self.auto: Auto | UnsetType = UNSET
        """The cause of the automatic moves that are being made, if any."""
        self.silent: tuple[Seat, ...] = ()
        """Seats whose ballot was cast because their time ran out."""
        self._told: list[Told] = []

    @contextmanager
    def by_itself(self, auto: Auto) -> Iterator[None]:
        """Mark moves made within this context as automatic, in their events and in the history."""
        before = len(self._told)
        self.auto = auto
        yield
        self.auto = UNSET
        self._told[before:] = automatic(self._told[before:], auto)

    def change(self) -> Change[State]:
        return Change(self.state, tuple(self._told))

    def tell_all(self, event: Event) -> None:
        self._told.append(everyone(event))

    def tell_only(self, seat: Seat, event: Event) -> None:
        self._told.append(only(seat, event))

    def set(self, **changes: Any) -> None:
        self.state = msgspec.structs.replace(self.state, **changes)

    def ask(self, phase: Phase, **changes: Any) -> None:
        """Ask a new question, which restarts the deadline."""
        self.state = asked(self.state, phase=phase, **changes)

    def answer(self, seat: Seat, **changes: Any) -> None:
        """Record an answer that leaves the question open for the others."""
        self.state = answered(self.state, seat, **changes)

    def begin_session(self, session: Session) -> None:
        self.set(history=(*self.state.history, session))

    def note(self, **changes: Any) -> None:
        """Update the history entry of the current session."""
        *before, last = self.state.history
        self.set(history=(*before, msgspec.structs.replace(last, **changes)))

    def decided(self, what: str, **changes: Any) -> None:
        """Record a decision in the history, and whether a player made it."""
        by = msgspec.structs.replace(self.state.history[-1].auto_by, **{what: self.auto})
        self.note(auto_by=by, **changes)
