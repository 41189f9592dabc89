"""Accessible names of lists and buttons at every table."""

from __future__ import annotations

import pytest

from games.registry import GAMES
from tests.kit.named import empty_items, same_names
from tests.kit.staged import Staged

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_list_items_are_not_empty_and_button_names_are_unique(game: str) -> None:
    for moment in Staged(game, players=min(6, GAMES[game].seats[1])).moments(examples=(1, 4)):
        html = "".join(moment.regions.values())
        assert not empty_items(html), moment.kind
        assert not same_names(html), moment.kind
