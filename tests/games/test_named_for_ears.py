"""Accessible names of lists and buttons at every table."""

from __future__ import annotations

import pytest

from games.registry import GAMES
from tests.kit.named import empty_items, same_names
from tests.kit.staged import Staged

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("game", GAMES)
def test_no_item_is_empty_and_no_two_buttons_share_a_name(game: str) -> None:
    for moment in Staged(game, players=min(6, GAMES[game].seats[1])).moments(examples=(1, 4)):
        html = "".join(moment.regions.values())
        assert not empty_items(html), moment.kind
        assert not same_names(html), moment.kind


def test_an_empty_item_and_a_shared_name_are_found() -> None:
    assert empty_items('<li class="on"><svg aria-hidden="true"><use href="#x"/></svg></li>')
    form = '<form><input type="hidden" name="who" value="{0}"><button>Undo</button></form>'
    assert same_names(form.format("Ann") + form.format("Bo"))
    assert not same_names(form.format("Ann") + form.format("Ann"))
    named = (
        '<b id="w{0}">{0}</b><a class="button" id="a{0}" aria-labelledby="a{0} w{0}" href="{0}">'
    )
    assert not same_names(named.format("Ann") + "Undo</a>" + named.format("Bo") + "Undo</a>")
