"""The reasons of `hard` bots in each game, and the sentences that explain them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from games.chamber.rules.state import ShootPlayer
from games.chamber.tests.tables import table as chamber
from games.contract.core import Decision, Event, ReasoningBot, decision
from games.contract.data import Seat, decode, encode
from games.contract.game import AnyGame
from games.contract.luck import BotLuck
from games.contract.reasons import Reason, outweighs
from games.coup.rules.state import ActionDeclared, Challenge, Coup, Tax
from games.coup.tests.table import scene
from games.management.arena import play
from games.mia.rules.state import See
from games.mia.tests.table import Table as MiaTable
from games.registry import GAMES
from games.secret_hitler.tests.table import C, D, E
from games.secret_hitler.tests.table import Table as Government
from games.tables.sentences import say
from tests.kit.altered import altered
from tests.kit.scene import A, B

HARD = [slug for slug, game in GAMES.items() if "hard" in game.bots.levels]
NAMES = ("Ann", "Bela", "Cato", "Dora", "Enzo", "Fay", "Gus")


def all_decisions(slug: str, seats: int, seeds: Sequence[int]) -> list[tuple[Seat, Decision]]:
    """Return every decision of `hard` bots in these matches."""
    game, found = GAMES[slug], list[tuple[Seat, Decision]]()

    def watched(seat: Seat, *asked: Any) -> Decision:
        made = decision(game.bots.levels["hard"], seat, *asked)
        found.append((seat, made))
        return made

    spied: AnyGame = altered(game, levels={**game.bots.levels, "hard": ReasoningBot(watched)})
    for seed in seeds:
        play(spied, game.rules.options(), ["hard"] * seats, seed, Seat(0))
    return found


@pytest.mark.parametrize(
    ("slug", "seats", "matches"),
    [("mia", 2, 6), ("chamber", 2, 3), ("coup", 2, 1), ("secret_hitler", 7, 2)],
)
def test_every_reason_can_be_stored_and_put_into_words(slug: str, seats: int, matches: int) -> None:
    words = GAMES[slug].telling.words(GAMES[slug].rules.options())
    told = set[str]()
    for seat, made in all_decisions(slug, seats, range(matches)):
        if made.reason is None:
            continue
        assert decode(encode(made.reason), Reason) == made.reason
        assert made.reason.gap <= 1
        text = words.reason(seat, made.reason)
        assert text is not None, made.reason
        sentence = say(text, NAMES, "en")
        assert sentence.startswith(NAMES[seat])
        assert "%(" not in sentence
        told.add(made.reason.key)
    assert told


def test_every_hard_bot_gives_reasons() -> None:
    reasoning = {
        s for s, game in GAMES.items() if isinstance(game.bots.levels.get("hard"), ReasoningBot)
    }
    assert reasoning == set(HARD)


def test_clearest_reason_is_chosen_and_ties_go_to_the_first() -> None:
    weak, strong = Reason(key="weak", gap=0.1), Reason(key="strong", gap=0.6)
    assert outweighs(weak, None)
    assert outweighs(strong, weak)
    assert not outweighs(weak, strong)
    assert not outweighs(strong, Reason(key="first", gap=0.6))
    assert not outweighs(Reason(key="worse than the rest", gap=-0.2), None)


def decides(
    slug: str, state: Any, seat: Seat, heard: Sequence[Event] = (), luck: int = 1
) -> Decision:
    """Return the move of `hard` in this situation, and the reason for it."""
    game = GAMES[slug]
    view, offers = game.rules.view(state, seat), game.rules.offers(state, seat)
    return decision(game.bots.levels["hard"], seat, view, offers, heard, (), BotLuck(b"why", luck))


def told(slug: str, seat: Seat, made: Decision, reader: Seat | None = None) -> str:
    assert made.reason is not None
    text = GAMES[slug].telling.words(GAMES[slug].rules.options()).reason(seat, made.reason)
    assert text is not None
    return say(text, NAMES, "en", reader)


def test_mia_call_is_explained_by_its_odds() -> None:
    table = MiaTable(2)
    heard: list[Event] = [*table.told]
    for who, dice in ((A, "6,5"), (B, "3,3"), (A, "5,5")):
        table.roll(who, dice)
        heard += [event for event in table.told if not hasattr(event, "dice")]
        table.announce(who, dice)
        heard += table.told
    made = next(
        made
        for luck in range(40)
        if (made := decides("mia", table.state, B, heard, luck)).move == See()
    )
    assert made.reason is not None
    assert made.reason.key == "call"
    assert made.reason.seats == {"who": A}
    assert 0 < made.reason.numbers["true"] < 100
    assert made.reason.numbers["beaten"] == 8, "6-6 and Mia: 3 of 36 rolls"
    assert told("mia", B, made, reader=A).startswith("Bela called your 5-5: by its reckoning")
    assert told("mia", B, made).startswith("Bela called Ann's 5-5")


def test_iron_throne_challenge_is_explained_by_the_visible_cards() -> None:
    """Two of three copies are in the bot's own hand, so the claim is unlikely to be true."""
    table = scene(("hound", "arya"), ("baelish", "baelish"), coins=(2, 6))
    table.do(A, Tax())
    made = decides("coup", table.state, B, (ActionDeclared(A, "Tax", None, "baelish"),))
    assert made.move == Challenge()
    assert made.reason is not None
    assert made.reason.numbers["seen"] == 2
    assert made.reason.numbers["won"] > made.reason.numbers["other"]
    assert "with 2 of 3 cards in sight" in told("coup", B, made)
    assert told("coup", B, made, reader=A).startswith("Bela didn't believe that you had Petyr")


def test_obvious_move_has_no_reason() -> None:
    """Examples: the Coup that ends the match, and a claim nobody can have."""
    assert decides("coup", scene(("arya",), ("hound",), coins=(7, 2)).state, A) == (Coup(B), None)
    live = chamber("L", n=2, lives={A: 1, B: 1})
    assert decides("chamber", live, A) == (ShootPlayer(B), None)


def test_fascists_vote_is_explained_as_a_disguise_only_if_it_is_one() -> None:
    """With four liberal policies, fascists vote for their own side instead of acting innocent."""
    for liberal, hidden in ((0, True), (4, False)):
        table = Government("LHFLLLF", deck="FFLFFLFFLFFLFFL", liberal=liberal)
        table.govern(D).nominate(E)
        made = decides("secret_hitler", table.state, C)
        assert (made.reason is not None) == hidden
        if made.reason is not None:
            assert made.reason.key.startswith("hidden ")
