"""Rules of a round: which line may follow the previous lines and our players' answers."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from conformance.mia.book import Book
from conformance.mia.lines import MIA, NOBODY, PLAIN, Line, dice_of, higher, listed
from conformance.mia.rounds import Phase, Prompt, Round

LATER = {"22-first", "21-see", "24-late", "26-once"}
"""Checks that can pass only after later lines."""
MOST_DELAYS = 20
MOSTLY = 0.8


@dataclass
class Judge:
    """Judges rounds line by line.

    `pace` is the answer time in seconds, and `ours` are our names.
    """

    book: Book
    pace: float
    ours: set[str] = field(default_factory=set)
    silences: list[float] = field(default_factory=list)
    """Seconds the server waited for answers that did not come."""
    windows: list[float] = field(default_factory=list)
    """Durations in seconds of join windows in which one of our players did not answer."""
    delays: deque[float] = field(default_factory=lambda: deque(maxlen=MOST_DELAYS))
    """Latest response times of the server, in seconds."""

    @property
    def delay(self) -> float:
        """Current response time in seconds: the 80th percentile of `delays`."""
        return sorted(self.delays)[int(len(self.delays) * MOSTLY)] if self.delays else 0.0

    def hear(self, round_: Round, line: Line, at: float) -> None:
        """Judge the next public line of this round (except SCORE)."""
        steps: dict[Phase, Callable[[Round, Line, float], None]] = {
            "inviting": self._invited,
            "alone": self._alone,
            "turn": self._turn,
            "announce": self._announce,
            "losing": self._losing,
            "mia": self._mia,
            "seeing": self._seeing,
            "shown": self._shown,
        }
        step = steps.get(round_.phase)
        if step is None:
            self.wrong(round_, self.blame(round_, "30-score"), "SCORE or the next round", line)
        else:
            step(round_, line, at)

    def wrong(self, round_: Round, check: str, expected: str, line: Line | str) -> None:
        """Record an unexpected line. Continue with the server's state."""
        self.book.differs(check, expected, str(line))
        if isinstance(line, Line):
            self.take(round_, line)

    def blame(self, round_: Round, check: str) -> str:
        """Return the check to which the last prompt belongs, or else this check."""
        prompt = round_.prompt("turn", "announce")
        return (prompt.check if prompt else "") or check

    # State changes of a line, right or wrong

    def take(self, round_: Round, line: Line) -> None:
        """Update the round with this line."""
        match line.kind, line.fields:
            case "ROUND STARTED", _:
                round_.order, round_.at, round_.phase = line.names, 0, "turn"
                if len(round_.order) == 1:
                    round_.phase = "alone"
            case "ROUND CANCELED", (why,):
                round_.phase = "over" if why in NOBODY else "lost"
            case "PLAYER ROLLS", (name,):
                self._goes_on(round_, name)
                round_.phase = "announce"
            case "ANNOUNCED", (name, dice):
                self._announced(round_, name, dice_of(dice) or dice)
            case "PLAYER WANTS TO SEE", (name,):
                self._goes_on(round_, name)
                round_.phase = "seeing"
            case "ACTUAL DICE", (dice,):
                round_.actual, round_.phase = dice_of(dice) or dice, "shown"
            case "PLAYER LOST", (_, reason):
                round_.lost, round_.phase = (line.names, reason), "lost"
                self.book.ok(*["23-losers"] * (len(line.names) > 1))

    def _goes_on(self, round_: Round, name: str) -> None:
        if name in round_.order:
            round_.at = round_.order.index(name)

    def _announced(self, round_: Round, name: str, dice: str) -> None:
        last = round_.last
        round_.said.append((name, dice))
        if dice == MIA:
            round_.phase = "mia"
        elif not higher(dice, last):
            round_.phase = "losing"
        else:
            round_.phase, round_.asked = "turn", []
            round_.at = (round_.at + 1) % max(1, len(round_.order))

    # One function per phase

    def _invited(self, round_: Round, line: Line, at: float) -> None:
        joins = {p.by.name: p for p in round_.prompts if not p.by.loose}
        said = {name: prompt.answered(self.pace) for name, prompt in joins.items()}
        if "nothing" in said.values():
            self.windows.append(at - round_.began)
        if line.kind not in ("ROUND STARTED", "ROUND CANCELED"):
            check = self.book.focus or "10-join"
            self.wrong(round_, check, "ROUND STARTED or ROUND CANCELED", line)
            return
        names = line.names if line.kind == "ROUND STARTED" else []
        if len(set(names)) < len(names):
            self.book.differs("13-order", "every name once", str(line))
        for name, prompt in joins.items():
            self._joined(round_, prompt, said[name], name in names)
        self.take(round_, line)
        self.book.ok("13-order" if names else "12-nobody")
        if not names and line.fields[0] not in NOBODY:
            self.book.differs("12-nobody", "ROUND CANCELED;no players", str(line))

    def _joined(self, round_: Round, prompt: Prompt, said: str, there: bool) -> None:
        check = prompt.check or "10-join"
        if said == "JOIN" and not there:
            round_.spoiled.append(f"JOIN in time, not in the round ({prompt.by.name})")
        elif said == "nothing" and there and prompt.late:
            round_.overdue.append(f"{prompt.by.name} in the round")
        elif said == "nothing" and there:
            self.book.differs(
                check, "only players who have joined", f"{prompt.by.name} in the round"
            )
        elif said != "unsure":
            self.book.ok(check)

    def _alone(self, round_: Round, line: Line, at: float) -> None:
        if line.kind == "ROUND CANCELED" and line.fields[0] not in NOBODY:
            self.take(round_, line)
        else:
            self.wrong(round_, "14-alone", "ROUND CANCELED;only one player", line)

    def _turn(self, round_: Round, line: Line, at: float) -> None:
        did = {
            ("PLAYER ROLLS", ""): "ROLL",
            ("PLAYER WANTS TO SEE", ""): "SEE",
            ("PLAYER LOST", "DID_NOT_TAKE_TURN"): "nothing",
            ("PLAYER LOST", "INVALID_TURN"): "invalid",
        }.get((line.kind, line.fields[1] if line.kind == "PLAYER LOST" else ""))
        name = line.fields[0]
        if did is None or not self._may_act(round_, name):
            expected = f"a move of {round_.on_turn}, whose turn it is"
            theirs = line.kind == "PLAYER LOST" and name == round_.on_turn
            plain = "25-turn" if theirs else "16-turns"
            self.wrong(round_, self.blame(round_, plain), expected, line)
            return
        self._asked(round_, name)
        prompt = self._prompt_of(round_, name, "turn")
        if prompt is not None:
            self._compare(round_, prompt, prompt.answered(self.pace), did, line, at)
        self.take(round_, line)
        self.book.ok("16-turns")

    def _may_act(self, round_: Round, name: str) -> bool:
        """Whether it can be this player's turn.

        Other people's players may be skipped if they have left.
        """
        if name not in round_.order:
            return False
        ahead = round_.order[round_.at :] + round_.order[: round_.at]
        return not any(passed in self.ours for passed in ahead[: ahead.index(name)])

    def _asked(self, round_: Round, name: str) -> None:
        if len(round_.asked) > 1:
            return  # already recorded
        asked = [one.name for one in round_.asked if not one.loose]  # loose endpoints change names
        if asked and asked != [name] and name in self.ours:
            self.book.differs("16-turns", f"YOUR TURN to {name}", f"YOUR TURN to {asked[0]}")

    def _prompt_of(self, round_: Round, name: str, kind: str) -> Prompt | None:
        prompt = round_.prompt("turn", "announce")
        fits = prompt is not None and prompt.kind == kind and prompt.by.name == name
        return prompt if fits else None

    def _compare(
        self, round_: Round, prompt: Prompt, answered: str, did: str, line: Line, at: float
    ) -> None:
        """Compare our player's answer with the server's account of it."""
        first = not round_.said
        plain = {
            "ROLL": "17-roll",
            "SEE": "22-first" if first else "21-see",
            "invalid": "28-invalid" if prompt.kind == "turn" else "29-bad",
            "nothing": "25-turn" if prompt.kind == "turn" else "25-announce",
        }.get(answered, "17-roll")
        check = prompt.check or plain
        if answered == "unsure":
            return
        if answered == did:
            self.book.ok(*{check, plain} - LATER)
            if prompt.answered_at is None:
                self.silences.append(at - prompt.at)
            elif did != "nothing":
                self.delays.append(at - prompt.answered_at)
        elif did == "nothing":
            round_.spoiled.append(f"{_told(prompt)} in time, then {line}")
        elif answered == "nothing" and prompt.late:
            round_.overdue.append(str(line))
        else:
            expected = f"what follows {_told(prompt) or 'no answer'}"
            self.book.differs(check, expected, str(line))

    def _announce(self, round_: Round, line: Line, at: float) -> None:
        name = round_.on_turn
        given_up = line.kind == "PLAYER LOST" and line.fields == (name, "DID_NOT_ANNOUNCE")
        if not given_up and not (line.kind == "ANNOUNCED" and line.fields[0] == name):
            expected = f"ANNOUNCED;{name} or DID_NOT_ANNOUNCE"
            plain = "25-announce" if line.kind == "PLAYER LOST" else "17-roll"
            if line.fields[-1] == "ANNOUNCED_LOSING_DICE":
                plain = "19-lower"
            self.wrong(round_, self.blame(round_, plain), expected, line)
            return
        did = "nothing" if given_up else self._normal(line)
        prompt = self._prompt_of(round_, name, "announce")
        if prompt is not None:
            answered = prompt.answered(self.pace)
            same = given_up and answered == "invalid"
            self._compare(round_, prompt, answered, "invalid" if same else did, line, at)
        self._accepts(round_)
        self.take(round_, line)

    def _normal(self, line: Line) -> str:
        dice = dice_of(line.fields[1]) or line.fields[1]
        if dice == line.fields[1]:
            self.book.ok("18-dice")
        else:
            self.book.differs("18-dice", f"ANNOUNCED with {dice}", str(line))
        return dice

    def _accepts(self, round_: Round) -> None:
        """Count the previous announcement as accepted because the next player has rolled."""
        if len(round_.said) >= 2 and round_.said[-2][1] in PLAIN:
            self.book.ok("19-higher")

    def _losing(self, round_: Round, line: Line, at: float) -> None:
        before, now = round_.said[-2][1], round_.said[-1][1]
        check = "19-equal" if before == now else "19-lower"
        self._loses(round_, line, check, [round_.said[-1][0]], "ANNOUNCED_LOSING_DICE")

    def _loses(self, round_: Round, line: Line, check: str, losers: list[str], reason: str) -> None:
        """Judge a line that must announce this loss."""
        right = (
            line.kind == "PLAYER LOST"
            and sorted(line.names) == sorted(losers)
            and line.fields[1] == reason
        )
        if not right:
            self.wrong(round_, check, f"PLAYER LOST;{','.join(losers)};{reason}", line)
            return
        self.book.ok(check)
        self.take(round_, line)

    def _mia(self, round_: Round, line: Line, at: float) -> None:
        announcer = round_.said[-1][0]
        lied = round_.dice.get(announcer, MIA) != MIA
        self._shows(round_, line, "20-lie" if lied else "20-mia", announcer)

    def _shows(self, round_: Round, line: Line, check: str, roller: str) -> None:
        dice = round_.dice.get(roller)
        if line.kind != "ACTUAL DICE":
            self.wrong(round_, check, f"ACTUAL DICE;{dice or ''}", line)
            return
        if dice is not None and line.fields[0] != dice:
            self.book.differs(check, f"ACTUAL DICE;{dice}, as rolled", str(line))
        self.take(round_, line)

    def _seeing(self, round_: Round, line: Line, at: float) -> None:
        if round_.said:
            self._shows(round_, line, "21-see", round_.said[-1][0])
        else:
            self._loses(round_, line, "22-first", [round_.on_turn], "SEE_BEFORE_FIRST_ROLL")

    def _shown(self, round_: Round, line: Line, at: float) -> None:
        if not round_.said:  # already recorded
            self.take(round_, line)
            return
        announcer, dice = round_.said[-1]
        if dice == MIA:
            true = round_.actual == MIA
            others = [name for name in round_.order if name != announcer]
            check, losers = ("20-mia", others) if true else ("20-lie", [announcer])
            self._loses(round_, line, check, losers, "MIA" if true else "LIED_ABOUT_MIA")
        elif higher(dice, round_.actual):
            self._loses(round_, line, "21-bluff", [announcer], "CAUGHT_BLUFFING")
        else:
            check = "21-see" if dice == round_.actual else "21-little"
            self._loses(round_, line, check, [round_.on_turn], "SEE_FAILED")

    def score(self, round_: Round, old: dict[str, int], new: dict[str, int]) -> None:
        """Compare the changes of points with the result of the round."""
        losers = round_.lost[0] if round_.lost else []
        for name, points in new.items():
            if name not in old and name not in self.ours:
                continue
            gain = (name in round_.order) - (name in losers)
            before = old.get(name, 0)
            if points != before + gain:
                check = "14-alone" if len(round_.order) == 1 else "31-points"
                expected = f"{name}:{before + gain} ({listed(losers)} lost, {before} before)"
                self.book.differs(check, expected, f"{name}:{points}")
        if round_.order:
            self.book.ok("31-points" if len(round_.order) > 1 else "14-alone")
        if len(round_.order) > 1 and self.ours & set(new) - set(round_.order):
            self.book.ok("31-bystander")


def _told(prompt: Prompt) -> str:
    return " and ".join(repr(sent.text.replace(prompt.token, "<token>")) for sent in prompt.sent)
