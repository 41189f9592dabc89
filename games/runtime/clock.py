"""The clock: a thread that wakes matches when a bot or a deadline is due, and cleans up rooms.

Any number of processes may run one. It finds what is due, and the commands look again: a wake that
comes twice, or late, changes nothing.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as Overrun
from contextlib import suppress
from functools import partial
from typing import TypeVar

from django.conf import settings
from django.db import DatabaseError, close_old_connections, connection
from django.db.models import QuerySet

from games import rooms
from games.engine import figures, lessons, matches, notifications, talk, timing
from games.engine.log_ids import about
from games.engine.memory import memory
from games.engine.snapshots import MatchSnapshot, Parked, load_snapshot, told_in
from games.engine.storage import storage
from games.engine.time_source import source
from games.engine.writer import Pending
from games.models import Act, Match, Room
from games.people import retention
from games.rooms import claims, nudging, votes
from games.rooms.cleanup import Cleanup
from games.rules.choices import is_offered, random_move
from games.rules.core import Claim, Decision, Event, Ignored, Offer, Refused, Told, decision
from games.rules.data import Seat
from games.rules.luck import BotLuck, bot_luck, claim_luck
from games.runtime.heartbeat import HeartbeatThread
from games.runtime.searches import HELD, Searches, Task
from games.runtime.turn_calls import TurnCalls

log = logging.getLogger(__name__)

T = TypeVar("T")

TICK = 1.0
CLEANUP_EVERY = 5.0
PRUNE_ASKED_EVERY = 3600.0
NUDGE_EVERY = 60.0
BUDGET = 1.0
AT_ONCE = 10
"""So many bots of one match move together at most where it is skipped ahead."""
PARKED_FOR = 10.0
"""So many seconds a match that cannot be read is left alone before it is tried again."""
FAR_AWAY = float("inf")
"""When the clock looks again while it is looking: what falls due meanwhile may be overlooked."""


class Clock:
    """Runs until stopped. `poke` makes it look at once."""

    def __init__(self) -> None:
        self._wake = threading.Event()
        self._stopped = threading.Event()
        self._thinking = ThreadPoolExecutor(2, thread_name_prefix="bot")
        self._searches = Searches(self._wake.set, source.monotonic)
        self._retention = ThreadPoolExecutor(1, thread_name_prefix="prune")
        self._pruned: float | None = None
        self._nudged: float | None = None
        self._prune_job: Future[None] | None = None
        self._thread = threading.Thread(target=self._run, name="clock", daemon=True)
        self._cleaned_up = self._voted = source.monotonic()
        self._looks_at = FAR_AWAY
        self._cleanup, self._heartbeat = Cleanup(), HeartbeatThread()
        self._calls = TurnCalls()
        self._heard = _Heard()
        self._parked = _Parked()

    def start(self) -> None:
        notifications.subscribe(self._on_notification)
        self._heartbeat.start()
        self._thread.start()

    def halt(self) -> None:
        """Begin nothing more; what has begun may go on for a moment."""
        notifications.unsubscribe(self._on_notification)
        self._stopped.set()
        self._wake.set()

    def stop(self) -> None:
        """Halts and waits a while for what has begun. A bot that hangs is left behind."""
        self.halt()
        self._thread.join(timeout=5)
        self._heartbeat.stop()
        self._thinking.shutdown(wait=False, cancel_futures=True)
        self._searches.stop()
        self._retention.shutdown(wait=False, cancel_futures=True)
        self._calls.stop()
        wait([self._prune_job] if self._prune_job else [], timeout=5)

    def _on_notification(self, room_id: int) -> None:
        """Look again, unless it is known that nothing falls due there before the next look."""
        room = memory.get(room_id)
        due = room.match.row.wake_at if room is not None and room.match is not None else None
        if room is None or (due is not None and due.timestamp() < self._looks_at):
            self._wake.set()

    def _run(self) -> None:
        while not self._stopped.is_set():
            self._wake.clear()
            close_old_connections()
            if not self._heartbeat.is_current():  # what fell due meanwhile is not put off yet
                self._stopped.wait(TICK / 20)
                continue
            _guarded(self._tick)
            soon = _guarded(self._until_next) or TICK
            self._looks_at = source.judged().timestamp() + soon
            self._wake.wait(TICK if storage.fault else soon)
            self._looks_at = FAR_AWAY
        connection.close()

    def _tick(self) -> None:
        now = source.judged()
        due = self._waiting().filter(wake_at__lte=now)
        for match_id in due.values_list("pk", flat=True)[:200]:
            if self._stopped.is_set():
                return
            with about(match=match_id):
                _guarded(lambda match_id=match_id: self._look_at(match_id))  # type: ignore[misc]
        if self._heartbeat.leads:
            self._end_votes()
            self._keep_house()

    def _end_votes(self) -> None:
        """Votes whose time is over are ended within a tick."""
        now = source.monotonic()
        if now - self._voted < TICK / 2:
            return
        self._voted = now
        if Room.objects.filter(vote_until__lte=source.now()).exists():
            votes.end_votes().result()

    def _keep_house(self) -> None:
        """What one process does for all."""
        now = source.monotonic()
        if now - self._cleaned_up >= CLEANUP_EVERY:
            self._cleaned_up = now
            self._cleanup.run(stopped=self._stopped.is_set)
            if settings.PUSH_PRIVATE_KEY:
                _guarded(self._calls.run)
        if self._pruned is None or now - self._pruned >= PRUNE_ASKED_EVERY:
            self._pruned = now
            self._prune_job = self._retention.submit(_prune)
        if self._nudged is None or now - self._nudged >= NUDGE_EVERY:
            self._nudged = now
            for match_id in nudging.deserted():
                _guarded(nudging.nudge_by_house(match_id).result)

    def _look_at(self, match_id: int) -> None:
        """Let those act who are due; a match whose rules fail is stopped, and hurts no other."""
        try:
            self._wake_up(load_snapshot(match_id))
            self._parked.goes_on(match_id)
        except Parked as parked:
            self._parked.put(match_id, parked)
        except (Ignored, Refused):
            return
        except DatabaseError:
            raise
        except Exception:
            if self._stopped.is_set():  # nobody thinks for its bots any more: no fault of its own
                return
            log.exception("match %s cannot go on", match_id)
            matches.give_up(match_id).result()

    def _wake_up(self, match: MatchSnapshot) -> None:
        now = source.judged()
        if match.row.wake_at is not None:
            figures.wake_seconds.observe(max(0.0, (now - match.row.wake_at).total_seconds()))
        if due := talk.due_by(match.row.talks, now.timestamp()):
            with suppress(Ignored):
                self._claim(match, due[0]).result()
            return
        if due_moves := _due(match, now.timestamp()):
            for move in [self._bot_move(match, *one) for one in due_moves]:
                with suppress(Ignored):
                    if move is not None:
                        move.result()
            return
        if match.row.deadline is not None and match.row.deadline <= now:
            rooms.time_is_up(match.row.pk, match.state.clock).result()

    def _bot_move(self, match: MatchSnapshot, seat: Seat, prompt: int) -> Pending[int] | None:
        """A bot's move is made; None while it is still searched for."""
        question = (match.row.pk, seat, prompt)
        if match.pace != timing.INSTANT and _searches(match, seat):
            if not self._searches.has(question):
                self._search(match, seat, prompt)
            if not self._searches.is_done(question):
                return None
            found = self._searches.take(question)
            if found is not None and is_offered(match.game.offers(match.state, seat), found.move):
                return matches.bot_move(match.row.pk, seat, prompt, *found)
        return matches.bot_move(match.row.pk, seat, prompt, *self._think(match, seat))

    def _search(self, match: MatchSnapshot, seat: Seat, prompt: int) -> None:
        """Have a move searched for, which is held for the same time whatever it takes."""
        heard, versions = self._heard.by(match, seat)
        task = Task(
            match.game.slug,
            match.players[seat].bot,
            seat,
            match.game.view(match.state, seat),
            match.game.offers(match.state, seat),
            heard,
            claims.made_in(match, versions),
            match.seed,
            prompt,
        )
        held = min(HELD, settings.BOT_DELAY[1])
        self._searches.begin((match.row.pk, seat, prompt), task, held)

    def _think(self, match: MatchSnapshot, seat: Seat) -> Decision:
        """A bot's move within its budget; when it fails, exceeds its budget or cheats, a random
        one. One that searches is `normal` here: it was asked elsewhere, or is in a hurry."""
        if (line := lessons.line_of(match, seat)) is not None:
            return Decision(line)
        game, level = match.game, match.players[seat].bot
        level = "normal" if level in game.searching else level
        luck = bot_luck(match.seed, seat, match.state.prompts[seat])
        offers = game.offers(match.state, seat)
        decide = partial(decision, game.bots.get(level, game.bots["random"]))
        made = self._thought(match, seat, decide, offers, luck)
        if made is not None and is_offered(offers, made.move):
            return made
        if made is not None:
            log.error("bot %s of %s wanted what it may not: %r", level, game.slug, made.move)
        return Decision(random_move(game.moves, offers, luck))

    def _claim(self, match: MatchSnapshot, key: str) -> Pending[None]:
        """What a bot claims, if anything, within its budget; when it fails it stays silent."""
        game, claim = match.game, claims.planned(match, key)
        values: tuple[str, ...] | None = None
        if claim is not None:
            seat, on_offer = claim
            say = game.talks[match.players[seat].bot]
            luck = claim_luck(match.seed, seat, on_offer.kind, on_offer.about)
            said = self._thought(match, seat, say, (on_offer,), luck)
            if said is not None and said.kind == on_offer.kind and on_offer.allows(said.values):
                values = said.values
        return claims.bot_claim(match.row.pk, key, values)

    def _thought(
        self,
        match: MatchSnapshot,
        seat: Seat,
        decide: Callable[..., T],
        among: Sequence[Offer] | Sequence[Claim],
        luck: BotLuck,
    ) -> T | None:
        """What a bot decides, from what its seat sees, hears and is told; None where it fails."""
        view, (heard, versions) = match.game.view(match.state, seat), self._heard.by(match, seat)
        said = claims.made_in(match, versions)
        thought = self._thinking.submit(decide, seat, view, among, heard, said, luck)
        try:
            return thought.result(BUDGET)
        except Overrun:
            log.warning("bot %s of %s took too long", match.players[seat].bot, match.game.slug)
        except Exception:
            log.exception("bot %s of %s failed", match.players[seat].bot, match.game.slug)
        return None

    def _waiting(self) -> QuerySet[Match]:
        """Everything that falls due some time, the first on top."""
        return (
            Match.objects.exclude(wake_at=None)
            .exclude(pk__in=[*self._parked.now(), *self._searches.busy()])
            .order_by("wake_at")
        )

    def _until_next(self) -> float:
        """Seconds until something is due, at most a tick."""
        next_due = self._waiting().values_list("wake_at", flat=True).first()
        soonest = min(TICK, self._searches.soonest())
        if next_due is None:
            return soonest
        return min(soonest, max(0.001, (next_due - source.judged()).total_seconds()))


