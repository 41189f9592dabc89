"""How long what has happened is shown, and from when on somebody is expected to answer.

Everybody who looks is shown the same beats at the same time. `Match.awaited_from` says when they
are over: bots think from then on, a new question has its whole time from then on, and a result
stands until then. Nobody has to wait: who answers earlier is heard. Where nobody looks (programs
alone), nothing is shown, and nothing waits.

Lengths depend on what everybody is told, the options and who is here; on nothing hidden.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings

from games.contract.beats import Beat, Weight
from games.contract.core import Event, Options, Outcome, State, Told
from games.contract.game import AnyGame
from games.contract.words import _, ngettext
from games.engine import dealing, timing
from games.engine.memory import memory
from games.models import Match, Member

SECONDS: dict[Weight, float] = {"light": 0.6, "normal": 1.2, "heavy": 2.5}
PACE = {"relaxed": 1.5, "normal": 1.0, "fast": 0.5, "bullet": 0.2, timing.INSTANT: 0.0}
MOST = 5.0
"""Maximum seconds for the beats that tell what an act has changed, at normal pace. They share them.
A drawing before them (`Beat.stage`) has its own time, the same however the act comes out."""
CUT = 0.6
"""Drawings that would last less than these seconds are left out."""

Public = Iterable[tuple[Event, tuple[int, ...] | None]]
"""Events with their audiences; those that are not for all are no beats."""


@dataclass(frozen=True)
class Show:
    """What an act has to show, in time."""

    over: datetime
    """When its beats are over, or now."""
    awaited_from: datetime | None
    """Until when there is something to look at; None: there is nothing."""


def beats_of(
    game: AnyGame, options: Options, pace: str, told: Public, ended: Outcome | None
) -> tuple[Beat, ...]:
    """The beats of an act; `ended`: the match ends with it."""
    if not _factor(pace):
        return ()
    beats = game.telling.beats(options)
    shown = beats.act(tuple(one for event, to in told if to is None for one in beats.of(event)))
    return (*shown, _ending(ended)) if ended else shown


def lengths(beats: Sequence[Beat], pace: str) -> list[float]:
    """Seconds of each of these beats of one act."""
    seconds = [SECONDS[beat.weight] * _factor(pace) for beat in beats]
    until = _drawn(beats)
    drawn, rest = seconds[:until], seconds[until:]
    most = MOST * _factor(pace)
    return drawn + [each * min(1.0, most / sum(rest)) for each in rest]


def held(beats: Sequence[Beat], pace: str) -> float:
    """Seconds for which pages show nothing of what the act with these beats has changed."""
    seconds = sum(lengths(beats, pace)[: _drawn(beats)])
    return seconds if seconds >= CUT else 0.0


def _drawn(beats: Sequence[Beat]) -> int:
    """How many of these beats are shown up to the end of the last drawing."""
    return max((at for at, beat in enumerate(beats, start=1) if beat.stage), default=0)


def least(game: AnyGame, state: State, pace: str) -> float:
    """Seconds that a result stands at least, where this state shows one."""
    seconds: float = settings.RESULT_SECONDS
    return seconds * PACE.get(pace, 1.0) if timing.is_pause(game, state) else 0.0


def deal_wait(game: AnyGame, pace: str) -> float:
    """Seconds at most for people to look at what they were dealt."""
    return game.rules.deal_wait * min(1.0, _factor(pace))


def show(
    row: Match,
    game: AnyGame,
    options: Options,
    pace: str,
    state: State,
    told: Sequence[Told],
    ended: Outcome | None,
    asks: bool,
    now: datetime,
) -> Show:
    """What an act that has led to this state has to show, after what is still being shown.

    `row` knows that as it was; `asks`: a new question is put, or a result begins. A backlog is
    never longer than one act may be: what is older is cut.
    """
    running = max(row.awaited_from or now, now)
    kept = running if running > now else None
    if row.patience is not None or not list(looking(row.room_id)):
        return Show(now, None)
    public = ((one.event, one.to) for one in told)
    beats = beats_of(game, options, pace, public, ended)
    seconds = sum(lengths(beats, pace))
    if dealing.is_on(row):
        seconds += deal_wait(game, pace)
    stands = max(seconds, least(game, state, pace) if asks else 0.0)
    if not stands:
        return Show(running, kept)
    most = MOST * _factor(pace) + held(beats, pace)
    latest = now + timedelta(seconds=max(0.0, most - stands))
    begins = min(running, latest)
    return Show(begins + timedelta(seconds=seconds), begins + timedelta(seconds=stands))


def looking(room_id: int) -> Iterable[int | None]:
    """Who has a page of the room open: seated, out or watching."""
    if (room := memory.get(room_id)) is not None:
        return room.looking
    return looking_now(room_id)


def looking_now(room_id: int) -> Iterable[int | None]:
    """The same, read where it may just have changed."""
    people = Member.objects.filter(
        room_id=room_id, left_at=None, bot="", away_since=None, at_page=True
    )
    return people.values_list("user_id", flat=True)


def present(room_id: int) -> Collection[int | None]:
    """Who is connected to the room, by a page or as a program."""
    if (room := memory.get(room_id)) is not None:
        return set(room.present)
    return present_now(room_id)


def present_now(room_id: int) -> Collection[int | None]:
    """The same, read where it may just have changed."""
    people = Member.objects.filter(room_id=room_id, left_at=None, bot="", away_since=None)
    return set(people.values_list("user_id", flat=True))


def _factor(pace: str) -> float:
    factor: float = settings.BEATS
    return factor * PACE.get(pace, 1.0)


def _ending(ended: Outcome) -> Beat:
    """Who has won, said to who has."""
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
