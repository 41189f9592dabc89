"""Addresses, offers and decisions: the objects a bot works with."""

from __future__ import annotations

import random
from typing import Any

import pytest

from parlour_client import Json, Move
from parlour_client.address import read_address
from parlour_client.decision import Decision, read_decision
from parlour_client.offers import Offer, read_offers

SHOOT = {"move": "ShootPlayer", "args": {"username": {"oneOf": ["ann", "eve"]}}, "risky": False}
PLAY = {
    "move": "PlayWhiteCards",
    "args": {"cards": {"some": ["a", "b", "c"], "least": 1, "most": 2, "ordered": True}},
    "risky": False,
}
LOSE = {"move": "Announce", "args": {"dice": {"oneOf": ["2,1"]}}, "risky": True}


def offers(*plain: Json) -> tuple[Offer, ...]:
    return read_offers(list(plain), random.Random(1))


def decision(*plain: Json, **data: Any) -> Decision:
    given = {"offers": list(plain), "awaited": ["bob"], "you": "bob", "prompt": 3, **data}
    read = read_decision(given, [], [], random.Random(1))
    assert read is not None
    return read


@pytest.mark.parametrize(
    ("text", "socket", "room"),
    [
        ("http://127.0.0.1:8000", "ws://127.0.0.1:8000/api/ws/", None),
        ("https://play.example.org/", "wss://play.example.org/api/ws/", None),
        ("  play.example.org:8000 ", "ws://play.example.org:8000/api/ws/", None),
        ("ws://host/api/ws/", "ws://host/api/ws/", None),
        ("wss://host/games/api/ws", "wss://host/games/api/ws/", None),
        ("http://[::1]:8000", "ws://[::1]:8000/api/ws/", None),
        ("https://host/t/k7qx2/", "wss://host/api/ws/", "K7QX2"),
        ("host:81/games/t/K7QX2?from=qr", "ws://host:81/games/api/ws/", "K7QX2"),
    ],
)
def test_pasted_urls_and_addresses_are_accepted(text: str, socket: str, room: str | None) -> None:
    address = read_address(text)
    assert (address.socket, address.room) == (socket, room)


@pytest.mark.parametrize("text", ["", "ftp://host", "http://", "://", "http:///t/K7QX2"])
def test_invalid_address_raises_a_clear_error(text: str) -> None:
    with pytest.raises(ValueError, match="is not the address of a Parlour server"):
        read_address(text)


def test_table_link_is_a_browser_url() -> None:
    assert read_address("wss://host:8/a/api/ws/").table("K7QX2") == "https://host:8/a/t/K7QX2/"


def test_chosen_and_random_moves_are_legal() -> None:
    shoot, play = offers(SHOOT, PLAY)
    assert shoot.choose(username="eve") == Move("ShootPlayer", {"username": "eve"})
    for _ in range(50):
        assert shoot.random() in shoot
        assert play.random() in play
    assert shoot.random() not in play
    assert Move("ShootPlayer", {"username": "eve", "more": 1}) not in shoot
    assert shoot["username"] == ("ann", "eve")


@pytest.mark.parametrize(
    ("cards", "legal"),
    [
        (["a"], True),
        (["c", "a"], True),
        ([], False),
        (["a", "b", "c"], False),
        (["a", "a"], False),
        (["d"], False),
        ("a", False),
    ],
)
def test_picks_must_have_a_valid_size_and_no_duplicates(cards: Any, legal: bool) -> None:
    (play,) = offers(PLAY)
    assert (Move("PlayWhiteCards", {"cards": cards}) in play) is legal


def test_every_move_of_an_offer_can_be_listed() -> None:
    shoot, play = offers(SHOOT, PLAY)
    assert [move.args["username"] for move in shoot] == ["ann", "eve"]
    assert len(list(play)) == 3 + 6
    plain = {**PLAY["args"]["cards"], "ordered": False}  # type: ignore[index]
    (unordered,) = offers({**PLAY, "args": {"cards": plain}})
    assert len(list(unordered)) == 3 + 3
    assert all(move in play for move in play)


def test_integer_is_not_accepted_as_a_boolean() -> None:
    (vote,) = offers({"move": "Vote", "args": {"ja": {"oneOf": [True, False]}}, "risky": False})
    assert Move("Vote", {"ja": True}) in vote
    assert Move("Vote", {"ja": 1}) not in vote


def test_invalid_choice_raises_a_clear_error() -> None:
    shoot = offers(SHOOT)[0]
    with pytest.raises(ValueError, match="ShootPlayer does not accept 'zoe' as 'username' now"):
        shoot.choose(username="zoe")
    with pytest.raises(ValueError, match="ShootPlayer has no argument 'target'"):
        shoot.choose(target="eve")
    with pytest.raises(ValueError, match=r"Tax\(\) is not offered. Offered: ShootPlayer"):
        decision(SHOOT).choose("Tax")
    assert decision(SHOOT).maybe("Tax") is None


def test_safe_offer_is_preferred_among_offers_of_the_same_move() -> None:
    safe = {**LOSE, "args": {"dice": {"oneOf": ["5,3"]}}, "risky": False}
    both = decision(LOSE, safe)
    assert both.choose("Announce").args == {"dice": "5,3"}
    assert both.choose("Announce", dice="2,1").args == {"dice": "2,1"}
    found = both.offer("Announce")
    assert found is not None
    assert not found.risky


def test_random_move_avoids_risk_if_possible() -> None:
    assert all(
        decision(LOSE, SHOOT).random() != Move("Announce", {"dice": "2,1"}) for _ in "x" * 50
    )
    assert decision(LOSE).random() == Move("Announce", {"dice": "2,1"})
    assert decision(LOSE, awaited=["ann"]).random() is None
    assert decision(SHOOT, awaited=["ann"]).random() is not None


def test_random_choice_is_uniform_over_moves_instead_of_offers() -> None:
    tax = {"move": "Tax", "args": {}, "risky": False}
    many = {**SHOOT, "args": {"username": {"oneOf": [f"p{at}" for at in range(9)]}}}
    asked = decision(tax, many)
    taxed = sum(asked.random() == Move("Tax", {}) for _ in range(2000))
    assert 120 < taxed < 290
