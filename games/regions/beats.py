"""What has just happened, beat by beat, and what stands beside each seat of it.

When each beat is shown is told as a moment, so that a page that is late shows what is shown then
to everybody, and nothing of what is over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

from games.engine import shows
from games.engine.snapshots import MatchSnapshot
from games.engine.told import ToldAct
from games.language.sentences import say
from games.rules.beats import Beat
from games.rules.data import Seat, Viewer
from games.rules.words import Text
from games.tables.table import Json, Table


def part(table: Table, acts: Sequence[ToldAct], seat: Viewer) -> Json:
    """The beats of these acts as this viewer is told them."""
    match = table.match
    if match is None or match.row.awaited_from is None:
        return {"beats": []}
    found: list[tuple[datetime, float, Beat]] = []
    ends = match.row.awaited_from
    for act in reversed(acts):
        beats = list(_timed(match, act, ends))
        ends = beats[0][0] if beats else ends
        found[:0] = beats
    return {"beats": [_beat(table, seat, *one) for one in found]}


def _timed(
    match: MatchSnapshot, act: ToldAct, ends: datetime
) -> Iterator[tuple[datetime, float, Beat]]:
    """The beats of an act that has been shown by `ends`: from when on, and how long."""
    newest = act.version == match.row.version
    ended = match.game.outcome(match.state) if newest and match.over else None
    told = ((event, to) for _, to, event in act.told)
    beats = shows.beats_of(match.game, match.options, match.pace, told, ended)
    seconds = shows.lengths(beats, match.pace)
    if newest and beats:
        rest = shows.least(match.game, match.state, match.pace) - sum(seconds)
        seconds[-1] += max(0.0, rest)
    begins = ends - timedelta(seconds=sum(seconds))
    for beat, lasts in zip(beats, seconds, strict=True):
        yield begins, lasts, beat
        begins += timedelta(seconds=lasts)


def _beat(table: Table, reader: Viewer, begins: datetime, lasts: float, beat: Beat) -> Json:
    return {
        "text": say(beat.headline, table.spoken_names, reader=reader),
        "from": round(begins.timestamp() * 1000),
        "ms": round(lasts * 1000),
        "matters": beat.weight != "light",
        "sound": beat.sound if reader is None else beat.own.get(reader, beat.sound),
        "seat": beat.seat,
    }


def bubbles(table: Table) -> Mapping[str, str]:
    """What each seat has said or done in public, by name, until it does something else."""
    match = table.match
    if match is None or not table.playing:
        return {}
    said: dict[Seat, Text] = {}
    beats = match.game.beats(match.options)
    for act in table.recent:
        for _, to, event in act.told:
            new = beats.bubbles(event) if to is None else None
            if new is not None:
                said = {**({} if new.fresh else said), **new.said}
    return {table.names[seat]: say(text, table.spoken_names) for seat, text in said.items()}
