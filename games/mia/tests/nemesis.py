"""An opponent for two-player Mia that knows which tables `hard` mixes and replies optimally."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from games.contract.core import ClaimMade, Event, Move, Offer
from games.contract.data import Seat
from games.contract.luck import Luck
from games.mia.bots.hard import Mixture, mixture
from games.mia.bots.odds import TOP, chances
from games.mia.bots.responses import Losses, Rules, Strategy, losses_by_place
from games.mia.bots.rounds import Place, after, sayable
from games.mia.bots.tables import Table, kept, reply, solved
from games.mia.rules.state import Announce, Continue, MiaView, Roll, See, ranking

RULES = Rules(2)


def nemesis(
    seat: Seat,
    view: MiaView,
    offers: Sequence[Offer],
    heard: Sequence[Event],
    said: Sequence[ClaimMade],
    luck: Luck,
) -> Move:
    """Choose the move that loses the round least often against `hard` from here on."""
    names = {offer.move for offer in offers}
    if "Continue" in names:
        return Continue()
    values = ranking(False)
    words = [values.index(made.dice) for made in view.announcements]
    mixed = mixture(_other(view, seat), view, heard, values, must_raise=True)
    if "Announce" in names:
        assert view.dice is not None
        return Announce(values[_best_word(mixed, _place(words), values.index(view.dice))])
    if not words:
        return Roll()
    return See() if _sees(mixed, _place(words[:-1]), words[-1]) else Roll()


def _best_word(mixed: Mixture, place: Place, own: int) -> int:
    words = sayable(place, True)
    if own == TOP or not words:
        return TOP
    strategy, behind = _answered(_name(mixed))

    def loss(word: int) -> float:
        seen = strategy.sees(place, word)
        return seen * (own < word) + (1 - seen) * behind[after(place, word)][-1]

    return min(words, key=loss)


def _sees(mixed: Mixture, place: Place, word: int) -> bool:
    strategy, behind = _answered(_name(mixed))
    told = true = 0.0
    for dice, chance in enumerate(chances(False)):
        part = chance * strategy.says(place, dice).get(word, 0.0)
        told, true = told + part, true + part * (dice >= word)
    return told == 0 or true < told * behind[after(place, word)][0]


@lru_cache(maxsize=1000)
def _answered(name: tuple[tuple[float, str], ...]) -> tuple[Strategy, dict[Place, Losses]]:
    tables = [(part, _table(one)) for part, one in name]

    def says(place: Place, dice: int) -> dict[int, float]:
        found: dict[int, float] = {}
        for part, table in tables:
            for word, often in table.says(place, dice).items():
                found[word] = found.get(word, 0.0) + part * often
        return found

    strategy = Strategy(
        says, lambda place, word: sum(part * t.sees(place, word) for part, t in tables)
    )
    return strategy, dict(losses_by_place(None, strategy, RULES))


def _name(mixed: Mixture) -> tuple[tuple[float, str], ...]:
    """Return the mixture together with the names of its tables."""
    return tuple((part, _names()[id(table)]) for part, table in mixed)


def _names() -> dict[int, str]:
    replies = {id(reply(name)): name for name in kept().worth if name in kept().tables}
    return replies | {id(solved(False, True, 2)): ""}


def _table(name: str) -> Table:
    return reply(name) if name else solved(False, True, 2)


def _place(words: Sequence[int]) -> Place:
    return Place(words[-1]) if words else Place()


def _other(view: MiaView, seat: Seat) -> Seat:
    return view.order[1] if view.order[0] == seat else view.order[0]
