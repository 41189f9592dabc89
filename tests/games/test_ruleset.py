"""The options a host sets for a table: presets, headings, differences from the default."""

from __future__ import annotations

import re

import pytest
from django.utils.translation import override

from accounts.faces import CHOICES, address
from accounts.models import User
from games import rooms
from games.contract.core import Refused
from games.contract.data import pack
from games.contract.presets import OTHER
from games.engine.options import option_fields
from games.mia.rules.state import MiaOptions
from games.models import Room
from games.pages import forms, regions
from games.pages.templating import render
from games.registry import GAMES
from games.sockets.command_forms import options_from_form
from games.tables.loading import load
from games.tables.sentences import refusal
from games.tables.terms import in_words
from tests.kit.factories import PersonFactory, open_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("slug", GAMES)
def test_every_option_is_under_exactly_one_heading(slug: str) -> None:
    game = GAMES[slug]
    fields = forms.option_form(game, pack(game.rules.options()), {}, frozenset({"none"}))
    groups = forms.grouped(game, fields)
    placed = [field["name"] for group in groups for field in group["fields"]]
    assert sorted(placed) == sorted(field["name"] for field in fields)
    assert not game.telling.groups or OTHER.id not in {group["name"] for group in groups}


def test_choices_have_the_order_of_their_declaration() -> None:
    fields = {one["name"]: one for one in forms.option_form(GAMES["mia"], {}, {})}
    shown = [choice["value"] for choice in fields["pace"]["choices"]]
    assert shown == ["relaxed", "normal", "fast", "bullet", "day", "days", "none"]


@pytest.mark.parametrize("slug", GAMES)
def test_preset_button_sets_all_options_except_lists(slug: str) -> None:
    game = GAMES[slug]
    lists = {name for name, of in option_fields(game).items() if of.get("type") == "array"}
    for preset in game.telling.presets:
        meant = {name: of for name, of in pack(preset.options).items() if name not in lists}
        assert options_from_form(slug, {"preset": preset.key, "option-pace": "day"}) == meant


def sheet_of(room: Room, user: User) -> str:
    """Return the options sheet as this user sees it."""
    table = load(room.pk)
    (region,) = [one for one in regions(table, user.pk) if one.id == "ruleset"]
    return render(table, region, "en")


def test_options_sheet_shows_the_preset_and_the_differences() -> None:
    ann = PersonFactory()
    room = open_table(ann, game="mia")

    html = sheet_of(room, ann)
    assert 'value="official" aria-pressed="true"' in html
    assert "changed" not in html.replace("-changed", "")
    assert 'class="differs"' not in html
    rooms.set_options(room.pk, ann.pk, options_from_form("mia", {"preset": "party"})).result()
    html = sheet_of(room, ann)
    assert 'value="party" aria-pressed="true"' in html
    assert "<li>Lives <strong>5</strong></li>" in html
    assert "Back to" not in html
    rooms.set_options(room.pk, ann.pk, {"lives": 4}).result()
    html = sheet_of(room, ann)
    assert 'value="party" aria-pressed="mixed"' in html
    assert "1 changed" in html
    assert "Back to Party rules" in html
    assert re.search(
        r'<label for="option-lives">Lives <span class="dot"><span class="unseen">', html
    )
    assert html.count('class="dot"') == 1


def test_sheet_shows_the_faces_of_the_people_who_see_each_change() -> None:
    ann, bob = PersonFactory(face=CHOICES[4]), PersonFactory(face=CHOICES[9])
    room = open_table(ann, bob, bots=1)
    seen_by = sheet_of(room, ann).partition("seen-by")[2]
    assert seen_by.count("<img") == 1
    assert address(CHOICES[9]) in seen_by
    assert "seen-by" not in sheet_of(open_table(ann), ann)


def test_every_choice_is_visible_without_opening_a_list() -> None:
    ann = PersonFactory()
    html = sheet_of(open_table(ann), ann)
    assert "<select" not in html
    assert html.count('type="radio" name="option-pace"') == 7
    assert 'name="option-pace" value="normal" checked' in html


def test_only_the_host_has_the_options_sheet() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, game="coup")
    (region,) = [one for one in regions(load(room.pk), bob.pk) if one.id == "ruleset"]
    assert not region.part["open"]


def test_range_error_is_in_the_readers_language() -> None:
    refused = Refused("bad_options", option="lives", allowed="1 to 9")
    with override("de"):
        said = refusal(in_words(refused, GAMES["mia"].telling.words(MiaOptions())), language="de")
    assert said == "Leben muss eins davon sein: 1 bis 9."
