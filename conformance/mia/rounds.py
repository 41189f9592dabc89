"""Observed state of a round: public lines, prompts and our answers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from conformance.mia.bench import Endpoint
from conformance.mia.lines import Line, answer, dice_of

if TYPE_CHECKING:
    from conformance.mia.plans import Plan

Phase = Literal[
    "inviting", "alone", "turn", "announce", "losing", "mia", "seeing", "shown", "lost", "over"
]
SURE = 0.7
"""Share of the answer time within which answers must count."""
STALL = 0.2
"""Seconds that a busy server may need to notice that the time is up."""


def too_late(pace: float) -> float:
    """Return the number of seconds after which an answer must not count."""
    return pace + max(0.3 * pace, STALL)


@dataclass(frozen=True)
class Sent:
    """A datagram that we sent for a prompt."""

    at: float
    by: Endpoint
    text: str


@dataclass(eq=False)
class Prompt:
    """ROUND STARTING, YOUR TURN or ROLLED, sent to one of our players."""

    kind: Literal["join", "turn", "announce"]
    by: Endpoint
    token: str
    at: float
    round: Round
    dice: str = ""
    sent: list[Sent] = field(default_factory=list)
    check: str = ""
    """The check that the answer belongs to, if not the general one."""

    def answered(self, pace: float) -> str:
        """Return our answer as the server must see it: a command, dice, `nothing` or `unsure`.

        Dice are in the server's form. A move that is not valid is returned as `invalid`. `pace` is
        the answer time in seconds.
        """
        sent = next(self._own(), None)
        if sent is None or sent.at - self.at > too_late(pace):
            return "nothing"
        fields, _ = answer(sent.text)
        return self._meaning(fields) if sent.at - self.at <= SURE * pace else "unsure"

    @property
    def late(self) -> bool:
        """Whether it was answered at all."""
        return self.answered_at is not None

    @property
    def answered_at(self) -> float | None:
        """Time of the first answer."""
        return next((sent.at for sent in self._own()), None)

    def _own(self) -> Iterator[Sent]:
        """Yield those datagrams of the asked player that have the right token."""
        for sent in self.sent:
            fields, token = answer(sent.text)
            if sent.by.name != self.by.name or token != self.token:
                continue
            if self.kind != "join" or fields == ["JOIN"]:
                yield sent

    def _meaning(self, fields: list[str]) -> str:
        match self.kind, fields:
            case ("join", ["JOIN"]) | ("turn", ["ROLL"]) | ("turn", ["SEE"]):
                return fields[0]
            case "announce", ["ANNOUNCE", dice]:
                return dice_of(dice) or "invalid"
        return "invalid"


@dataclass(eq=False)
class Round:
    """A round, as observed by the test players.

    `index` counts observed rounds. `number` is the server's number, once it is known.
    """

    index: int
    number: int | None
    began: float
    plan: Plan | None
    after: float = 0.0
    """Time of the last line of the previous round, or 0 if that round was not observed."""
    phase: Phase = "inviting"
    order: list[str] = field(default_factory=list)
    at: int = 0
    said: list[tuple[str, str]] = field(default_factory=list)
    dice: dict[str, str] = field(default_factory=dict)
    """The last rolls of our players."""
    actual: str = ""
    told: list[Line] = field(default_factory=list)
    place: dict[Endpoint, int] = field(default_factory=dict)
    """Number of public lines that each endpoint has received."""
    open: set[Endpoint] = field(default_factory=set)
    """Endpoints that have not received the end of the round."""
    prompts: list[Prompt] = field(default_factory=list)
    asked: list[Endpoint] = field(default_factory=list)
    """Endpoints that were asked in this turn."""
    lost: tuple[list[str], str] | None = None
    score: dict[str, int] | None = None
    spoiled: list[str] = field(default_factory=list)
    """Answers that came in time but did not count, perhaps because we or the server were slow.

    These answers are retried.
    """
    overdue: list[str] = field(default_factory=list)
    """Late answers that counted, perhaps because the server was late to notice the timeout."""
    ended: float = 0.0
    """Time of the last line so far."""
    marks: set[str] = field(default_factory=set)
    """Kinds of prompts that a plan has already answered in this round (`once`)."""

    @property
    def on_turn(self) -> str:
        return self.order[self.at] if self.order else ""

    @property
    def last(self) -> str | None:
        """The last announced dice."""
        return self.said[-1][1] if self.said else None

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def prompt(self, *kinds: str) -> Prompt | None:
        """Return our players' newest prompt of these kinds."""
        return next((one for one in reversed(self.prompts) if one.kind in kinds), None)
