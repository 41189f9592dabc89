"""The workbench: plays matches of an author's program against built-in bots, without a server.

The program gets what a server would send it, byte for byte, because the wire's own serializers make
it from rows that are never saved.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from statistics import fmean, stdev
from time import perf_counter
from typing import Any

import msgspec

from games.contract.core import Options, all_seats
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.contract.luck import Luck, bot_luck
from games.engine.table_policy import BOT
from games.history.match_lines import match_lines, seats_of
from games.management.arena import LONGEST, CannotContinue, Talk, Tally
from games.management.authors import Author, Hangs, HasEnded, interrupting, limited
from games.models import Act
from games.rooms.bots import BOT_NAMES, MORE_BOT_NAMES
from games.tables.frames import encoded, event_frame, sync_frame
from games.tables.serializers import outcome, started
from games.tables.unsaved import Sitter, UnsavedMatch
from games.wire import server
from games.wire.wire import read_move
from parlour_client import Decision, Json
from parlour_client.bot_file import own_traceback
from parlour_client.decision import read_decision
from parlour_client.faults import Answer, NotOffered, kind_of

LANGUAGE = "en"


@dataclass(frozen=True)
class Bench:
    """A setup for matches: a game, its options and seats, and the level of the other bots."""

    game: AnyGame
    options: Options
    seats: int
    against: str
    patience: float = 10.0
    """Seconds for one answer."""


@dataclass
class Fault:
    """A kind of error: how often it happened, the first deal with it, and its description."""

    deal: int
    said: str
    count: int = 0


@dataclass
class Report:
    """The results of a program in many matches."""

    name: str
    tally: Tally = field(default_factory=Tally)
    places: Counter[int] = field(default_factory=Counter)
    shares: list[float] = field(default_factory=list)
    """The share of the win per deal, in order."""
    unanswered: int = 0
    faults: dict[Any, Fault] = field(default_factory=dict)
    stopped: str = ""
    """Reason why some matches were not played, or "" if all were."""

    def note(self, error: BaseException, deal: int, path: str) -> None:
        """Count an error of the program."""
        illegal = isinstance(error, NotOffered)
        self.tally.illegal += illegal
        self.tally.fallbacks += not illegal
        kind = kind_of(error)
        if kind not in self.faults:
            said = str(error) if illegal else own_traceback(error, path)
            self.faults[kind] = Fault(deal, said)
        self.faults[kind].count += 1

    @property
    def has_failed(self) -> bool:
        """Whether the program has made any mistake."""
        return bool(self.faults or self.stopped)


class Listener:
    """A program at a table: what it has heard, and the packets that it has not read yet."""

    def __init__(self, match: UnsavedMatch, me: Seat, deal: int) -> None:
        self.match, self.me = match, me
        self.heard: list[Json] = []
        self.unread: list[str] = []
        self._asked_at = 0
        self._dice = Random(deal)
        self._user: int = match.match.players[me].user_id or 0
        snapshot = match.match
        self.unread.append(
            encoded(server.GameStarted(snapshot.row.pk, 1, started(snapshot), "off"))
        )
        self.hear()

    def hear(self) -> None:
        """Receive the events of the newest act."""
        act = self.match.newest
        for at, (_plain, to, _event) in enumerate(act.told):
            if to is None or self.me in to:
                text = event_frame(act, at)
                self.unread.append(text)
                self.heard.append(msgspec.json.decode(text))

    def ask(self) -> tuple[Decision | None, list[str]]:
        """Return the question to this seat, if there is one, and the packets that lead to it."""
        asked = sync_frame(self.match.table, self._user, LANGUAGE)
        since, self._asked_at = self.heard[self._asked_at :], len(self.heard)
        decision = read_decision(
            msgspec.json.decode(asked)["data"], list(self.heard), since, self._dice
        )
        packets, self.unread = [*self.unread, asked], []
        return decision, packets

    def rest(self) -> list[str]:
        """Return the packets at the end of the match."""
        ended = outcome(self.match.table)
        assert ended is not None
        end = server.GameEnd(
            version=self.match.match.row.version,
            winners=ended.winners,
            places=ended.places,
            reason=ended.reason,
            fairness=ended.fairness,
        )
        return [*self.unread, encoded(end)]


def run(
    bench: Bench,
    author: Author,
    deals: Sequence[int],
    save: Path | None = None,
    step: Callable[[], None] = lambda: None,
) -> Report:
    """Let a program play these deals, in a different seat each time.

    Save lost matches as files in the folder `save`. A program that hangs or ends is not asked
    again, so its other matches are left out.
    """
    report = Report(author.name)
    with interrupting():
        try:
            for deal in deals:
                match = play(bench, author, deal, report)
                if save is not None and not report.shares[-1]:
                    keep(match, Seat(deal % bench.seats), save / f"{bench.game.slug}-{deal}.ndjson")
                step()
        except Hangs as error:
            report.note(error, deal, author.path)
            report.stopped = f"It did not answer within {bench.patience:g} seconds in deal {deal}."
        except HasEnded as error:
            report.stopped = f"{error} It was playing deal {deal}."
        except KeyboardInterrupt:
            report.stopped = "Stopped with Ctrl-C."
    return report


def play(bench: Bench, author: Author, deal: int, report: Report) -> UnsavedMatch:
    """Play one deal to its end, and add it to the report."""
    me, game = Seat(deal % bench.seats), bench.game
    match = sit(bench, author.name, deal)
    levels = [one.bot for one in match.match.players]
    heard: list[list[Any]] = [[] for _ in levels]
    talk, listener = Talk(game, levels, match.seed), Listener(match, me, deal)
    poll, passed = Luck(b"poll" + match.seed, 1), -1
    _hear(heard, match)
    while match.outcome is None:
        state = match.match.state
        talk.go_on(state, heard)
        seat = _next(game, state, me, passed, poll)
        if seat == me:
            answer = _answer(bench, author, listener, deal, report)
            if answer is None:
                passed = state.prompts[me]
                continue
            match.move(me, read_move(game, answer.packet(), match.table.names))
        elif seat is not None:
            offers, luck = (
                game.rules.offers(state, seat),
                bot_luck(match.seed, seat, state.prompts[seat]),
            )
            bot, view = game.bots.levels[levels[seat]], game.rules.view(state, seat)
            match.move(
                seat, bot(seat, view, offers, heard[seat], talk.heard_by(seat), luck), Act.By.BOT
            )
        else:
            report.unanswered += me in game.rules.awaited(state)
            match.lapse()
        _hear(heard, match)
        listener.hear()
        if len(match.log) > LONGEST:
            raise CannotContinue(f"deal {deal} does not end")
    author.end(listener.rest())
    _count(report, match, me)
    return match


def sit(bench: Bench, name: str, deal: int) -> UnsavedMatch:
    """Return the match with this deal, in which the program sits in a seat that rotates."""
    names = iter((*BOT_NAMES, *MORE_BOT_NAMES))
    sitters = [
        Sitter(name) if at == deal % bench.seats else Sitter(next(names) + BOT, bench.against)
        for at in range(bench.seats)
    ]
    secret = deal.to_bytes(32, "big")
    return UnsavedMatch(bench.game, bench.options, sitters, deal + 1, secret)


def keep(match: UnsavedMatch, me: Seat, path: Path) -> None:
    """Save a match as a file, with everybody's secrets. Its folder must exist."""
    snapshot, acts = match.match, [one.row() for one in match.log]
    lines = match_lines(snapshot.row, seats_of(snapshot.players, programs=(me,)), acts, "all")
    path.write_text("".join(lines), encoding="utf-8")


