"""The rules shown at a table match that table."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils.translation import override

from games.contract.game import AnyGame
from games.contract.words import A_TURN
from games.pages import manual
from games.pages.templating import game_template, has_own_look
from games.registry import GAMES
from games.tables.sentences import say
from tests.kit.cases import secrets
from tests.kit.laws import is_sentence

MOST_WORDS = 25
MOST_BESIDE = 5
"""Maximum number of pictures beside a text. A larger number replaces the text."""


def read(slug: str, seats: int | None = None, **options: Any) -> str:
    """Return the rules of a game in English, one paragraph per line."""
    game = GAMES[slug]
    return "\n".join(
        say(one.text) for one in game.telling.manual(game.rules.options(**options), seats)
    )


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_every_paragraph_is_a_sentence_for_all_sizes_and_options(game: AnyGame) -> None:
    least, most = game.seats
    for options in secrets(game).OPTIONS:
        for seats in (None, *range(least, most + 1)):
            for one in game.telling.manual(options, seats):
                is_sentence(one.text)
                assert say(one.text)[-1] in ".:"


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
@pytest.mark.parametrize("language", ["en", "de"])
def test_entries_are_short_and_their_pictures_exist(game: AnyGame, language: str) -> None:
    least, most = game.seats
    for options in secrets(game).OPTIONS:
        for seats in (None, *range(least, most + 1)):
            for one in game.telling.manual(options, seats):
                assert one.heading is not None
                text = say(one.text, language=language)
                if len(one.art) <= MOST_BESIDE:  # otherwise pictures replace the text
                    assert len(text.split()) <= MOST_WORDS, text
                for name in one.art:
                    assert pictures(game.slug)(name).strip(), name


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_turn_has_four_pictures_and_every_preset_has_one(game: AnyGame) -> None:
    """The rules of a game without pictures, such as a new game, show no turn in pictures."""
    turn = [one for one in game.telling.manual(game.rules.options(), None) if one.heading == A_TURN]
    assert len(turn) == (4 if has_own_look(game.slug, "art") else 0)
    for one in turn:
        assert one.listed
        assert one.art
        assert ": " in say(one.text)
    for preset in game.telling.presets if turn else ():
        assert preset.art
        assert all(pictures(game.slug)(name).strip() for name in preset.art)


def test_what_is_good_to_know_is_closed_until_it_is_tapped() -> None:
    with override("en"):
        html = manual.page("mia").rest
    closed = re.findall(r"<details><summary>([^<]+)</summary>", html)
    assert closed == ["How likely a Mia is", "When to call", "What bots know"]
    assert "One roll in 18" in html


def pictures(slug: str) -> Any:
    """Return the drawings of a game by name. Missing drawings are empty strings."""
    with override("en"):
        return game_template(slug, "art", "en").module.art  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("slug", "options", "said", "not_said"),
    [
        ("mia", {"lives": 5}, "Everybody has 5 lives", "3 lives"),
        ("mia", {"mia_costs": 2}, "in it costs 2 lives", ""),
        ("mia", {}, "must beat the last call", "A round with Mia"),
        ("mia", {"must_raise": False}, "at least as much as the last", "must beat the last"),
        ("mia", {"little_mia": True}, "Little Mia: 3-1", "3-1, 3-2"),
        ("mia", {"scoring": "points", "rounds": 7}, "after 7 rounds", "lives"),
        ("mia", {"on_fault": "lose"}, "before anybody has rolled, you lose", "can only roll"),
        ("mia", {"on_leave": "substitute"}, "a bot plays on", "you're out.\nIf"),
        ("coup", {}, "Petyr Baelish: tax, take 3", "Duke"),
        ("coup", {"names": "classic"}, "Duke: tax, take 3", "Baelish"),
        ("coup", {"mandatory_coup_at": 12}, "With 12 or more you must", "With 10"),
        ("coup", {"max_turns": 30}, "After 30 turns", "200"),
        ("coup", {"window_mode": "sealed"}, "collected in secret", "The first to challenge"),
        ("coup", {"two_player_first_coins": 0}, "with 0 golden dragons", "1 golden dragon."),
        ("chamber", {"start_lives": 3}, "start with 3 lives", "5 lives"),
        ("chamber", {"items_per_round": 2}, "get 2 new items", "4 new items"),
        ("chamber", {"add_life_rounds": 2}, "After round 2 you", "After round 5"),
        ("chamber", {"max_lives": 8}, "one more life, up to 8", "one more life."),
        ("chamber", {"live_min": 2, "live_max": 2}, "2 live and 1 to 6 blank", "1 to 6 live"),
        ("chamber", {}, "take their items as well", "Air Shot"),
        ("chamber", {"loot": False}, "their items are gone", "items as well."),
        ("chamber", {"rebalance_cap": 60}, "stops at 60%", "75%"),
        ("chamber", {"skip_cooldown": True}, "must have a turn before being skipped", ""),
        ("chamber", {"max_rounds": 9, "shoot_air_copies": 2}, "Air Shot", "lasted"),
        ("cards", {"hand_size": 9}, "draw up to 9 cards", "7 cards"),
        ("cards", {"points_to_win": 8}, "First to 8 points", "5 points"),
        ("cards", {"max_rounds": 12}, "after 12 rounds at the latest", "50"),
        ("cards", {"discard_cost": 2}, "cards for 2 points", "1 point"),
        ("cards", {"min_players_to_continue": 4}, "fewer than 4 players", "fewer than 3"),
        ("cards", {"reveal_ballots": True}, "sees who voted for what", "never shown"),
        ("cards", {"allow_late_join": True}, "in from the next round on", "match, you watch"),
        ("secret_hitler", {}, "a bot plays on", "doesn't vote"),
        ("secret_hitler", {"on_leave": "leave"}, "your seat doesn't vote", "a bot plays on"),
        ("secret_hitler", {"chat": "off"}, "There is no chat here", "Say what you like"),
        ("secret_hitler", {"rebalance": True}, "with 9 there are 9", "in the deck"),
    ],
)
def test_rules_follow_the_options(
    slug: str, options: dict[str, Any], said: str, not_said: str
) -> None:
    text = read(slug, **options)
    assert said in text
    assert not not_said or not_said not in text


@pytest.mark.parametrize(
    ("seats", "team", "knows", "deck", "powers"),
    [
        (5, "3 liberals, 1 fascist and Hitler", "Hitler know each other", 11, (3, 4, 5)),
        (7, "4 liberals, 2 fascists and Hitler", "liberals know nobody", 11, (2, 3, 4, 5)),
        (10, "6 liberals, 3 fascists and Hitler", "liberals know nobody", 11, (1, 2, 3, 4, 5)),
    ],
)
def test_secret_hitler_rules_show_teams_and_powers_of_the_table_size(
    seats: int, team: str, knows: str, deck: int, powers: tuple[int, ...]
) -> None:
    text = read("secret_hitler", seats)
    assert f"At this table: {team}" in text
    assert knows in text
    assert f"{deck} fascist policies in the deck" in text
    assert [n for n in range(1, 7) if f"Fascist policy {n}: " in text] == list(powers)
    assert ("next three policies" in text) == (seats < 7)
    assert ("more than five alive" in text) == (seats > 5)
    assert "election tracker" in text


@pytest.mark.parametrize(("seats", "fascist", "gift"), [(6, 10, True), (7, 10, False), (9, 9, 0)])
def test_rebalanced_deck_is_described(seats: int, fascist: int, gift: bool) -> None:
    text = read("secret_hitler", seats, rebalance=True)
    assert f"6 liberal and {fascist} fascist policies in the deck" in text
    assert ("already in place" in text) == bool(gift)


def test_two_players_of_iron_throne_start_with_different_coins() -> None:
    text = read("coup", 2, start_coins=5, two_player_first_coins=3)
    assert "The first player starts with 3 golden dragons, the second with 5" in text
    assert "With two players" not in read("coup", 4)
