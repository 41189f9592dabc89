"""How our players answer: each plan says what is sent at a prompt, by whom, how late."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from conformance.mia.bench import Endpoint
from conformance.mia.lines import MIA, RANKING, higher
from conformance.mia.rounds import Prompt


@dataclass(frozen=True)
class Act:
    """A datagram: what, after how many answer times, by whom (None: who was asked).

    `check` is what the answer is about, where that is more than the plain rule.
    """

    text: str
    after: float = 0.0
    by: Endpoint | None = None
    check: str = ""


Answers = Callable[[Prompt], Iterable[Act]]


def say(command: str, **more: float | str) -> Answers:
    """Answers with this command and the right token."""

    def answers(prompt: Prompt) -> Iterable[Act]:
        return [Act(f"{command};{prompt.token}", **more)]  # type: ignore[arg-type]

    return answers


def silence(prompt: Prompt) -> Iterable[Act]:
    """Answer nothing."""
    return ()


def announce(dice: str) -> Answers:
    """Announce always the same."""
    return say(f"ANNOUNCE;{dice}")


def truth(prompt: Prompt) -> Iterable[Act]:
    """Announce what there is where that is higher than the last, else the lowest that is."""
    dice = prompt.dice if higher(prompt.dice, prompt.round.last) else _lowest(prompt)
    return [Act(f"ANNOUNCE;{dice};{prompt.token}")]


def ladder(prompt: Prompt) -> Iterable[Act]:
    """Announce the lowest that will do, the smaller die first; Mia where it is there."""
    dice = MIA if prompt.dice == MIA else _lowest(prompt)
    return [Act(f"ANNOUNCE;{dice[::-1]};{prompt.token}")]


def roll_or_see(prompt: Prompt) -> Iterable[Act]:
    """Rolls as long as anything but Mia is higher, else wants to see."""
    top = prompt.round.last == "6,6"
    return [Act(f"{'SEE' if top else 'ROLL'};{prompt.token}")]


def roll_then_see(prompt: Prompt) -> Iterable[Act]:
    """Rolls where nothing is announced, else wants to see."""
    return [Act(f"{'SEE' if prompt.round.said else 'ROLL'};{prompt.token}")]


def by_turn(first: str, then: str) -> Answers:
    """Announce these where nothing has been announced yet, those afterwards."""

    def answers(prompt: Prompt) -> Iterable[Act]:
        dice = then if prompt.round.said else first
        return [Act(f"ANNOUNCE;{dice};{prompt.token}")]

    return answers


def once(special: Answers, otherwise: Answers) -> Answers:
    """The special answer to the first prompt of its kind in a round, the other one afterwards."""

    def answers(prompt: Prompt) -> Iterable[Act]:
        if prompt.kind in prompt.round.marks:
            return otherwise(prompt)
        prompt.round.marks.add(prompt.kind)
        return special(prompt)

    return answers


def only(names: Iterable[str], answers: Answers) -> Answers:
    """These names answer so, the others are silent."""
    who = set(names)
    return lambda prompt: answers(prompt) if prompt.by.name in who else ()


JOIN = say("JOIN")


@dataclass(frozen=True)
class Plan:
    """How all of ours play a round."""

    turn: Answers = roll_then_see
    announce: Answers = truth
    join: Answers = JOIN

    def acts(self, prompt: Prompt) -> list[Act]:
        """What is sent at this prompt."""
        answers = {"join": self.join, "turn": self.turn, "announce": self.announce}[prompt.kind]
        return list(answers(prompt))


def _lowest(prompt: Prompt) -> str:
    return next((dice for dice in RANKING if higher(dice, prompt.round.last)), MIA)
