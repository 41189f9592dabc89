"""Plans: how test players answer prompts, from which endpoint, and how late."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from conformance.mia.bench import Endpoint
from conformance.mia.lines import MIA, RANKING, higher
from conformance.mia.rounds import Prompt


@dataclass(frozen=True)
class Act:
    """A datagram to send: text, delay in answer times, and sender. If the sender is None, the
    player who was asked sends it.

    `check` is the check to which the datagram belongs, if this is not the general one.
    """

    text: str
    after: float = 0.0
    by: Endpoint | None = None
    check: str = ""


Answers = Callable[[Prompt], Iterable[Act]]


def say(command: str, **more: float | str) -> Answers:
    """Return answers with this command and the right token."""

    def answers(prompt: Prompt) -> Iterable[Act]:
        return [Act(f"{command};{prompt.token}", **more)]  # type: ignore[arg-type]

    return answers


def silence(prompt: Prompt) -> Iterable[Act]:
    """Send no answer."""
    return ()


def announce(dice: str) -> Answers:
    """Return answers that always announce these dice."""
    return say(f"ANNOUNCE;{dice}")


def truth(prompt: Prompt) -> Iterable[Act]:
    """Announce the real dice if they are higher than the last announcement, else the lowest
    possible dice.
    """
    dice = prompt.dice if higher(prompt.dice, prompt.round.last) else _lowest(prompt)
    return [Act(f"ANNOUNCE;{dice};{prompt.token}")]


def ladder(prompt: Prompt) -> Iterable[Act]:
    """Announce the lowest possible dice, smaller die first. Announce a real Mia as it is."""
    dice = MIA if prompt.dice == MIA else _lowest(prompt)
    return [Act(f"ANNOUNCE;{dice[::-1]};{prompt.token}")]


def roll_or_see(prompt: Prompt) -> Iterable[Act]:
    """Roll if dice other than Mia can be higher, else see."""
    top = prompt.round.last == "6,6"
    return [Act(f"{'SEE' if top else 'ROLL'};{prompt.token}")]


def roll_then_see(prompt: Prompt) -> Iterable[Act]:
    """Roll if nothing has been announced, else see."""
    return [Act(f"{'SEE' if prompt.round.said else 'ROLL'};{prompt.token}")]


def by_turn(first: str, then: str) -> Answers:
    """Return answers that announce `first` in a round, and `then` afterwards."""

    def answers(prompt: Prompt) -> Iterable[Act]:
        dice = then if prompt.round.said else first
        return [Act(f"ANNOUNCE;{dice};{prompt.token}")]

    return answers


def once(special: Answers, otherwise: Answers) -> Answers:
    """Return answers that use `special` for the first prompt of each kind in a round, and
    `otherwise` afterwards.
    """

    def answers(prompt: Prompt) -> Iterable[Act]:
        if prompt.kind in prompt.round.marks:
            return otherwise(prompt)
        prompt.round.marks.add(prompt.kind)
        return special(prompt)

    return answers


def only(names: Iterable[str], answers: Answers) -> Answers:
    """Return answers that let only these names answer. The others are silent."""
    who = set(names)
    return lambda prompt: answers(prompt) if prompt.by.name in who else ()


JOIN = say("JOIN")


@dataclass(frozen=True)
class Plan:
    """How all test players play a round."""

    turn: Answers = roll_then_see
    announce: Answers = truth
    join: Answers = JOIN

    def acts(self, prompt: Prompt) -> list[Act]:
        """Return the datagrams to send for this prompt."""
        answers = {"join": self.join, "turn": self.turn, "announce": self.announce}[prompt.kind]
        return list(answers(prompt))


def _lowest(prompt: Prompt) -> str:
    return next((dice for dice in RANKING if higher(dice, prompt.round.last)), MIA)
