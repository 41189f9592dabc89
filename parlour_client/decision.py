"""A question that is put to us, with everything one may know to answer it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from parlour_client.offers import Dice, Json, Move, Offer, read_offers


@dataclass(frozen=True)
class Decision:
    """`data` is the whole `GameDataSync.data`; `heard` every event of this match we were told,
    `news` those since the decision before. `offers` is what may be done."""

    data: Json
    heard: Sequence[Json]
    news: Sequence[Json]
    offers: tuple[Offer, ...]
    dice: Dice

    @property
    def game(self) -> str:
        return str(self.data["game"])

    @property
    def me(self) -> str:
        """Our own username."""
        return str(self.data["you"])

    @property
    def prompt(self) -> int:
        """The number of this question; whatever is sent with an old one changes nothing."""
        return int(self.data["prompt"])

    @property
    def view(self) -> Json:
        """What we may know of the match (rules: the table *View* of each game)."""
        view: Json = self.data["view"]
        return view

    @property
    def phase(self) -> str:
        return str(self.view["phase"])

    @property
    def players(self) -> list[Json]:
        """Everybody with a seat, in seat order, with the game's public facts."""
        return [player for player in self.data["players"] if player["seat"] is not None]

    @property
    def alive(self) -> list[Json]:
        """The players who are still in."""
        return [player for player in self.players if not player["isSpectator"]]

    @property
    def others(self) -> list[Json]:
        """The players who are still in, without us."""
        return [player for player in self.alive if player["username"] != self.me]

    def player(self, username: str) -> Json:
        """The entry of `players` of this name. Raise KeyError."""
        for player in self.data["players"]:
            if player["username"] == username:
                found: Json = player
                return found
        raise KeyError(username)

    @property
    def needed(self) -> bool:
        """Whether the table waits for us; False for what one only may do (a discard in Cards)."""
        return self.me in self.data["awaited"] or not self.data["awaited"]

    @property
    def safe(self) -> tuple[Offer, ...]:
        """The offers that lose or cost nothing at once; all of them where each does."""
        return tuple(offer for offer in self.offers if not offer.risky) or self.offers

    def offer(self, move: str) -> Offer | None:
        """The first offer of this move, one that is not risky before one that is; else None."""
        named = sorted((o for o in self.offers if o.move == move), key=lambda o: o.risky)
        return named[0] if named else None

    def can(self, move: str) -> bool:
        """Whether this move may be made now, with some arguments."""
        return self.offer(move) is not None

    def maybe(self, move: str, **given: object) -> Move | None:
        """A move by its name, if it is offered so; arguments that are not given are drawn."""
        fitting = [offer for offer in self.offers if offer.move == move and _fits(offer, given)]
        return min(fitting, key=lambda o: o.risky).choose(**given) if fitting else None

    def choose(self, move: str, **given: object) -> Move:
        """As `maybe`, where it has to be. Raise ValueError with a sentence when it is not."""
        chosen = self.maybe(move, **given)
        if chosen is None:
            offered = ", ".join(dict.fromkeys(offer.move for offer in self.offers))
            raise ValueError(f"{Move(move, given)} is not offered; there is {offered}.")
        return chosen

    def random(self) -> Move | None:
        """Any move, each as likely as the other, none that is risky without need.

        None when we are asked nothing, and what one may do would cost.
        """
        if not self.needed and self.safe[0].risky:
            return None
        weights = [offer.weight for offer in self.safe]
        return self.dice.choices(self.safe, weights)[0].random()

    def moves(self) -> Iterator[Move]:
        """Every move there is, risky ones too."""
        for offer in self.offers:
            yield from offer

    def __contains__(self, move: object) -> bool:
        return any(move in offer for offer in self.offers)


def read_decision(
    data: Json, heard: Sequence[Json], news: Sequence[Json], dice: Dice
) -> Decision | None:
    """The decision in a sync's data; None where nothing is offered."""
    offers = read_offers(data["offers"], dice)
    return Decision(data, heard, news, offers, dice) if offers else None


def _fits(offer: Offer, given: Mapping[str, object]) -> bool:
    return all(name in offer.args and value in offer.args[name] for name, value in given.items())
