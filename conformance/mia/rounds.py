"""What is known of one round: what all were told, whom it asked, what we answered."""

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
"""An answer within this share of the answer time has to count."""
STALL = 0.2
"""Seconds a busy server may take to notice that the time is up."""


def too_late(pace: float) -> float:
    """Seconds after which an answer must not count any more."""
    return pace + max(0.3 * pace, STALL)


@dataclass(frozen=True)
class Sent:
    """A datagram of ours that has to do with a prompt."""

    at: float
    by: Endpoint
    text: str


@dataclass(eq=False)
class Prompt:
    """ROUND STARTING, YOUR TURN or ROLLED, sent to one of ours."""

    kind: Literal["join", "turn", "announce"]
    by: Endpoint
    token: str
    at: float
    round: Round
    dice: str = ""
    sent: list[Sent] = field(default_factory=list)
    check: str = ""
    """What is looked at with the answer, where that is more than the plain rule."""

    def answered(self, pace: float) -> str:
        """What we answered as the server has to see it: a command, `nothing` or `unsure`.

        Dice come as the server has to tell them; a move that is none is `invalid`. `pace` is the
        answer time in seconds.
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
        """When it was answered first."""
        return next((sent.at for sent in self._own()), None)

    def _own(self) -> Iterator[Sent]:
        """What the one who was asked has sent with the right token."""
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
    """A round. `index` counts those we have seen; `number` is the server's, once it is known."""

    index: int
    number: int | None
    began: float
    plan: Plan | None
    after: float = 0.0
    """When the end of the round before was told; 0 where we have not heard it."""
    phase: Phase = "inviting"
    order: list[str] = field(default_factory=list)
    at: int = 0
    said: list[tuple[str, str]] = field(default_factory=list)
    dice: dict[str, str] = field(default_factory=dict)
    """What ours have rolled last."""
    actual: str = ""
    told: list[Line] = field(default_factory=list)
    place: dict[Endpoint, int] = field(default_factory=dict)
    """How many of the lines told each endpoint has heard."""
    open: set[Endpoint] = field(default_factory=set)
    """Endpoints that have not heard the end of it."""
    prompts: list[Prompt] = field(default_factory=list)
    asked: list[Endpoint] = field(default_factory=list)
    """Who was asked in this turn."""
    lost: tuple[list[str], str] | None = None
    score: dict[str, int] | None = None
    spoiled: list[str] = field(default_factory=list)
    """Answers in time that were not heard: we or the server were too slow. Tried again."""
    overdue: list[str] = field(default_factory=list)
    """Late answers that counted: the server may have been slow to see that the time was up."""
    ended: float = 0.0
    """When its last line so far was told."""
    marks: set[str] = field(default_factory=set)
    """What a plan has done already in this round."""

    @property
    def on_turn(self) -> str:
        return self.order[self.at] if self.order else ""

    @property
    def last(self) -> str | None:
        """The dice announced last."""
        return self.said[-1][1] if self.said else None

    @property
    def over(self) -> bool:
        return self.phase == "over"

    def prompt(self, *kinds: str) -> Prompt | None:
        """The newest prompt of ours, of these kinds."""
        return next((one for one in reversed(self.prompts) if one.kind in kinds), None)
