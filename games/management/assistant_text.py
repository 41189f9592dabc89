"""Sentences for an assistant about the table, its events, and the moves it may make."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, get_args, get_type_hints

from games.contract.core import Options
from games.contract.data import Seat, Viewer, unpack
from games.contract.wording import Words
from games.contract.words import Text
from games.management.match_file import plain_text
from games.registry import GAMES
from games.tables.sentences import say
from games.wire.wire import read_data
from parlour_client import Json, Move, Offer, OneOf, Some

LANGUAGE = "en"
EMPTY: tuple[Any, ...] = (None, [], {}, "")


class TableInWords:
    """The data of a table with the sentences of its game."""

    def __init__(self, data: Json) -> None:
        self.data, self.game = data, GAMES[data["game"]]
        self.players = [one for one in data["players"] if one["seat"] is not None]
        self.names = [one["username"] for one in self.players]
        you = data["you"]
        self.seat: Viewer = Seat(self.names.index(you)) if you in self.names else None
        options: Options = unpack(data["options"], self.game.rules.options)
        self.words: Words[Any] = self.game.telling.words(options)

    def say(self, text: Text | None) -> str:
        """Return a sentence to the seat, or "" if there is none."""
        return "" if text is None else say(text, self.names, LANGUAGE, self.seat)

    def sentence(self, event: Json) -> str:
        """Return the sentence for an event, or "" if it has none."""
        plain = {name: value for name, value in event.items() if name != "version"}
        return self.say(self.words.event(read_data(plain, self.game.rules.events, self.names)))

    @property
    def view(self) -> Any:
        """The view of the seat, as the game's own object."""
        known = {**self.data["view"], "players": self.facts}
        return read_data(known, self.game.rules.view_type, self.names)

    @property
    def facts(self) -> list[Json]:
        """The game's facts about each player."""
        (kind, _) = get_args(get_type_hints(self.game.rules.view_type)["players"])
        names = kind.__struct_encode_fields__
        return [{name: one[name] for name in names if name in one} for one in self.players]

    def board(self) -> Iterator[str]:
        """Yield the question, the players, and the rest of the view."""
        outcome, view = self.data["outcome"], self.data["view"]
        if outcome is not None:
            winners = ", ".join(outcome["winners"]) or "nobody"
            yield f"The match is over ({outcome['reason']}). Winners: {winners}."
        if self.data["status"] != "playing" or view is None:
            yield f"Players: {', '.join(one['username'] for one in self.data['players'])}."
            return
        yield f"Now: {self.say(self.words.prompt(self.view, self.seat))}"
        for name, facts in zip(self.names, self.facts, strict=True):
            yield f"* {name}: {plain_text(facts)}"
        yield from (f"  {name}: {plain_text(of)}" for name, of in view.items() if of not in EMPTY)

    def label(self, move: str, argument: str, value: Any) -> str:
        """Return the words for a choice, or "" if it needs none."""
        if value in self.names:
            return ""
        return self.say(self.words.choice(self.view, move, argument, value))


def moves(offers: Sequence[Offer], table: TableInWords) -> Iterator[str]:
    """Yield the moves that are offered, with all values of their arguments."""
    if not offers:
        yield "Nothing to decide. Use `wait`."
        return
    yield "Your moves (for `act`):"
    for offer in offers:
        name = table.say(table.words.move(offer.move))
        risk = " Risky: it costs you something at once." if offer.risky else ""
        yield f'* move "{offer.move}" ({name}).{risk}'
        for argument, choices in offer.args.items():
            labels = (
                (json.dumps(value), table.label(offer.move, argument, value))
                for value in choices.values
            )
            values = ", ".join(f"{value} ({label})" if label else value for value, label in labels)
            yield f'  argument "{argument}": {_how_many(choices)}{values}'


def _how_many(choices: OneOf | Some) -> str:
    if isinstance(choices, OneOf):
        return "one of "
    number = str(choices.least)
    if choices.most != choices.least:
        number = f"{number} to {choices.most}"
    return f"a list of {number}{' in order' if choices.ordered else ''} of "


def why_not(chosen: Move, offers: Sequence[Offer]) -> str:
    """Return why a move is not offered, and what to do instead."""
    named = [offer for offer in offers if offer.move == chosen.name]
    if not offers:
        return "The table does not ask you now. Use `wait`."
    if not named:
        return f"{chosen.name} is not possible now. Choose one of the moves below."
    return f"{chosen} is not possible now: the arguments must be exactly those listed below."
