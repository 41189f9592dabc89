"""Time limits of questions, and the times at which bots answer. Times are in seconds.

Nothing here depends on hidden information, so delays reveal nothing about a hand.

Players get time to look at what was dealt, before pages show the first question, and to read what
an animation shows (`Beat.reading`). It ends when everybody with an open page has looked, or after
`Rules.deal_wait` or the animation, whichever comes first. Bots, programs and players who are away
count as having looked. Programs only see a later deadline. `Match.dealt` stores who has looked, so
that a restart does not lose it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from math import inf
from typing import Any

from django.conf import settings

from games.contract.core import State
from games.contract.data import Seat
from games.contract.game import AnyGame
from games.contract.luck import share_of_delay
from games.models import Match, Player

INSTANT = "instant"
"""The pace of a match that was skipped ahead because only bots are still in.

Nothing is shown, and bots answer at once. It is not an option of tables.
"""
NO_CLOCK = "none"
"""The pace without a turn clock.

It is an option of every game. It is also the pace of the first matches that a newcomer plays alone
with bots.
"""
PACE = {"relaxed": 3.0, "normal": 1.0, "fast": 0.5, "bullet": 0.1, INSTANT: 0.0}
BY_POST = {"day": 24 * 3600.0, "days": 3 * 24 * 3600.0}
"""Paces of correspondence games: seconds for each question of any kind."""
LEAST = 2.0
SPARE = 0.5
"""Minimum seconds between the answer of a bot and the deadline."""
NUDGE = 60.0
GRACE = 20.0
LATE = timedelta(seconds=5)
"""Maximum delay in handling a deadline.

After a longer delay, no process was running, so the question is extended.
"""

Plans = dict[str, list[float]]
"""For each seat: the bot's prompt, and when the bot answers (seconds since the epoch)."""


def is_pause(game: AnyGame, state: State) -> bool:
    """Whether the state is a display pause, without a question (docs/rules/conventions.md C1)."""
    return not game.rules.awaited(state) and game.rules.patience(state) is not None


def lasts(game: AnyGame, state: State, pace: str) -> float | None:
    """Return the time limit in seconds for this question.

    Return None if it has no clock, or if the match is over.
    """
    patience = game.rules.patience(state)
    if patience is None:
        return None
    if pace in BY_POST and not is_pause(game, state):
        return BY_POST[pace]
    factor = PACE.get(pace, 1.0 if is_pause(game, state) else None)
    if pace == INSTANT:  # the clock lets bots answer first (`games.runtime.clock`)
        return 0.0
    if game.rules.unpaced(state):
        factor = 1.0
    return None if factor is None else max(LEAST, patience * factor)


def alone(players: Iterable[Player]) -> bool:
    """Whether exactly one human plays, and all other players are bots."""
    return sum(player.user_id is not None for player in players) == 1


def bot_plans(
    game: AnyGame,
    state: State,
    players: Sequence[Player],
    before: Mapping[str, Sequence[float]],
    shown: datetime,
    go_on: datetime,
    pace: str,
    seed: bytes,
    deadline: datetime | None = None,
) -> Plans:
    """Schedule the answer of each bot that must answer.

    Existing plans are kept, but those before `shown` are postponed to it. Bots start thinking at
    `shown`, when all events have been shown, and end a display pause at `go_on`. However slow they
    are, they answer before the deadline.
    """
    awaited = game.rules.awaited(state)
    latest = inf if deadline is None else deadline.timestamp() - SPARE
    plans: Plans = {}
    for player in players:
        seat = Seat(player.seat)
        pause = not awaited and bool(game.rules.offers(state, seat)) if player.bot else False
        if not player.bot or not (pause or seat in awaited):
            continue
        prompt = state.prompts[seat]
        planned = before.get(str(seat))
        known = planned[1] if planned is not None and planned[0] == prompt else None
        if pause:
            due = min(go_on.timestamp(), go_on.timestamp() if known is None else known)
        elif known is not None:
            due = min(latest, max(known, shown.timestamp()))
        else:
            share = share_of_delay(seed, seat, prompt.to_bytes(4, "big"))
            due = min(latest, shown.timestamp() + delay(share, pace))
        plans[str(seat)] = [prompt, due]
    return plans


def read_plans(stored: Any) -> Plans:
    """Decode the stored plans of a match.

    Raise AttributeError, TypeError or ValueError if they are damaged.
    """
    return {str(int(seat)): [int(prompt), float(due)] for seat, (prompt, due) in stored.items()}


def wake_at(row: Match) -> datetime | None:
    """Return when the clock must handle the match next, or None if it need not.

    This is when a bot first moves or makes a claim, at the deadline, or when the time for looking
    at what was dealt ends, whichever comes first.
    """
    times = [due for _, due in row.plans.values()]
    times += [due for due in row.talks.values() if due is not None]
    if row.deadline is not None:
        times.append(row.deadline.timestamp())
    if deal_is_on(row):
        times.append(deal_ends(row).timestamp())
    return datetime.fromtimestamp(min(times), tz=UTC) if times else None


def deal_is_on(row: Match) -> bool:
    """Whether players still have time to look at what they were dealt. The first act after the deal
    ends that time.
    """
    return row.dealt is not None and row.version == 1 and row.ended_at is None


def waits_for_looks(row: Match, now: datetime) -> bool:
    """Whether players still have time to look, and have not all done so."""
    is_on = row.dealt is not None and row.ended_at is None
    return is_on and row.awaited_from is not None and row.awaited_from > now


def deal_seen(row: Match) -> frozenset[int]:
    """Return the seats that have confirmed that they have looked."""
    return frozenset(row.dealt or ())


def deal_ends(row: Match) -> datetime:
    """Return the latest time at which the first question is shown."""
    return row.awaited_from or row.started_at


def deal_unread(
    players: Sequence[Player], looking: Iterable[int | None], seen: Collection[int]
) -> list[int]:
    """Return the seats of human players with an open page who have not yet looked."""
    here = set(looking)
    waits = (p for p in players if not p.bot and not p.gone and p.user_id in here)
    return [player.seat for player in waits if player.seat not in seen]


def delay(share: float, pace: str) -> float:
    """Return a human-like delay in seconds, within the setting BOT_DELAY.

    `share` (0 to 1) comes from the bot's own random numbers, never from hidden information.
    """
    least, most = settings.BOT_DELAY
    return 0.0 if pace == INSTANT else least + share * (most - least)