def _searches(match: MatchSnapshot, seat: Seat) -> bool:
    """Whether this bot computes for long now; it depends on what its seat sees alone."""
    searches = match.game.searching.get(match.players[seat].bot)
    return searches is not None and searches(match.game.view(match.state, seat))


def _due(match: MatchSnapshot, now: float) -> list[tuple[Seat, int]]:
    """The bots that are to answer now, with their prompts: one after the other. Where nobody waits
    for the pleasure of watching, several at once, which are written and shown together."""
    plans = sorted(match.row.plans.items(), key=lambda item: item[1][1])
    due = [(Seat(int(key)), int(prompt)) for key, (prompt, at) in plans if at <= now]
    return due[: AT_ONCE if match.pace == timing.INSTANT else 1]


class _Parked:
    """Matches that this code cannot read: left alone for a while, then tried again."""

    def __init__(self) -> None:
        self._until: dict[int, float] = {}

    def now(self) -> list[int]:
        """Those to be left alone."""
        now = source.monotonic()
        return [match_id for match_id, until in self._until.items() if until > now]

    def put(self, match_id: int, parked: Parked) -> None:
        """Leave a match alone; say so once, also to anyone who looks at its table."""
        if match_id not in self._until:
            why = parked.__cause__ or parked
            log.error("match %s is parked: it cannot be read here (%r)", match_id, why)
            _show_anew(match_id)
        self._until[match_id] = source.monotonic() + PARKED_FOR

    def goes_on(self, match_id: int) -> None:
        """It could be read: anyone who looks at its table sees it again."""
        if self._until.pop(match_id, None) is not None:
            log.info("match %s goes on", match_id)
            _show_anew(match_id)


