"""Matches stored by earlier versions of this code can still be played."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from games.contract.luck import Luck
from games.engine.snapshots import load_snapshot, told_in
from games.history.match_history import end_of, story_of
from games.history.verify import differences
from games.models import Match
from games.registry import GAMES
from tests.kit.corpus import play_on, restore, stored

pytestmark = pytest.mark.django_db(transaction=True)

FILES = [pytest.param(path, id=f"{path.parent.name}-{path.stem}") for path in stored()]


@pytest.mark.parametrize("path", FILES)
def test_stored_match_can_be_played_to_its_end(path: Path) -> None:
    number = restore(json.loads(path.read_text(encoding="utf-8")))
    assert not load_snapshot(number).over
    play_on(number, Luck(b"played on", 0))
    match = Match.objects.get(pk=number)
    assert match.outcome is not None
    assert not match.broken
    assert [told_in(GAMES[match.game], act.told) for act in match.acts.all()]
    assert not list(differences(match))
    assert story_of(match, match.players.exclude(user=None).first().user_id).part["lines"]
    assert end_of(match).part["outcome"]["winners"]
