"""The type of a question to us (`Decision`), and how it is read from a sync."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from parlour_client.offers import Dice, Json, Move, Offer, read_offers


@dataclass(frozen=True)
class Decision:
    """A question that we may answer, with what we know about the match.

    `data` is the complete `GameDataSync.data`. `heard` contains all events of this match that we
    received, and `news` the events since the previous decision. `offers` are the allowed moves.
    """

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
        """Our username."""
        return str(self.data["you"])

    @property
    def prompt(self) -> int:
        """The number of this question. Moves with an old number have no effect."""
        return int(self.data["prompt"])

    @property
    def view(self) -> Json:
        """The part of the match that we may know (table *View* in the rules of each game)."""
        view: Json = self.data["view"]
        return view

    @property
    def phase(self) -> str:
        return str(self.view["phase"])

    @property
    def players(self) -> list[Json]:
        """All players with a seat, in seat order, with the game's public facts."""
        return [player for player in self.data["players"] if player["seat"] is not None]

    @property
    def alive(self) -> list[Json]:
        """The players who are still in."""
        return [player for player in self.players if not player["isSpectator"]]

    @property
    def others(self) -> list[Json]:
        """The players who are still in, except us."""
        return [player for player in self.alive if player["username"] != self.me]

    def player(self, username: str) -> Json:
        """Return the entry of `players` with this name. Raise KeyError if there is none."""
        for player in self.data["players"]:
            if player["username"] == username:
                found: Json = player
                return found
        raise KeyError(username)

    @property
    def needed(self) -> bool:
        """Whether the table waits for us. False for optional moves, such as a discard in Cards."""
        return self.me in self.data["awaited"] or not self.data["awaited"]

    @property
    def safe(self) -> tuple[Offer, ...]:
        """The offers that are not risky, or all offers if all are risky."""
        return tuple(offer for offer in self.offers if not offer.risky) or self.offers

    def offer(self, move: str) -> Offer | None:
        """Return the first offer of this move, or None if there is none.

        Prefer offers that are not risky.
        """
        named = sorted((o for o in self.offers if o.move == move), key=lambda o: o.risky)
        return named[0] if named else None

    def can(self, move: str) -> bool:
        """Whether this move is among the offers, whatever its arguments."""
        return self.offer(move) is not None

    def maybe(self, move: str, **given: object) -> Move | None:
        """Return a move by name, or None if it is not offered.

        Missing arguments are drawn at random.
        """
        fitting = [offer for offer in self.offers if offer.move == move and _fits(offer, given)]
        return min(fitting, key=lambda o: o.risky).choose(**given) if fitting else None

    def choose(self, move: str, **given: object) -> Move:
        """Return a move like `maybe`. Raise ValueError if it is not offered."""
        chosen = self.maybe(move, **given)
        if chosen is None:
            offered = ", ".join(dict.fromkeys(offer.move for offer in self.offers))
            raise ValueError(f"{Move(move, given)} is not offered. Offered: {offered}.")
        return chosen

    def random(self) -> Move | None:
        """Return a random move, each equally likely. Risky moves are avoided.

        Return None if the table does not wait for us and all moves are risky.
        """
        if not self.needed and self.safe[0].risky:
            return None
        weights = [offer.weight for offer in self.safe]
        return self.dice.choices(self.safe, weights)[0].random()

    def moves(self) -> Iterator[Move]:
        """Yield all moves, including risky ones."""
        for offer in self.offers:
            yield from offer

    def __contains__(self, move: object) -> bool:
        return any(move in offer for offer in self.offers)


def read_decision(
    data: Json, heard: Sequence[Json], news: Sequence[Json], dice: Dice
) -> Decision | None:
    """Return the decision in the data of a sync, or None if nothing is offered."""
    offers = read_offers(data["offers"], dice)
    return Decision(data, heard, news, offers, dice) if offers else None


def _fits(offer: Offer, given: Mapping[str, object]) -> bool:
    return all(name in offer.args and value in offer.args[name] for name, value in given.items())
