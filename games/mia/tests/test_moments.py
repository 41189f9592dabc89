"""The drawing of a reveal in Mia does not reveal the outcome before the second die."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest

from games.contract.luck import ScriptedLuck
from games.engine.snapshots import MatchSnapshot
from games.tables.loading import load
from tests.kit.acting import act, on_turn
from tests.kit.drawings import Drawing, drawing, watched

pytestmark = pytest.mark.django_db(transaction=True)

TRUE, BLUFF = [5, 4], [5, 0]
"""Throws of which 6-5 is announced. The first die, which is seen first, is the same."""

PERSON = re.compile(r"<img [^>]*>|<bdi>.*?</bdi>")


@pytest.fixture(autouse=True)
def _what_happens_is_shown(settings: Any) -> None:
    settings.BEATS = 1.0


def called(monkeypatch: pytest.MonkeyPatch, throw: list[int], lives: int, seats: int) -> Drawing:
    """Return the drawing of a call of the announcement 6-5 after this throw."""
    match = watched("mia", seats, lives=lives)
    with monkeypatch.context() as patched:
        patched.setattr(MatchSnapshot, "luck", lambda _: ScriptedLuck(die=list(throw)))
        act(match, on_turn(match), "Roll")
    act(match, on_turn(match), "Announce", dice="6,5")
    before = load(match.room_id)
    act(match, on_turn(match), "See")
    return drawing(before, match)


def before(drawn: Drawing) -> list[tuple[int, str]]:
    """Return the pieces before the result, without the faces and names of this match."""
    return [(at, PERSON.sub("", html)) for at, html in drawn.before]


def timed(drawn: Drawing) -> list[tuple[int, int]]:
    return [(beat["from"], beat["ms"]) for beat in drawn.stages]


def test_drawing_before_the_second_die_is_the_same_for_every_outcome(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for seats in (2, 4):
        first, *others = (
            called(monkeypatch, throw, lives, seats)
            for throw, lives in product((TRUE, BLUFF), (1, 3))
        )
        assert [beat["stage"] for beat in first.stages] == ["lift"]
        for other in others:
            assert before(other) == before(first)
            assert timed(other) == timed(first)
        told = [one.told for one in (first, *others)]
        assert ["True!" in one for one in told] == [True, True, False, False]
        assert ["Bluff!" in one for one in told] == [False, False, True, True]
