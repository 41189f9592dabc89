"""Runs the built-in bots in threads, within a time budget, and accepts only offered moves.

A bot that fails or takes too long makes a random move. Long searches run in another process and do
not block the clock (`games.runtime.searches`).
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Overrun
from dataclasses import dataclass, field
from functools import partial
from typing import TypeVar

from django.conf import settings

from games.contract.choices import is_offered, random_move
from games.contract.core import Claim, Decision, Event, Offer, Told, decision
from games.contract.data import Seat
from games.contract.luck import BotLuck, bot_luck, claim_luck
from games.engine import lessons, matches, timing
from games.engine.bounded_cache import BoundedCache
from games.engine.snapshots import MatchSnapshot, told_in
from games.engine.time_source import source
from games.engine.writer import Pending
from games.models import Act
from games.rooms import claims
from games.runtime.searches import HELD, Searches, Task

log = logging.getLogger(__name__)

T = TypeVar("T")

MOST_BYTES = 16 << 20
"""Maximum memory for events of matches that bots play in."""
_PER_CHARACTER = 4
BUDGET = 1.0
"""Seconds a bot may think."""


class Bots:
    """Runs all built-in bots. Calls `found` when a search has ended."""

    def __init__(self, found: Callable[[], None]) -> None:
        self._thinking = ThreadPoolExecutor(2, thread_name_prefix="bot")
        self.searches = Searches(found, source.monotonic)
        self._heard = _Heard()

    def stop(self) -> None:
        """Start no more bots. Do not wait for a bot that hangs."""
        self._thinking.shutdown(wait=False, cancel_futures=True)
        self.searches.stop()

    def move(self, match: MatchSnapshot, seat: Seat, prompt: int) -> Pending[int] | None:
        """Make a bot's move, or return None while its search is running."""
        question = (match.row.pk, seat, prompt)
        if match.pace != timing.INSTANT and _searches(match, seat):
            if not self.searches.has(question):
                self._search(match, seat, prompt)
            if not self.searches.is_done(question):
                return None
            found = self.searches.take(question)
            if found is not None and is_offered(
                match.game.rules.offers(match.state, seat), found.move
            ):
                return matches.bot_move(match.row.pk, seat, prompt, *found)
        return matches.bot_move(match.row.pk, seat, prompt, *self._think(match, seat))

    def _search(self, match: MatchSnapshot, seat: Seat, prompt: int) -> None:
        """Start a search for a bot's move.

        The move it finds is held back, so that the search time reveals nothing.
        """
        heard, versions = self._heard.by(match, seat)
        task = Task(
            match.game.slug,
            match.players[seat].bot,
            seat,
            match.game.rules.view(match.state, seat),
            match.game.rules.offers(match.state, seat),
            heard,
            claims.made_in(match, versions),
            match.seed,
            prompt,
        )
        held = min(HELD, settings.BOT_DELAY[1])
        self.searches.begin((match.row.pk, seat, prompt), task, held)

    def _think(self, match: MatchSnapshot, seat: Seat) -> Decision:
        """Return a bot's move, or a random one if the bot fails, is too slow or breaks the rules.

        Levels that search play like `normal` here, because the move needs no search, the search has
        failed, or the pace is instant.
        """
        if (line := lessons.line_of(match, seat)) is not None:
            return Decision(line)
        game, level = match.game, match.players[seat].bot
        level = "normal" if level in game.bots.searching else level
        luck = partial(bot_luck, match.seed, seat, match.state.prompts[seat])
        offers = game.rules.offers(match.state, seat)
        decide = partial(decision, game.bots.levels.get(level, game.bots.levels["random"]))
        made = self._thought(match, seat, decide, offers, luck())
        if made is not None and is_offered(offers, made.move):
            return made
        if made is not None:
            log.error("bot %s of %s chose an illegal move: %r", level, game.slug, made.move)
        # A bot that takes too long may still be drawing from its own luck.
        return Decision(random_move(game.rules.moves, offers, luck()))

    def claim(self, match: MatchSnapshot, key: str) -> Pending[None]:
        """Make a bot's claim, if the bot decides to make one. A bot that fails stays silent."""
        game, claim = match.game, claims.planned(match, key)
        values: tuple[str, ...] | None = None
        if claim is not None:
            seat, on_offer = claim
            say = game.bots.talks[match.players[seat].bot]
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
        """Return a bot's decision, based only on what its seat may know.

        Return None if the bot fails.
        """
        view, (heard, versions) = (
            match.game.rules.view(match.state, seat),
            self._heard.by(match, seat),
        )
        said = claims.made_in(match, versions)
        thought = self._thinking.submit(decide, seat, view, among, heard, said, luck)
        try:
            return thought.result(BUDGET)
        except Overrun:
            log.warning("bot %s of %s took too long", match.players[seat].bot, match.game.slug)
        except Exception:
            log.exception("bot %s of %s failed", match.players[seat].bot, match.game.slug)
        return None


def _searches(match: MatchSnapshot, seat: Seat) -> bool:
    """Whether this decision needs a long search. It depends only on what the bot's seat sees."""
    searches = match.game.bots.searching.get(match.players[seat].bot)
    return searches is not None and searches(match.game.rules.view(match.state, seat))


@dataclass
class _Log:
    """All events of a match up to a version, with their audiences."""

    version: int = 0
    told: list[tuple[int, Told]] = field(default_factory=list)
    size: int = 1_000


class _Heard:
    """Cache of the events of matches. Only acts that are not cached yet are read from the log."""

    def __init__(self) -> None:
        self._of: BoundedCache[int, _Log] = BoundedCache(MOST_BYTES, lambda log: log.size)

    def by(self, match: MatchSnapshot, seat: Seat) -> tuple[list[Event], list[int]]:
        """Return all events told to this seat, and for each event the version of its act."""
        log = self._of.get(match.row.pk)
        if log is None or log.version > match.row.version:
            log = _Log()
        acts = Act.objects.filter(
            match=match.row, number__gt=log.version, number__lte=match.row.version
        )
        for act in acts.order_by("number"):
            log.told += [(act.number, entry) for entry in told_in(match.game, act.told)]
            log.size += _PER_CHARACTER * len(repr(act.told))
        log.version = match.row.version
        self._of.put(match.row.pk, log)
        own = [(one.event, at) for at, one in log.told if one.to is None or seat in one.to]
        return [event for event, _at in own], [at for _event, at in own]
