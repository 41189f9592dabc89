"""Button labels for each viewer, and sentences that address the reader as "you"."""

from __future__ import annotations

from typing import Any

import pytest

from games.models import Match, Player
from games.pages import regions
from games.pages.templating import render
from games.tables.loading import load
from tests.kit.acting import act, on_turn, play_out
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


def part(match: Match, user_id: int, region: str) -> dict[str, Any]:
    """Return the data of a region on this user's page."""
    return next(r.part for r in regions(load(match.room_id), user_id) if r.id == region)


def rolled() -> tuple[Match, Player, int]:
    """Return a Mia match in which an announcement is due, that player, and another player."""
    ann, bob = PersonFactory(), PersonFactory()
    match = start_match(open_table(ann, bob, game="mia"))
    roller = on_turn(match)
    act(match, roller, "Roll")
    return match, roller, bob.pk if roller.user_id == ann.pk else ann.pk


def test_true_roll_is_marked_on_its_button_for_the_roller_only() -> None:
    match, roller, other = rolled()
    assert roller.user_id is not None
    dice = part(match, roller.user_id, "hand")["view"]["dice"]
    mine = part(match, roller.user_id, "actions")
    choices = [choice for form in mine["forms"] for choice in form["fields"][0]["choices"]]
    assert [choice["value"] for choice in choices if choice["true"]] == [dice]
    theirs = part(match, other, "actions")
    assert theirs["forms"] == []


def test_move_that_claims_a_held_role_is_marked_on_its_button() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    match = start_match(open_table(ann, bob, game="coup"))
    actor = on_turn(match)
    assert actor.user_id is not None
    held = {card["role"] for card in part(match, actor.user_id, "hand")["view"]["hand"]}
    table = load(match.room_id)
    drawn = next(r for r in regions(table, actor.user_id) if r.id == "actions")
    marked = render(table, drawn, "en").count("truth own")
    moves = {"Tax": "baelish", "Exchange": "jaqen", "Steal": "arya"}
    assert marked == sum(role in held for role in moves.values())
    assert render(table, drawn, "en").count("<form") > marked


def test_choice_shows_a_risk_that_differs_from_the_moves_hint() -> None:
    match, roller, _ = rolled()
    assert roller.user_id is not None
    forms = part(match, roller.user_id, "actions")["forms"]
    assert {form["hint"] for form in forms} == {"caught lying: you lose a life"}
    choices = [choice for form in forms for choice in form["fields"][0]["choices"]]
    said = {choice["value"]: choice["hint"] for choice in choices}
    assert said.pop("2,1") == "shown at once; if it's a lie, you lose a life"
    assert set(said.values()) == {""}


def test_ending_addresses_the_winner_and_names_it_to_others() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    match = play_out(open_table(ann, bob, game="mia", lives=1))
    (won,) = match.outcome["winners"]
    winner = match.players.get(seat=won)
    loser = match.players.exclude(seat=won).get()
    assert said(match, winner.user_id) == "You win: last player standing."
    assert said(match, loser.user_id) == f"{winner.name} wins: last player standing."


def said(match: Match, user_id: int) -> str:
    sentence: str = part(match, user_id, "status")["sentence"]
    return sentence
