"""One act in the making: the state so far, its luck, and what has been told to whom."""

from typing import Any

import msgspec

from games.rules.core import Change, Event, Told, answered, asked, everyone, only
from games.rules.data import Seat
from games.rules.luck import Luck
from games.rules.secret_hitler.state import Phase, Session, State


class Step:
    """Lives for one call of the rules; the states it passes through are frozen."""

    def __init__(self, state: State, luck: Luck) -> None:
        self.state = state
        self.luck = luck
        self._told: list[Told] = []

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