def difference(old: Sequence[float], new: Sequence[float]) -> tuple[float, float]:
    """Return by how much `new` wins more often in the same deals, and half of its 95 % interval."""
    apart = [b - a for a, b in zip(old, new, strict=False)]
    spread = stdev(apart) if len(apart) > 1 else 0.0
    return fmean(apart), 1.96 * spread / math.sqrt(len(apart))


def _next(game: AnyGame, state: Any, me: Seat, passed: int, poll: Luck) -> Seat | None:
    """Draw the seat that acts next from those with an open question, or None if there is none.

    As on a server, the program may also act if the match is not waiting for it.
    """
    rules, everybody = game.rules, all_seats(len(state.prompts))
    is_open = state.prompts[me] != passed and bool(rules.offers(state, me))
    awaited = rules.awaited(state) or [seat for seat in everybody if rules.offers(state, seat)]
    asked = [seat for seat in everybody if (is_open if seat == me else seat in awaited)]
    return poll.pick("who", asked) if asked else None


def _answer(bench: Bench, author: Author, listener: Listener, deal: int, report: Report) -> Answer:
    """Return the program's move, or a random one if it makes a mistake."""
    decision, packets = listener.ask()
    assert decision is not None
    begun = perf_counter()
    try:
        with limited(bench.patience):
            answer = author.answer(decision, packets)
    except HasEnded:
        raise
    except Exception as error:
        report.note(error, deal, author.path)
        answer = decision.random()
    report.tally.times.append(perf_counter() - begun)
    return answer


def _hear(heard: Sequence[list[Any]], match: UnsavedMatch) -> None:
    for one in match.log[-1].told:
        for seat in all_seats(len(heard)) if one.to is None else one.to:
            heard[seat].append(one.event)


def _count(report: Report, match: UnsavedMatch, me: Seat) -> None:
    assert match.outcome is not None
    winners = match.outcome.winners
    together = 1 if match.match.game.rules.sides else max(1, len(winners))
    share = (me in winners) / together
    report.shares.append(share)
    report.places[match.match.players[me].place or 0] += 1
    report.tally.add(Tally(matches=1, won=share, acts=len(match.log)))
