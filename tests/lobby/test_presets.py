"""Sets of options chosen with one tap when a table is created."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from games.contract.data import pack
from games.contract.presets import Preset
from games.models import Room
from games.registry import GAMES

pytestmark = pytest.mark.django_db(transaction=True)

EVERY = [(slug, preset) for slug in GAMES for preset in GAMES[slug].telling.presets]


@pytest.mark.parametrize("slug", list(GAMES))
def test_presets_of_a_game_differ(slug: str) -> None:
    presets = GAMES[slug].telling.presets
    assert len({one.key for one in presets}) == len(presets)
    assert len({repr(pack(one.options)) for one in presets}) == len(presets)


@pytest.mark.parametrize(("slug", "preset"), EVERY, ids=[f"{s}-{p.key}" for s, p in EVERY])
def test_preset_is_valid_at_every_table_size(slug: str, preset: Preset) -> None:
    game = GAMES[slug]
    assert isinstance(preset.options, game.rules.options)
    for seats in (None, *range(game.seats[0], game.seats[1] + 1)):
        if slug != "cards":  # its packs come from the platform
            game.rules.check(preset.options, seats)


def test_preset_fills_in_the_options_and_keeps_other_input(client: Client) -> None:
    page = client.get("/new/mia/").content.decode()
    assert re.findall(r'name="preset" value="(\w+)"', page) == ["official", "party", "quick"]
    assert page.index("<button hidden>") < page.index('name="preset"')
    given = {"preset": "quick", "name": "Ann", "visibility": "public", "bots": "2"}
    chosen = client.post("/new/mia/", given)
    assert chosen.status_code == 200
    html = chosen.content.decode()
    assert 'name="option-lives" value="1"' in html
    assert '<option value="fast" selected>' in html
    assert 'value="Ann"' in html
    assert re.search(r'value="public"[^>]*checked', html)
    assert 'value="quick" formnovalidate class="quiet" aria-pressed="true"' in html
    assert not Room.objects.exists()


def test_unknown_preset_changes_nothing(client: Client) -> None:
    html = client.post("/new/mia/", {"preset": "chess"}).content.decode()
    assert 'name="option-lives" value="3"' in html
    assert 'formnovalidate class="quiet" aria-pressed="true"' not in html
