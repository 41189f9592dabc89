"""Text inside a drawing is not repeated in a headline below it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from games.engine.snapshots import load_snapshot
from games.pages.templating import has_own_look
from games.registry import GAMES
from games.tables.loading import load
from tests.kit.acting import looks
from tests.kit.drawings import Drawing, drawing
from tests.kit.later import moving_on
from tests.kit.staged import Staged

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ACTS = 120
STAMP = re.compile(r'class="(?:verdict[^"]*|sh-asked|ja[^"]*|nein[^"]*)"[^>]*>([^<]+)<')
STAMPS = {
    "cards": set(),  # a face shows who wrote the best sentence
    "chamber": {"Live!", "Click."},
    "coup": {"True!", "Bluff!"},
    "mia": {"True!", "Bluff!"},
    "secret_hitler": {"Elected", "Rejected", "Ja!"},
}
"""Some of the words that each game stamps onto its drawings."""
COMMON = {"is", "not", "wins"}


def words(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d]+", text.casefold()))


def stamps(drawn: Drawing) -> set[str]:
    """Return the results written on a drawing."""
    html = "".join(html for _, html in drawn.before) + drawn.told
    return set(STAMP.findall(html))


def repeated(drawn: Drawing, names: set[str]) -> list[str]:
    """Return headlines below a drawing that repeat its text."""
    said = words(" ".join(stamps(drawn))) - COMMON - names
    return [headline for headline in drawn.below if words(headline) & said]


def drawings(staged: Staged) -> Iterator[Drawing]:
    """Yield the drawings of this match's first acts, each after the last one has finished."""
    looks(staged.room, *staged.people)
    with moving_on() as pass_:
        for minutes in range(1, ACTS):
            seen = load_snapshot(staged.match.pk)
            if seen.over:
                return
            before = load(staged.room.pk)
            pass_(timedelta(minutes=minutes))
            staged.move(seen)
            drawn = drawing(before, staged.match)
            if drawn.told:
                yield drawn


@pytest.mark.parametrize("game", GAMES)
def test_headlines_do_not_repeat_text_of_their_animation(game: str, settings: Any) -> None:
    settings.BEATS = 1.0
    staged = Staged(game, players=min(6, GAMES[game].seats[1]))
    names = {person.name.casefold() for person in staged.people}
    drawn = list(drawings(staged))
    assert drawn or not has_own_look(game, "moment")
    assert set().union(*map(stamps, drawn)) >= STAMPS.get(game, set())
    assert not [headline for one in drawn for headline in repeated(one, names)]
