"""Rendered Mia regions: the last announcement, the possible ones, and the true dice."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from games.mia.tests.table import Table
from games.pages import regions
from games.pages.templating import render
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.scene import A, B, C

pytestmark = pytest.mark.django_db(transaction=True)

VALUE = re.compile(r'<button name="dice" value="(\d,\d)"')
TRUE = re.compile(r'value="(\d,\d)"[^>]*class="[^"]*true')


class Three:
    """A table of three. Tests set its state."""

    def __init__(self, **options: Any) -> None:
        self.people = [PersonFactory(name=name) for name in ("Ann", "<b>&", "Cat")]
        self.room = open_table(*self.people, game="mia", **options)
        start_match(self.room)

    def drawn(self, table: Table, by: int = A) -> dict[str, str]:
        """Return the regions at this moment, as seen by one of the three players."""
        seen = load(self.room.pk)
        assert seen.match is not None
        seen = replace(seen, match=replace(seen.match, state=table.state))
        mine = regions(seen, self.people[by].pk)
        return {region.id: render(seen, region, "en") for region in mine}


def parts(actions: str) -> tuple[list[str], list[str]]:
    """Return the values that are shown at once and the values that are shown after a tap."""
    folded = "".join(re.findall(r"<details.*?</details>", actions, re.DOTALL))
    hidden = VALUE.findall(folded)
    return [value for value in VALUE.findall(actions) if value not in hidden], hidden


def test_safe_announcements_are_open_and_losing_ones_folded() -> None:
    three = Three()
    first = parts(three.drawn(Table().roll(A, "6,4"))["actions"])
    assert (len(first[0]), first[1]) == (20, ["2,1"])
    higher = Table().say(A, "6,1").roll(B, "6,4")
    open_, folded = parts(three.drawn(higher, B)["actions"])
    assert open_[0] == "6,2"
    assert len(open_) == 10
    assert "6,1" in folded
    assert len(open_) + len(folded) == 21


def test_true_value_is_marked_and_a_true_mia_counts_as_safe() -> None:
    three = Three()
    assert TRUE.findall(three.drawn(Table().roll(A, "6,4"))["actions"]) == ["6,4"]
    bluffing = three.drawn(Table().say(A, "6,1").roll(B, "4,2"), B)["actions"]
    assert TRUE.findall(bluffing) == ["4,2"]  # a value too low to announce safely
    really = three.drawn(Table().roll(A, "2,1"))["actions"]
    assert TRUE.findall(really) == ["2,1"]
    assert "<details" not in really


RISKY = re.compile(r'<details class="risky[^>]*>.*?</details>', re.DOTALL)
FORM = re.compile(r'<input type="hidden" name="move" value="(\w+)">')


def test_losing_moves_need_confirmation_even_if_every_move_loses() -> None:
    lost = Three().drawn(Table().say(A, "6,6").roll(B, "4,2"), B)["actions"]
    asked = RISKY.findall(lost)
    assert [FORM.findall(one) for one in asked] == [["Announce"], ["Announce"]]
    assert not any(re.match("<details[^>]* open", one) for one in asked)
    assert len(VALUE.findall("".join(asked))) == len(VALUE.findall(lost)) == 21


def test_call_without_an_announcement_needs_confirmation_if_it_loses() -> None:
    begins = Three(onFault="lose").drawn(Table(on_fault="lose"), A)["actions"]
    asked = RISKY.findall(begins)
    assert [move for one in asked for move in FORM.findall(one)] == ["See"]
    assert FORM.findall(RISKY.sub("", begins)) == ["Roll"]


def test_scene_shows_the_announcements_and_the_uncovered_dice() -> None:
    three = Three()
    table = Table().say(A, "5,1").say(B, "6,5", rolled="4,2")
    board = three.drawn(table)["board"]
    assert "<bdi>&lt;b&gt;&amp;</bdi> says" in board
    assert board.index("&lt;b&gt;") < board.index("<bdi>Ann</bdi>")  # newest first
    assert "uncovered" not in board
    board = three.drawn(table.see(C))["board"]
    assert 'class="die d4"></i><i class="die d2"' in board.split("uncovered")[1]
    assert "Bluff!" in board
    believed = Table().say(A, "5,1").see(B)
    assert "True!" in three.drawn(believed)["board"]


def test_dice_are_shown_only_to_the_roller() -> None:
    three = Three()
    table = Table().roll(A, "6,4")
    assert 'class="die d6"' in three.drawn(table)["hand"]
    assert "hidden" in three.drawn(table, B)["hand"]
    others = "".join(html for id, html in three.drawn(table, B).items() if id != "manual")
    assert "die d6" not in others


def test_lost_life_stays_as_a_grey_heart() -> None:
    table = Table().say(A, "5,1").see(B)
    seat = Three().drawn(table, B)["seats"]
    assert seat.count('class="life"') == 8
    assert seat.count('class="life gone"') == 1
    many = Three(lives=9).drawn(Table(lives=9))["seats"]
    assert many.count('class="life"') == 3
    assert ">9</span>" in many
