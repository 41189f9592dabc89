"""Statistics of a person: results per game, and what each game counts.

Every number links to its best moment in a replay, if the viewer may see that match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import ngettext

from accounts.models import User
from games.contract.tally import Statistic
from games.history.tallies import PLACES, PLAYED
from games.models import Player, PlayerStat
from games.registry import GAMES
from games.tables.sentences import say
from lobby.replay import GALLERY

ENOUGH = 10
"""Minimum matches of a game before its own statistics are shown."""


@dataclass(frozen=True)
class Figure:
    """A number, or a sentence with a number, and the address of its best moment, if any."""

    text: str
    link: str


@dataclass(frozen=True)
class OfGame:
    """A person's statistics of a game: matches, places, and what the game counts."""

    game: str
    played: Figure
    places: Sequence[Figure]
    lines: Sequence[Figure]
    missing: str
    """A sentence that says how many matches are missing until there are lines, if any are."""

    @property
    def is_linked(self) -> bool:
        """Whether a number has a link."""
        return any(figure.link for figure in (self.played, *self.places, *self.lines))


@dataclass(frozen=True)
class Statistics:
    """A person's statistics of all games, as one viewer may see them."""

    games: Sequence[OfGame]

    @property
    def missing(self) -> list[str]:
        return [one.missing for one in self.games if one.missing]

    @property
    def is_linked(self) -> bool:
        return any(one.is_linked for one in self.games)


def statistics(user: Any, viewer: User | None) -> Statistics:
    """Return the statistics of a user by game, as this viewer may see them.

    Other people see only results, unless the user lists matches.
    """
    is_full = user.lists_matches or (viewer is not None and viewer.pk == user.pk)
    found: dict[str, dict[str, PlayerStat]] = {}
    for row in _rows(user, viewer).order_by("game"):
        found.setdefault(row.game, {})[row.key] = row
    return Statistics([_of_game(slug, rows, is_full, viewer) for slug, rows in found.items()])


def _rows(user: Any, viewer: User | None) -> QuerySet[PlayerStat]:
    """Return the rows of a user, each with the seat in its match and whether it is shown."""
    # Players of a match share its number, and an index of users and numbers finds them quickly.
    seats = Player.objects.filter(no=OuterRef("best_match__no"))
    shown = Q(best_match__public=True)
    if viewer is not None:
        shown |= Q(Exists(seats.filter(user=viewer.pk)))
    shown &= Q(best_match__pruned=False)
    return PlayerStat.objects.filter(user=user.pk).annotate(
        seat=seats.filter(user=user.pk).values("seat")[:1],
        is_shown=shown,
        is_revealed=F("best_match__revealed"),
    )


def _of_game(
    slug: str, rows: Mapping[str, PlayerStat], is_full: bool, viewer: User | None
) -> OfGame:
    game = GAMES.get(slug)

    def figure(key: str, text: str = "") -> Figure:
        row = rows.get(key)
        link = _link(row, viewer) if row is not None and is_full and game is not None else ""
        return Figure(text or str(row.count if row is not None else 0), link)

    lines: list[Figure] = []
    missing = ""
    played = rows[PLAYED].count if PLAYED in rows else 0
    if is_full and game is not None and game.telling.tally is not None:
        if played < ENOUGH:
            missing = _missing(game.name, ENOUGH - played)
        else:
            said = [(line.key, _said(line, rows)) for line in game.telling.tally.lines]
            lines = [figure(key, text) for key, text in said if text]
    name = game.name if game is not None else slug
    return OfGame(name, figure(PLAYED), [figure(key) for key in PLACES], lines, missing)


def _missing(game: str, count: int) -> str:
    text = ngettext("%(game)s: %(count)s match to go", "%(game)s: %(count)s matches to go", count)
    return text % {"game": game, "count": count}


def _said(line: Statistic, rows: Mapping[str, PlayerStat]) -> str:
    """Return the sentence of a line, or "" if there is nothing to divide by."""
    row = rows.get(line.key)
    number = 0 if row is None else row.best if line.greatest else row.count
    if not line.per:
        return say(line.said(number))
    if line.per not in rows:
        return ""
    share = number / rows[line.per].count
    return say(line.said(round(share)).of(count=number_format(share, 1)))


def _link(row: Any, viewer: User | None) -> str:
    """Return the address of the best moment, through the person's seat if the viewer may do so."""
    if not row.is_shown:
        return ""
    is_own = viewer is not None and viewer.pk == row.user_id
    seat = row.seat if is_own or row.is_revealed else None
    address = reverse("replay", args=[row.best_match_id, row.best_version])
    return f"{address}?as={GALLERY if seat is None else seat}"
