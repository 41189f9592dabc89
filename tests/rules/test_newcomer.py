"""Hints for newcomers at a question depend only on the view and offers of their seat."""

from __future__ import annotations

from typing import Any

import pytest

from games.chamber.rules.state import ShootPlayer, UseChamberCheckItem, UseQuickshotItem
from games.chamber.tests import tables as chamber_tables
from games.contract.core import all_seats
from games.contract.data import Seat
from games.contract.lesson import Moment
from games.coup.rules.state import Card, Tax
from games.coup.tests import table as coup_table
from games.mia.tests import table as mia_table
from games.registry import GAMES
from games.secret_hitler.tests.table import Table as Parliament
from games.tables.sentences import say
from tests.kit.cases import secrets
from tests.kit.play import Playthrough, match

A, B, C = all_seats(3)
NAMES = ("Ann", "Bob", "Cleo", "Dirk", "Eve", "Finn", "Gus", "Hedy", "Ivo", "Joan")
LONGEST = 115
"""Maximum number of characters that fit into the three lines of a hint."""


def told(game: str, state: Any, seat: Seat = A) -> str:
    """Return what the game tells this seat in English, or ""."""
    of = GAMES[game]
    moment = Moment(seat, of.rules.view(state, seat), of.rules.offers(state, seat))
    found = of.telling.words(state.options).explain(moment)
    return say(found, NAMES, "en", seat) if found is not None else ""


def test_mia_hints_give_truth_and_odds() -> None:
    table = mia_table.Table(3).roll(A, "5,3")
    assert (
        told("mia", table.state)
        == "Say 5-3 and it's true: nobody can catch you. 56% of rolls beat it."
    )
    table.announce(A, "6,4")
    assert told("mia", table.state, B) == (
        "33% of rolls are 6-4 or better. To go on, you must beat it: 28% do."
    )
    table.roll(B, "4,1")
    assert told("mia", table.state, B) == (
        "4-1 is too low, so you have to bluff. 28% of rolls beat 6-4."
    )
    assert told("mia", table.state, C) == ""
    assert told("mia", mia_table.Table(3).roll(A, "2,1").state).startswith("You have Mia.")
    assert told("mia", table.announce(B, "6,5").see(C).state, B).startswith("Hearts are lives.")


def test_iron_throne_hints_give_true_claims_and_the_cost_of_a_bluff() -> None:
    table = coup_table.scene(("baelish", "arya"), ("hound", "jaqen"), coup_table.SPARE)
    assert told("coup", table.state) == (
        "True with your cards: Tax and Steal. Any other role is a bluff; if challenged, "
        "it costs you a card."
    )
    liar = coup_table.scene(("melisandre",), ("hound", "jaqen"), coup_table.SPARE)
    assert told("coup", liar.state) == (
        "Every role you claim now is a bluff. If it's challenged, you're out of the match."
    )
    rich = coup_table.scene(("baelish", "arya"), ("hound", "jaqen"), coins=(10, 2))
    assert told("coup", rich.state) == (
        "With 10 golden dragons you can do nothing but a Coup. Nobody can stop it."
    )


def test_iron_throne_hints_count_the_visible_cards_of_a_claim() -> None:
    table = coup_table.scene(("hound", "arya"), ("baelish", "jaqen"))
    assert told("coup", table.do(A, Tax()).state, B) == (
        "You see 1 of the 3 Petyr Baelish cards. "
        "Challenge, and if Ann has one, it costs you a card."
    )
    table = coup_table.scene(("hound", "arya"), ("baelish", "baelish"), coup_table.SPARE)
    shown = (*table.state.hands[:2], (Card("baelish", True), Card("jaqen")))
    assert told("coup", table.set(hands=shown).do(A, Tax()).state, B) == (
        "You see all 3 Petyr Baelish cards, so it's a bluff. Challenge!"
    )


def test_secret_hitler_hints_use_only_public_information() -> None:
    table = Parliament("FLLHL")
    assert not told("secret_hitler", table.state)
    table.nominate(B)
    for seat in (C, Seat(3)):
        assert told("secret_hitler", table.state, seat) == ("Bob hasn't governed yet.")


def test_chamber_hints_give_what_is_known_about_the_shells() -> None:
    loaded = chamber_tables.table("LbL", items={A: ["chamber_check", "skip", "quickshot"]})
    assert told("chamber", loaded) == "2 of 3 shells are live (67%)."
    seen = chamber_tables.play(loaded, A, UseChamberCheckItem())
    assert told("chamber", seen) == "Only you know it: the next shell is live."
    fired = chamber_tables.play(loaded, A, UseQuickshotItem(), ShootPlayer(B))
    assert told("chamber", fired) == (
        "1 of 2 shells are live (50%). Items are closed after a shot."
    )
    assert told("chamber", fired, B) == ""
    assert told("chamber", chamber_tables.table("bb")) == (
        "Only blanks are left: a shot at yourself is safe."
    )
    adding = chamber_tables.window(1, 3, {A: ["rebalancer"]})
    assert told("chamber", adding) == ("1 of 4 shells are live so far. The order will be random.")


@pytest.mark.parametrize("slug", GAMES)
def test_hints_fit_into_three_lines_on_the_smallest_phone(slug: str) -> None:
    """Checked in both languages over a whole match."""
    game = GAMES[slug]
    options = secrets(game).OPTIONS[0]
    long = set()
    for moment in match(game, game.seats[0], options, 1, Playthrough.some_act):
        for seat in moment.seats:
            view, offers = (
                game.rules.view(moment.state, seat),
                game.rules.offers(moment.state, seat),
            )
            if text := game.telling.words(moment.options).explain(Moment(seat, view, offers)):
                said = {say(text, NAMES, language, seat) for language in ("en", "de")}
                long |= {one for one in said if len(one) > LONGEST}
    assert not long
