"""What happens next in a match, and when: the deadline, bots' answers and their claims."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from games.contract.core import Outcome
from games.contract.data import pack
from games.engine import pauses, shows, talk, timing
from games.engine.shows import Show
from games.engine.snapshots import MatchSnapshot
from games.models import Match


def schedule(
    match: MatchSnapshot,
    show: Show,
    asks: bool,
    patience: float | None,
    longer: float,
    now: datetime,
) -> None:
    """Set the deadline, plans and claims in the row of a match. The row must not be shared with
    other code yet.

    `show` says when the act that led to it has been shown. `asks` says whether the act asks a new
    question, with a time limit of `patience` seconds instead of the usual one. Otherwise the
    current deadline is extended by `longer` seconds.
    """
    row, game, state, players = match.row, match.game, match.state, match.players
    shown = show.awaited_from or now
    if asks:
        _start_clock(match, show.over, patience)
    elif row.deadline is not None:
        row.deadline += timedelta(seconds=longer)
    if timing.is_pause(game, state):
        here = shows.present(row.room_id)
        if pauses.waits_for_absent(game, state, players, here):
            row.deadline = shown
    go_on = pauses.go_on(match, show, now)
    row.talks = _claims(match, shown)
    if row.talks:
        said = datetime.fromtimestamp(talk.all_said(row.talks), tz=UTC)
        shown, go_on = max(shown, said), max(go_on, said)
    row.plans = timing.bot_plans(
        game, state, players, row.plans, shown, go_on, match.pace, match.seed
    )


def end(row: Match, outcome: Outcome, now: datetime) -> None:
    """Set the outcome in the row, and remove the deadline, plans and claims."""
    row.deadline, row.plans, row.talks = None, {}, {}
    row.outcome, row.ended_at = pack(outcome), now


def _start_clock(match: MatchSnapshot, asked_at: datetime, patience: float | None) -> None:
    row = match.row
    usual = None if row.lesson else timing.lasts(match.game, match.state, match.pace)
    seconds = patience or row.patience or usual
    row.asked_at = asked_at
    row.deadline = None if seconds is None else asked_at + timedelta(seconds=seconds)


def _claims(match: MatchSnapshot, shown: datetime) -> talk.Talks:
    game, state, before = match.game, match.state, match.row.talks
    if game.rules.claims is None:
        return {}
    if match.options.chat == "quiet_votes" and match.phase == "vote":
        return talk.held_back(before)
    return talk.plan(game, state, match.players, before, shown.timestamp(), match.pace, match.seed)
