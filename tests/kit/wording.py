"""Every event, question, button and choice has its sentence."""

from __future__ import annotations

from typing import Any

from games.contract.core import OneOf
from games.contract.lesson import Moment
from games.contract.words import Text
from games.tables.sentences import emphasized
from tests.kit.play import Playthrough

NAMES = tuple("ABCDEFGHIJKLMNOPQRST")


def words_are_complete(playthrough: Playthrough) -> None:
    """Every event, question, button and choice has its sentence."""
    game, words = playthrough.game, playthrough.game.telling.words(playthrough.options)
    for told in playthrough.change.told:
        if (line := words.event(told.event)) is not None:
            is_sentence(line)
    for viewer in (None, *playthrough.seats):
        view = game.rules.view(playthrough.state, viewer)
        asked = words.prompt(view, viewer)
        is_sentence(asked)
        if viewer is None:
            continue
        if viewer in game.rules.awaited(playthrough.state):
            assert "<strong>" in emphasized(asked, NAMES, "en", viewer), (
                f"nothing stands out: {asked}"
            )
        offers = game.rules.offers(playthrough.state, viewer)
        _is_said(words.explain(Moment(viewer, view, offers)))
        for offer in offers:
            is_sentence(words.move(offer.move))
            _is_said(words.hint(view, viewer, offer.move, {}))
            for name, choices in offer.args.items():
                listed = choices.one_of if isinstance(choices, OneOf) else choices.some
                for value in listed[:20]:
                    _is_said(words.choice(view, offer.move, name, value))
                    _is_said(words.hint(view, viewer, offer.move, {name: value}))
                    assert words.truth(view, offer.move, {name: value}) in (True, False)
    if ended := game.rules.outcome(playthrough.state):
        is_sentence(
            words.ending(game.rules.view(playthrough.state, None), ended.winners, ended.reason)
        )


def _is_said(text: Text | None) -> None:
    if text is not None:
        is_sentence(text)


def is_sentence(text: Text) -> None:
    """Check that a text exists, and has a value for every placeholder."""
    for form in (text.id, text.plural or text.id):
        assert form.strip()
        form % _Facts(text.facts)
        assert form.count("**") % 2 == 0, f"half of what is to stand out is missing: {form}"
    for fact in text.facts.values():
        for part in fact if isinstance(fact, tuple) else (fact,):
            if isinstance(part, Text):
                is_sentence(part)
    for own in text.to_you.values():
        is_sentence(own)


class _Facts(dict[str, Any]):
    def __missing__(self, name: str) -> str:
        raise AssertionError(f"no fact for %({name})s")
