"""Times at which pages show what happened, and at which the next answer is expected.

All open pages show the same beats at the same time. `Match.awaited_from` is the time when they end.
Then bots start thinking and the clock of a new question starts. A result stays visible until then.
Earlier answers are accepted. If neither a page nor a big screen shows the table (programs only),
nothing is shown or delayed.

The lengths of beats depend only on public events, the options and who is present, never on hidden
information.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from django.conf import settings

from games.contract.beats import Beat, Weight
from games.contract.core import Event, Options, Outcome, State, Told
from games.contract.game import AnyGame
from games.contract.words import _, ngettext
from games.engine import timing
from games.engine.memory import memory
from games.engine.snapshots import MatchSnapshot
from games.models import Member, Room

SECONDS: dict[Weight, float] = {"light": 0.6, "normal": 1.2, "heavy": 2.5}
PACE = {"relaxed": 1.5, "normal": 1.0, "fast": 0.5, "bullet": 0.2, timing.INSTANT: 0.0}
MOST = 5.0
"""Maximum seconds for all beats about the changes of an act, at normal pace. A drawing before them
(`Beat.stage`) has its own time, which does not depend on the result.
"""
CUT = 0.6
"""Minimum seconds of a drawing. Shorter ones are left out."""

Public = Iterable[tuple[Event, tuple[int, ...] | None]]
"""Events with their audiences. Only events for everybody become beats."""


@dataclass(frozen=True)
class Show:
    """Times at which pages have finished showing an act."""

    over: datetime
    """When the act's beats end. This is now if it has none."""
    awaited_from: datetime | None
    """When the last beat ends, or None if nothing is being shown."""
    waits: bool = False
    """Whether it ends earlier if every player with an open page has looked."""


def beats_of(
    game: AnyGame, options: Options, pace: str, told: Public, ended: Outcome | None
) -> tuple[Beat, ...]:
    """Return the beats of an act. `ended` is the outcome if the match ends with this act."""
    if not _factor(pace):
        return ()
    shown = shown_to_all(game, options, told)
    if _factor(pace) < 1:
        shown = tuple(map(_without_reading, shown))
    return (*shown, _ending(ended)) if ended else shown


def shown_to_all(game: AnyGame, options: Options, told: Public) -> tuple[Beat, ...]:
    """Return the beats of an act at any pace, without that of the end."""
    beats = game.telling.beats(options)
    return beats.act(tuple(one for event, to in told if to is None for one in beats.of(event)))


def _without_reading(beat: Beat) -> Beat:
    return replace(beat, reading=0.0, stage="") if beat.reading else beat


def lengths(beats: Sequence[Beat], pace: str) -> list[float]:
    """Return the durations in seconds of these beats of one act."""
    seconds = [beat.reading or SECONDS[beat.weight] * _factor(pace) for beat in beats]
    until = _drawn(beats)
    drawn, rest = seconds[:until], seconds[until:]
    most = MOST * _factor(pace)
    return drawn + [each * min(1.0, most / sum(rest)) for each in rest]


def held(beats: Sequence[Beat], pace: str) -> float:
    """Return how many seconds pages hold back the changes of an act with these beats."""
    seconds = sum(lengths(beats, pace)[: _drawn(beats)])
    return seconds if seconds >= CUT else 0.0


def _drawn(beats: Sequence[Beat]) -> int:
    """Return the number of beats up to the last one with an animation."""
    return max((at for at, beat in enumerate(beats, start=1) if beat.stage), default=0)


def least(game: AnyGame, state: State, pace: str) -> float:
    """Return the minimum seconds for which a result is shown, or 0 if this state has no result."""
    seconds: float = settings.RESULT_SECONDS
    return seconds * PACE.get(pace, 1.0) if timing.is_pause(game, state) else 0.0


def show(
    match: MatchSnapshot, told: Sequence[Told], ended: Outcome | None, asks: bool, now: datetime
) -> Show:
    """Schedule the beats of the act that led to this state, after those still being shown.

    The row holds the schedule before the act. `asks` says whether the act asks a new question or
    begins a result. The backlog is cut to the maximum length of one act.
    """
    row, game, pace = match.row, match.game, match.pace
    running = max(row.awaited_from or now, now)
    kept = running if running > now else None
    if row.patience is not None or not is_shown(row.room_id):
        return Show(now, None)
    public = ((one.event, one.to) for one in told)
    beats = beats_of(game, match.options, pace, public, ended)
    deals = row.version <= 1 and not row.lesson
    wait = game.rules.deal_wait * min(1.0, _factor(pace)) if deals else 0.0
    waits = bool(wait or any(beat.reading for beat in beats)) and _somebody_reads(match)
    seconds = sum(lengths(beats, pace))
    seconds += wait if waits else 0.0
    stands = max(seconds, least(game, match.state, pace) if asks else 0.0)
    if not stands:
        return Show(running, kept)
    most = MOST * _factor(pace) + held(beats, pace)
    latest = now + timedelta(seconds=max(0.0, most - stands))
    begins = min(running, latest)
    return Show(begins + timedelta(seconds=seconds), begins + timedelta(seconds=stands), waits)


def _somebody_reads(match: MatchSnapshot) -> bool:
    """Whether at least one human player has a page open."""
    return bool(timing.deal_unread(match.players, looking(match.row.room_id), ()))


def is_shown(room_id: int) -> bool:
    """Whether a page or a big screen shows the room."""
    return bool(list(looking(room_id))) or has_screen(room_id)


def has_screen(room_id: int) -> bool:
    """Whether a big screen shows the room."""
    if (room := memory.get(room_id)) is not None:
        return room.has_screen
    return Room.objects.filter(pk=room_id, screen_seen_at__isnull=False).exists()


def looking(room_id: int) -> Iterable[int | None]:
    """Return the user ids of everybody with an open page of the room: seated, out or watching."""
    if (room := memory.get(room_id)) is not None:
        return room.looking
    return looking_now(room_id)


def looking_now(room_id: int) -> Iterable[int | None]:
    """Like `looking`, but read from the database."""
    people = Member.objects.filter(
        room_id=room_id, left_at=None, bot="", away_since=None, at_page=True
    )
    return people.values_list("user_id", flat=True)


def present(room_id: int) -> Collection[int | None]:
    """Return the user ids of everybody connected to the room, with a page or a program."""
    if (room := memory.get(room_id)) is not None:
        return set(room.present)
    return present_now(room_id)


def present_now(room_id: int) -> Collection[int | None]:
    """Like `present`, but read from the database."""
    people = Member.objects.filter(room_id=room_id, left_at=None, bot="", away_since=None)
    return set(people.values_list("user_id", flat=True))


def _factor(pace: str) -> float:
    factor: float = settings.BEATS
    return factor * PACE.get(pace, 1.0)


def _ending(ended: Outcome) -> Beat:
    """Return the beat that names the winners, or says that nobody wins."""
    winners = ended.winners
    if not winners:
        return Beat(headline=_("Nobody wins"), weight="heavy")
    headline = ngettext("%(who)s wins", "%(who)s win", len(winners), who=winners)
    losers = (seat for group in ended.places for seat in group if seat not in winners)
    return Beat(
        headline=headline.to(winners, _("You win")),
        weight="heavy",
        sound="win",
        own=dict.fromkeys(losers, "loss"),
    )
