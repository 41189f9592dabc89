"""The test player: opens endpoints, registers names, and plays rounds by a plan."""

from __future__ import annotations

import secrets
import time
from collections.abc import Collection, Iterable
from functools import partial

from conformance.mia.bench import Bench, Endpoint
from conformance.mia.book import Book
from conformance.mia.lines import Dialect, answer
from conformance.mia.plans import Act, Plan
from conformance.mia.referee import Referee
from conformance.mia.rounds import SURE, Prompt, Round, Sent

REPLY = 2.0
"""Seconds to wait for the reply to a registration. Retries wait twice and four times as long."""
NO_NAME = "no,name"
STILL = 0.1
ROUND = 60
"""Maximum duration of a round without human players, in answer times."""
PEOPLE = 60.0
"""Extra seconds for a round in case human players take part."""


class Silent(Exception):
    """The server does not respond although it should."""


class Enough(Exception):
    """A check in `until` has failed, which ends the run."""


class Kit:
    """One run against one server. `pace` is its answer time in seconds.

    `reply` is the maximum time in seconds for the first attempt to register. The run ends when a
    check in `until` fails.
    """

    def __init__(
        self,
        host: str,
        port: int,
        dialect: Dialect,
        pace: float,
        reply: float = REPLY,
        until: Collection[str] = (),
    ) -> None:
        """Raise OSError if the host is unknown."""
        self.bench, self.book = Bench(host, port), Book()
        self.dialect, self.pace, self.reply, self.until = dialect, pace, reply, until
        self.referee = Referee(self.book, dialect, self.bench.server, pace)
        self.names: list[str] = []
        self._trio: list[Endpoint] = []
        self._guest: Endpoint | None = None

    # Names

    def name(self) -> str:
        """Return a new unique name."""
        self.names.append(f"check-{secrets.token_hex(4)}")
        return self.names[-1]

    def ask(self, endpoint: Endpoint, text: str, claims: str = "") -> str:
        """Send a text. Return the reply, or "" if there is none."""
        endpoint.claims = claims
        endpoint.answers.clear()
        for patience in (self.reply, 2 * self.reply, 4 * self.reply):
            asked = endpoint.send(text.encode())
            until = asked + patience
            while not endpoint.answers and time.time() < until:
                self.step(until)
            self.referee.judge.delays.append(time.time() - asked)
            if endpoint.answers:
                return endpoint.answers[0]
        return ""

    def strays(self, endpoint: Endpoint) -> list[str]:
        """Return the replies to datagrams that must not be answered.

        A request that must be answered is sent after these datagrams. A server reads in order, so
        its reply shows that they were read.
        """
        self.ask(endpoint, f"REGISTER;{NO_NAME}")
        self.listen(STILL)
        rejected = [one for one in endpoint.answers if one.startswith("REJECTED")]
        return [one for one in endpoint.answers if one not in rejected] + rejected[1:]

    def register(self, endpoint: Endpoint, name: str) -> str:
        """Register a name. Return the reply."""
        return self.ask(endpoint, f"REGISTER;{name}", name)

    def enter(self, host: int = 1) -> Endpoint:
        """Register a new player. Raise Silent if it is rejected."""
        one = self.bench.open(host)
        reply = self.register(one, self.name())
        if reply != "REGISTERED":
            what = reply or "nothing"
            raise Silent(
                f"A new name was not REGISTERED: {what} came. Is this a server of Mia, with room "
                "for names of this address (16 at most)?"
            )
        return one

    def guest(self, host: int) -> Endpoint:
        """Return a fourth player.

        If all our names share one address, it is always the same player.
        """
        if self._guest is None or self.bench.loopback:
            self._guest = self.enter(host)
        return self._guest

    def spare(self, *used: Endpoint | str) -> str:
        """Return a new name. If few names are left, return the last of these instead."""
        if self.bench.loopback:
            return self.name()
        last = used[-1]
        return last if isinstance(last, str) else last.name

    def trio(self) -> list[Endpoint]:
        """Return the three players of most rounds."""
        while len(self._trio) < 3:
            self._trio.append(self.enter(1 + len(self._trio)))
        for one in self._trio:
            if one.unheard:
                self.register(one, one.name)
        return self._trio

    # Playing

    def step(self, until: float) -> bool:
        """Process one datagram and answer it. Return False if none arrives in time.

        Raise Enough if a difference ends the run.
        """
        if any(self.book.found.get(check) for check in self.until):
            raise Enough
        heard = self.bench.next(until)
        if heard is None:
            return False
        prompt = self.referee.hear(heard)
        if prompt is not None and prompt.round.plan is not None:
            self.send(prompt, prompt.round.plan.acts(prompt))
        return True

    def send(self, prompt: Prompt, acts: Iterable[Act]) -> None:
        """Send these datagrams, now or after their delays."""
        for act in acts:
            prompt.check = prompt.check or act.check
            send = partial(self._send, prompt, act)
            if act.after:
                self.bench.later(prompt.at + act.after * self.pace, send)
            else:
                send()

    def _send(self, prompt: Prompt, act: Act) -> None:
        by = act.by or prompt.by
        at = by.send(act.text.encode())
        if by is prompt.by and answer(act.text)[1] == prompt.token:
            self.referee.token_sent(by, at)
        prompt.sent.append(Sent(at, by, act.text))

    def listen(self, seconds: float) -> None:
        """Process datagrams without joining rounds."""
        self.referee.plan = None
        until = time.time() + seconds
        while self.step(until):
            pass

    def play(self, plan: Plan) -> Round:
        """Play the next round by this plan until everybody has heard its end or another round
        begins.

        Raise Silent if no round begins or ends in time.
        """
        before, self.referee.plan = self.referee.now, plan
        played: Round | None = None
        patience = PEOPLE + ROUND * self.pace
        until = time.time() + patience
        while time.time() < until:
            self.step(until)
            now = self.referee.now
            if played is None and now is not before and now is not None and now.plan is plan:
                played = now
            if played is not None and (now is not played or (played.over and not played.open)):
                return played
        raise Silent(f"No round was played within {patience:.0f} seconds.")

    def provoke(self, check: str, plan: Plan, tries: int = 6, *more: str) -> None:
        """Play by this plan until this check (and `more`) has passed or failed."""
        spoiled: list[str] = []
        for _ in range(tries):
            self.trio()
            round_ = self.play(plan)
            spoiled += round_.spoiled[:1]
            if all(map(self.book.settled, (check, *more))) and not round_.spoiled:
                return
        if len(spoiled) == tries:
            expected = f"timely answers to count ({tries} tries)"
            self.late(check, expected, spoiled[-1], (1 - SURE) * self.pace)

    def late(self, check: str, expected: str, came: str, margin: float) -> None:
        """Record that something was late in every attempt. `margin` is the tolerance in seconds.

        If all responses are currently that slow, record that the check could not be provoked.
        """
        delay = self.referee.judge.delay
        if delay < margin:
            self.book.differs(check, expected, came)
        else:
            what = f"answers take {delay * 1000:.0f} ms, too long to decide"
            self.book.missed[check] = what

    def leave(self) -> None:
        """Clean up by moving all names of an address to one endpoint."""
        for endpoint in self.referee.endpoints:
            last = next(e for e in self.referee.endpoints if e.address == endpoint.address)
            if endpoint.name and not endpoint.gone:
                last.send(f"REGISTER;{endpoint.name}".encode())
        self.bench.close()
