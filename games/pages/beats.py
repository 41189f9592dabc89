"""Beats that show what has just happened, and the bubbles beside seats.

Each beat starts at a fixed time. A late page skips the beats that are over.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import NamedTuple

from games.contract.beats import Beat, Beats, Flight, Mood
from games.contract.data import Seat, Viewer
from games.contract.words import Text
from games.engine import shows, time_source
from games.engine.snapshots import MatchSnapshot
from games.engine.told import ToldAct
from games.pages.players import drawn_view, facts_by_name
from games.pages.region import Region
from games.pages.viewpoint import Viewpoint
from games.tables.sentences import concerned, gist, say
from games.tables.table import Json, Table, per_table

Acts = tuple[ToldAct, ...]


class Timed(NamedTuple):
    """A beat, with its start and its duration in seconds."""

    begins: datetime
    lasts: float
    beat: Beat


class Shown(NamedTuple):
    """The beats of some acts, and the time at which pages may show the result."""

    beats: list[Timed]
    apart: frozenset[Seat]
    """Seats with a separate text or sound."""
    told: datetime | None
    """When pages may show the changes of the newest act. None means at once."""


def beats_region(table: Table, acts: Sequence[ToldAct], viewpoint: Viewpoint) -> Region:
    """Return the beats of these acts for this viewer.

    Viewers without a text of their own share one region.
    """
    acts = tuple(acts)
    seat = viewpoint.seat if viewpoint.seat in _shown(table, acts).apart else None
    return _region(table, acts, seat, viewpoint.language)


@per_table
def _region(table: Table, acts: Acts, seat: Viewer, language: str) -> Region:
    shown = _shown(table, acts)
    beats = [_beat(table, language, seat, one) for one in shown.beats]
    drawings = [beat for beat in beats if beat["stage"]]
    if shown.told is None or not drawings:
        return Region("beats", "beat", {"beats": beats, "told": None})
    told = round(shown.told.timestamp() * 1000)
    pieces = {"moment": _moment(table, acts[-1], drawings, language)}
    return Region("beats", "beat", {"beats": beats, "told": told}, pieces=pieces)


@per_table
def _shown(table: Table, acts: Acts) -> Shown:
    match = table.match
    if match is None or match.row.awaited_from is None or not acts:
        return Shown([], frozenset(), None)
    timed = _of_acts(match, acts, match.row.awaited_from)
    beats = [one.beat for one in timed]
    apart = frozenset().union(
        *(beat.own for beat in beats),
        *(concerned(text) for beat in beats for text in (beat.headline, beat.beside) if text),
    )
    return Shown(timed, apart, _told(match, acts[-1], match.row.awaited_from))


def _told(match: MatchSnapshot, act: ToldAct, ends: datetime) -> datetime | None:
    if (act.match_id, act.version) != (match.row.pk, match.row.version):
        return None
    beats = _beats_of(match, act)
    held = shows.held(beats, match.pace)
    if not held:
        return None
    told = _begins(match, act, beats, ends) + timedelta(seconds=held)
    return told if told > time_source.now() else None


def _moment(table: Table, act: ToldAct, drawings: Sequence[Json], language: str) -> Region:
    """Return the region with the animation of an act, which is the same for everybody."""
    part = {
        "stages": [beat["stage"] for beat in drawings],
        "ms": [beat["ms"] for beat in drawings],
        "events": act.public,
        "view": drawn_view(table, None, "moment"),
        "names": list(table.names),
        "players": facts_by_name(table),
    }
    known: Region = table.made.setdefault(
        ("moment", act.version, language), Region("moment", "moment", part)
    )
    return known


def _of_acts(match: MatchSnapshot, acts: Acts, ends: datetime) -> list[Timed]:
    """Return the beats of the acts of this match. The last one ends at `ends`."""
    found: list[Timed] = []
    for act in reversed([act for act in acts if act.match_id == match.row.pk]):
        beats = list(_timed(match, act, ends))
        ends = beats[0].begins if beats else ends
        found[:0] = beats
    return found


def _timed(match: MatchSnapshot, act: ToldAct, ends: datetime) -> Iterator[Timed]:
    """Yield the beats of an act. The last one ends at `ends`."""
    beats = _beats_of(match, act)
    begins = _begins(match, act, beats, ends)
    for beat, lasts in zip(beats, shows.lengths(beats, match.pace), strict=True):
        yield Timed(begins, lasts, beat)
        begins += timedelta(seconds=lasts)


def _beats_of(match: MatchSnapshot, act: ToldAct) -> tuple[Beat, ...]:
    newest = act.version == match.row.version
    ended = match.game.rules.outcome(match.state) if newest and match.over else None
    told = ((event, to) for _, to, event in act.told)
    return shows.beats_of(match.game, match.options, match.pace, told, ended)


def _begins(match: MatchSnapshot, act: ToldAct, beats: Sequence[Beat], ends: datetime) -> datetime:
    newest = act.version == match.row.version
    stands = shows.least(match.game, match.state, match.pace) if newest and beats else 0.0
    return ends - timedelta(seconds=max(stands, sum(shows.lengths(beats, match.pace))))


def _beat(table: Table, language: str, reader: Viewer, timed: Timed) -> Json:
    begins, lasts, beat = timed
    text = say(beat.headline, table.spoken_names, language, reader)
    beside = text
    if beat.beside is not None:
        beside = say(beat.beside, table.spoken_names, language, reader) if beat.beside.id else ""
    return {
        "text": text,
        "beside": beside,
        "from": round(begins.timestamp() * 1000),
        "ms": round(lasts * 1000),
        "matters": beat.weight != "light",
        "sound": beat.sound if reader is None else beat.own.get(reader, beat.sound),
        "seat": beat.seat,
        "stage": beat.stage,
        "flies": " ".join(map(_flight, beat.flies)),
    }


def _flight(one: Flight) -> str:
    seats = ("" if seat is None else str(seat) for seat in (one.away_from, one.to))
    return ":".join((one.what, str(one.many), *seats))


class Said(NamedTuple):
    """A sentence that a player or bot has said, and the note below it."""

    text: Text
    note: Text | None
    past: bool = False
    """Whether the remark disappears once the newest act has been shown."""


class Bubble(NamedTuple):
    """A bubble beside a seat: a sentence, and its key words, shown if space is limited."""

    said: str
    gist: str
    told: tuple[tuple[Seat, str, str], ...] = ()
    """Seats that read a different text, each with its sentence and key words."""
    note: str = ""
    newest: bool = False
    """Whether the bubble is shown in full if faces are in a row.

    Older bubbles show only their key words.
    """
    past: bool = False
    """Whether the bubble disappears after the beats of the newest act."""

    @property
    def brief(self) -> bool:
        """Whether the bubble can be shortened to its key words."""
        return self.gist != self.said


@per_table
def bubbles(table: Table, language: str) -> Mapping[str, Bubble]:
    """Return what each seat last said or did in public, by player name."""
    match, names = table.match, table.spoken_names
    if match is None or not table.playing:
        return {}
    said = _said_last(match.game.telling.beats(match.options), table.recent)
    stands = {
        table.names[seat]: table.reuse(
            ("bubble", seat, language),
            (one, names),
            partial(_bubble, one, names, language),
        )
        for seat, one in said.items()
    }
    newest = next((who for who, one in stands.items() if one.brief), next(iter(stands), None))
    return {who: one._replace(newest=who == newest) for who, one in stands.items()}


def _bubble(one: Said, names: Sequence[str], language: str) -> Bubble:
    text, note, past = one
    apart = [
        (seat, say(text, names, language, seat), gist(text, names, language, seat))
        for seat in sorted(concerned(text))
    ]
    return Bubble(
        said=say(text, names, language),
        gist=gist(text, names, language),
        told=tuple(apart),
        note=say(note, names, language) if note is not None else "",
        past=past,
    )


def moods(table: Table) -> Mapping[str, Mood]:
    """Return the mood of each face until the next act, by player name."""
    match, act = table.match, table.newest
    if match is None or act is None or not table.playing:
        return {}
    faces: dict[Seat, Mood] = {}
    beats = match.game.telling.beats(match.options)
    for _, to, event in act.told:
        if to is None:
            faces |= beats.moods(event)
    return {table.names[seat]: mood for seat, mood in faces.items() if mood}


def _said_last(beats: Beats, acts: Sequence[ToldAct]) -> dict[Seat, Said]:
    """Return the newest sentence of each seat that pages still show, newest first."""
    said: dict[Seat, Said] = {}
    settled = over = past = False
    for act in reversed(acts):
        if over or past:
            break
        for _, to, event in reversed(act.told):
            new = beats.bubbles(event) if to is None else None
            if new is None or (new.answer and settled):
                continue
            for seat, text in new.said.items():
                said.setdefault(seat, Said(text, new.note, past))
            settled, over = settled or not new.answer, over or new.over
            if new.fresh:
                if act is not acts[-1]:
                    return said
                past = True
    return said
