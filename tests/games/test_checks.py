"""`manage.py check` lists the texts that a game lacks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from games.checks import games_are_complete, missing_refusals, missing_terms, names_fit
from games.contract.game import AnyGame
from games.contract.wording import Words
from games.contract.words import Text
from games.registry import GAMES
from tests.kit.altered import altered


def reworded(game: AnyGame, **changes: Any) -> AnyGame:
    def words(options: Any) -> Words[Any]:
        return replace(game.telling.words(options), **changes)

    return altered(game, words=words)


@pytest.mark.parametrize("slug", GAMES)
def test_games_have_all_their_terms_and_refusals(slug: str) -> None:
    assert missing_terms(GAMES[slug]) == []
    assert missing_refusals(GAMES[slug]) == []


def test_slug_that_differs_from_the_folder_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "mia", replace(GAMES["mia"], slug="mai"))
    [error] = [one for one in games_are_complete(None) if one.id == "games.E005"]
    assert error.msg == "Mia has the slug 'mai': change it to 'mia', its folder."


def test_names_too_long_for_their_columns_are_reported() -> None:
    game = GAMES["mia"]
    level = game.bots.levels["random"]
    long = replace(game, slug="a" * 21, bots=replace(game.bots, levels={"b" * 11: level}))
    assert [one.msg for one in names_fit(long)] == [
        f"Mia: the slug {'a' * 21!r} is longer than 20 letters.",
        f"Mia: the bot level {'b' * 11!r} is longer than 10 letters.",
    ]
    assert not list(names_fit(game))


@pytest.mark.parametrize(
    ("slug", "name"),
    [("mia", "scoring"), ("mia", "dice"), ("coup", "sealed"), ("chamber", "shooter")],
)
def test_missing_term_is_reported(slug: str, name: str) -> None:
    game = GAMES[slug]
    terms = {
        one: term
        for one, term in game.telling.words(game.rules.options()).terms.items()
        if one != name
    }
    assert missing_terms(reworded(game, terms=terms)) == [name]


@pytest.mark.parametrize("answer", ["no words", "the code", "a sentence for any code"])
def test_missing_refusal_is_reported(answer: str) -> None:
    game = GAMES["mia"]
    kept = game.telling.words(game.rules.options()).refusal

    def refusal(code: str, facts: Any) -> Text:
        if code != "bad_dice":
            return kept(code, facts)
        if answer == "no words":
            raise KeyError(code)
        return Text(code) if answer == "the code" else kept("no such code", facts)

    assert missing_refusals(reworded(game, refusal=refusal)) == ["bad_dice"]