def _show_anew(match_id: int) -> None:
    """Anyone who looks at the table of a match is shown it as it is now."""
    notifications.notify_room_changed(
        Match.objects.values_list("room_id", flat=True).get(pk=match_id)
    )


class _Heard:
    """What each seat was told so far; only what is new is read from the log."""

    def __init__(self) -> None:
        self._of: dict[int, tuple[int, list[tuple[int, Told]]]] = {}

    def by(self, match: MatchSnapshot, seat: Seat) -> tuple[list[Event], list[int]]:
        """Every event this seat was told, and the version each is from."""
        if len(self._of) > 200:
            self._of.clear()
        version, told = self._of.get(match.row.pk, (0, []))
        if version > match.row.version:
            version, told = 0, []
        acts = Act.objects.filter(
            match=match.row, number__gt=version, number__lte=match.row.version
        )
        for act in acts.order_by("number"):
            told += [(act.number, entry) for entry in told_in(match.game, act.told)]
        self._of[match.row.pk] = (match.row.version, told)
        own = [(one.event, at) for at, one in told if one.to is None or seat in one.to]
        return [event for event, _at in own], [at for _event, at in own]


def _prune() -> None:
    """Once a day, beside the clock: it takes as long as it takes."""
    try:
        retention.daily()
    except Refused:
        log.warning("what is not kept is removed later: the storage is busy")
    except Exception:
        log.exception("what is not kept could not be removed")
    finally:
        connection.close()


def _guarded(step: Callable[[], float | None]) -> float | None:
    """The clock goes on whatever happens."""
    try:
        return step()
    except Refused:  # the writer is busy, and has said why
        return None
    except Exception:
        log.exception("the clock stumbled")
        return None
