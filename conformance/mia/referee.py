"""The referee: assigns every datagram to a round, and checks its content and recipients."""

from __future__ import annotations

from conformance.mia.bench import ALLOWANCE, LONG, RENEWED, Endpoint, Heard
from conformance.mia.book import Book
from conformance.mia.judge import Judge
from conformance.mia.lines import Dialect, Line, parse, same, shortened
from conformance.mia.plans import Plan
from conformance.mia.rounds import Prompt, Round

BEGINNINGS = ("ROUND STARTED", "ROUND CANCELED")
SHORTEST = 8
UNANSWERED = 3


class Referee:
    """The observed state of the table. `plan` is the plan for the next round."""

    def __init__(self, book: Book, dialect: Dialect, server: tuple[str, int], pace: float) -> None:
        self.book, self.dialect, self.server = book, dialect, server
        self.judge = Judge(book, pace)
        self.plan: Plan | None = None
        self.now: Round | None = None
        self.endpoints: list[Endpoint] = []
        """Registered endpoints in order of registration."""
        self.entered: dict[str, float] = {}
        """Time when each of our names was registered."""
        self.played: set[str] = set()
        self.points: dict[str, int] | None = {}
        """The previous score, or None if it is unknown. Our names start with 0."""
        self.orders: list[tuple[str, ...]] = []
        self.rolls: list[str] = []
        self.tokens: list[str] = []
        self._tokens: set[str] = set()
        self._rounds = 0
        self._earlier = 0.0
        """Time when the previous round started."""
        self._number: tuple[int, int] | None = None

    def hear(self, heard: Heard) -> Prompt | None:
        """Process a datagram. Return the prompt if it asks one of our players to act."""
        line = self._read(heard)
        if line is None:
            return None
        by = heard.by
        self._count(by, len(heard.data))
        if line.kind in ("REGISTERED", "REJECTED"):
            self._answered(by, line, heard.at)
        elif by.gone:
            self.book.differs("6-moved", "nothing to the former endpoint", str(line))
        elif not by.name and not by.watching:
            self.book.differs("15-all", "nothing to unregistered endpoints", str(line))
        elif line.kind == "ROUND STARTING":
            return self._starting(by, line, heard.at)
        elif by.loose:
            pass
        elif line.kind == "YOUR TURN":
            return self._your_turn(by, line, heard.at)
        elif line.kind == "ROLLED":
            return self._rolled(by, line, heard.at)
        else:
            self._told(by, line, heard.at)
        return None

    # Reading

    def _read(self, heard: Heard) -> Line | None:
        if heard.source[:2] != self.server:
            self.book.differs("1-port", f"{self.server[0]}:{self.server[1]}", f"{heard.source}")
        else:
            self.book.ok("1-port")
        try:
            text = heard.data.decode()
        except UnicodeDecodeError:
            self.book.differs("2-lines", "UTF-8", repr(heard.data[:60]))
            return None
        bare = text.rstrip("\r\n")
        line = parse(bare, self.dialect)
        if bare != text or line is None:
            check = "3-junk" if not heard.by.claims and not heard.by.name else "2-lines"
            self.book.differs(check, "a line of the protocol", repr(shortened(text)))
        else:
            self.book.ok("2-lines")
        return line

    def _count(self, by: Endpoint, size: int) -> None:
        """Count the bytes sent to an unproved endpoint (docs/rules/mia.md rule 34a)."""
        round_ = self.now
        by.received += size
        if not by.proved and by.received > ALLOWANCE and (by.name or by.watching):
            came = f"{by.received} to {by.name or 'a spectator'}"
            self.book.differs("34a-megaphone", f"at most {ALLOWANCE} bytes", came)
        if size > LONG and round_ is not None and by.spoke < self._earlier:
            self.book.differs(
                "34a-long", "only short lines to endpoints that have not answered", f"{size} bytes"
            )

    def token_sent(self, by: Endpoint, at: float) -> None:
        """Note that this endpoint has returned a token."""
        if by.spent:
            self._release(by)
        by.proved, by.spoke = True, at

    def _release(self, by: Endpoint) -> None:
        """Stop comparing what this endpoint receives in this round."""
        if self.now is not None:
            self.now.place.pop(by, None)
            self.now.open.discard(by)

    def _token(self, token: str) -> None:
        if len(token) < SHORTEST:
            self.book.differs("26-token", f"at least {SHORTEST} characters", token)
        if token in self._tokens:
            self.book.differs("26-token", "a new token for each prompt", f"{token} again")
        self._tokens.add(token)
        self.tokens.append(token)

    # Registering

    def _answered(self, by: Endpoint, line: Line, at: float) -> None:
        by.answers.append(str(line))
        if line.kind == "REJECTED" or not by.claims:
            return
        for old in self.endpoints:
            if old is not by and old.name == by.claims:
                self._moves(old, by)
        if by.name and by.name != by.claims:
            self._loosen(by)
        if at - by.granted >= RENEWED:
            by.granted, by.received = at, 0
        # The invitation to the running round may count as unanswered when it ends.
        running = self.now is not None and not self.now.over
        by.name, by.since, by.unheard = by.claims, at, int(running)
        self.entered.setdefault(by.name, at)
        self.judge.ours.add(by.name)
        if by not in self.endpoints:
            self.endpoints.append(by)

    def _loosen(self, by: Endpoint) -> None:
        """Stop comparing what an endpoint with several names receives."""
        by.loose = True
        self._release(by)

    def _moves(self, old: Endpoint, new: Endpoint) -> None:
        old.gone, old.name = True, ""
        round_ = self.now
        if round_ is not None and old in round_.place:
            round_.place[new] = round_.place.pop(old)
            if old in round_.open:
                round_.open.remove(old)
                round_.open.add(new)

    # Lines to one

    def _starting(self, by: Endpoint, line: Line, at: float) -> Prompt | None:
        number = int(line.fields[0]) if self.dialect == "seed" else None
        if by.watching and not by.name:
            self.book.differs("spectator", "no invitation", str(line))
            return None
        if self._is_next(by, number):
            self._begin(by, number, at)
        round_ = self.now
        assert round_ is not None
        self._token(line.fields[-1])
        by.invited += by not in round_.place
        by.unheard += by not in round_.place
        if not by.loose:
            round_.place[by] = 0
            round_.open.add(by)
        prompt = Prompt("join", by, line.fields[-1], at, round_)
        round_.prompts.append(prompt)
        return prompt

    def _is_next(self, by: Endpoint, number: int | None) -> bool:
        round_ = self.now
        if round_ is None or round_.phase != "inviting":
            return True
        if number is not None and number != round_.number:
            return True
        return by in round_.place and not by.loose

    def _begin(self, by: Endpoint, number: int | None, at: float) -> None:
        before = self.now
        if before is not None:
            self._end(before, at)
            self._earlier = before.began
        self._rounds += 1
        self.now = Round(self._rounds, None, at, self.plan, before.ended if before else 0.0)
        if number is not None:
            self._numbered(self.now, number)

    def _numbered(self, round_: Round, number: int) -> None:
        round_.number = number
        if self._number is not None:
            index, last = self._number
            expected = last + round_.index - index
            if number != expected:
                self.book.differs("10-number", f"round {expected}", f"round {number}")
            elif round_.index > index:
                self.book.ok("10-number")
        self._number = (round_.index, number)

    def forget(self) -> None:
        """Forget round number and score, because unobserved rounds may have been played."""
        self._number = self.now = self.points = None

    def _your_turn(self, by: Endpoint, line: Line, at: float) -> Prompt | None:
        self._token(line.fields[0])
        round_ = self.now
        if round_ is None or not round_.order:
            return None
        if round_.phase in ("losing", "mia"):
            check = {"mia": "20-mia"}.get(round_.phase) or _not_higher(round_)
            self.book.differs(check, "the end of the round", f"YOUR TURN to {by.name}")
            round_.phase, round_.asked = "turn", []
            round_.at = (round_.at + 1) % len(round_.order)
        if round_.phase != "turn" or (by.name != round_.on_turn and round_.on_turn in self.entered):
            expected = f"YOUR TURN to {round_.on_turn} only"
            self.book.differs("15-private", expected, f"YOUR TURN to {by.name}")
            round_.asked.append(by)
            return None
        if by in round_.asked:
            self.book.differs("16-turns", "one YOUR TURN", f"another one to {by.name}")
        round_.asked.append(by)
        self.book.ok("15-private")
        return self._asked(Prompt("turn", by, line.fields[0], at, round_))

    def _rolled(self, by: Endpoint, line: Line, at: float) -> Prompt | None:
        dice, token = line.fields
        self._token(token)
        round_ = self.now
        if round_ is None or not round_.order:
            return None
        if round_.phase != "announce" or by.name != round_.on_turn:
            expected = f"ROLLED to {round_.on_turn} only, after ROLL"
            self.book.differs("15-private", expected, f"{line.kind};{dice} to {by.name}")
            return None
        if any(p.kind == "announce" and p.at > self._turn_began(round_) for p in round_.prompts):
            self.book.differs(self.judge.blame(round_, "17-roll"), "one ROLLED", "another one")
            return None
        if dice[0] < dice[2]:
            self.book.differs("18-dice", "ROLLED with the larger die first", str(line))
        round_.dice[by.name] = ",".join(sorted(dice.split(","), reverse=True))
        self.rolls.append(round_.dice[by.name])
        self.book.ok("15-private")
        return self._asked(Prompt("announce", by, token, at, round_, round_.dice[by.name]))

    def _turn_began(self, round_: Round) -> float:
        prompt = round_.prompt("turn")
        return prompt.at if prompt else round_.began

    def _asked(self, prompt: Prompt) -> Prompt:
        prompt.round.prompts.append(prompt)
        return prompt

    # Lines to all

    def _told(self, by: Endpoint, line: Line, at: float) -> None:
        round_ = self.now
        if round_ is None:
            return
        if line.kind in BEGINNINGS and self._is_of_others(round_, by):
            self._begin(by, None, at)
            round_ = self.now
            assert round_ is not None
        by.told += not round_.place.get(by)
        if by not in round_.place:
            if not round_.told and not by.watching:
                return  # the end of an unobserved round
            last = bool(round_.told) and same(round_.told[-1], line)
            round_.place[by] = len(round_.told) - last
            round_.open.add(by)
        place = round_.place[by]
        round_.place[by] = place + 1
        if place < len(round_.told):
            if not same(round_.told[place], line):
                expected = f"{round_.told[place]} to everybody"
                self.book.differs("15-all", expected, f"{line} to {by.name}")
        else:
            round_.told.append(line)
            if len(str(line).encode()) >= LONG:
                for other in [one for one in round_.place if one.name not in round_.order]:
                    self._release(other)
            self._news(round_, line, at)
            round_.ended = at
        if round_.over and round_.place.get(by) == len(round_.told):
            round_.open.discard(by)

    def _is_of_others(self, round_: Round, by: Endpoint) -> bool:
        """Whether a round begins without our players because none of them is invited any more."""
        heard_all = round_.over and round_.place.get(by) == len(round_.told)
        return heard_all and not any(map(_is_invited, self.endpoints))

    def _news(self, round_: Round, line: Line, at: float) -> None:
        if line.kind == "SCORE":
            self._score(round_, line, at)
            return
        if line.kind == "ROUND STARTED" and self.dialect == "current":
            self._numbered(round_, int(line.fields[0]))
        started = round_.phase == "inviting"
        self.judge.hear(round_, line, at)
        for endpoint in self.endpoints if started else ():
            if endpoint.name in round_.order:
                endpoint.unheard = 0
        if started and len(round_.order) > 1:
            self.played |= set(round_.order)
            self.orders.append(tuple(round_.order))

    def _score(self, round_: Round, line: Line, at: float) -> None:
        new = line.points
        if round_.phase not in ("lost", "over"):
            self.book.differs("30-score", "the end of the round before SCORE", str(line))
        every = self.dialect == "seed"
        self.played |= set(round_.order)
        for name, since in self.entered.items():
            if name not in new and since < round_.began and (every or name in self.played):
                self.book.differs("30-score", f"an entry for {name}", str(line))
        self.book.ok("30-score")
        if self.points is not None:
            self.judge.score(round_, self.points, new)
        self.points, round_.score, round_.phase = new, new, "over"

    def _end(self, round_: Round, at: float) -> None:
        """End a round because the next one begins.

        By now everybody must have received all its lines.
        """
        if not round_.over:
            check = "30-score" if round_.phase == "lost" else "16-turns"
            self.book.differs(check, "the end of a round with SCORE", "the next round")
        for endpoint in round_.open:
            place = round_.place[endpoint]
            if place < len(round_.told) and not endpoint.spent:
                missing = f"{round_.told[place]} to everybody"
                self.book.differs("15-all", missing, f"nothing to {endpoint.name}")
        if not round_.open:
            self.book.ok("15-all")
        self._invited(round_, at)

    def _invited(self, round_: Round, at: float) -> None:
        """Check that everybody who had registered before the round was invited, except those who
        were silent for long.
        """
        invited = {prompt.by for prompt in round_.prompts if prompt.kind == "join"}
        for endpoint in self.endpoints:
            if endpoint.since < round_.after and _is_invited(endpoint):
                if endpoint in invited:
                    self.book.ok("8-invited")
                else:
                    expected = f"ROUND STARTING to {endpoint.name}"
                    self.book.differs("8-invited", expected, "nothing")


def _is_invited(endpoint: Endpoint) -> bool:
    """Whether the server must invite this endpoint, beyond doubt."""
    away = endpoint.gone or endpoint.loose or endpoint.spent
    return not away and endpoint.unheard < UNANSWERED


def _not_higher(round_: Round) -> str:
    return "19-equal" if round_.said[-2][1] == round_.said[-1][1] else "19-lower"
