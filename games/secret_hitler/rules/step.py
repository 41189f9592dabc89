"""One act in the making: the state so far, its luck, and what has been told to whom."""

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
    """Lives for one call of the rules; the states it passes through are frozen."""

    def __init__(self, state: State, luck: Luck) -> None:
        self.state = state
        self.luck = luck
        self.auto: Auto | UnsetType = UNSET
        """What acts just now instead of a hand."""
        self.silent: tuple[Seat, ...] = ()
        """Whose ballots the clock has cast."""
        self._told: list[Told] = []

    @contextmanager
    def by_itself(self, auto: Auto) -> Iterator[None]:
        """A move that no hand makes: its echo and the history say so."""
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
        """A new question: the deadline starts anew."""
        self.state = asked(self.state, phase=phase, **changes)

    def answer(self, seat: Seat, **changes: Any) -> None:
        """An answer that leaves the question to the others."""
        self.state = answered(self.state, seat, **changes)

    def begin_session(self, session: Session) -> None:
        self.set(history=(*self.state.history, session))

    def note(self, **changes: Any) -> None:
        """Write into the history of the session that runs."""
        *before, last = self.state.history
        self.set(history=(*before, msgspec.structs.replace(last, **changes)))

    def decided(self, what: str, **changes: Any) -> None:
        """Write into the history what was decided, and whether a hand did it."""
        by = msgspec.structs.replace(self.state.history[-1].auto_by, **{what: self.auto})
        self.note(auto_by=by, **changes)
