"""Reads the cards from a file in any format, and reports each problem with its position."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec
from django.utils.translation import gettext

from games.cards.decks.decoding import Unreadable
from games.cards.decks.json_files import FilePack, packs_in, rows_of
from games.cards.decks.rows import LONGEST_TEXT, Row
from games.cards.decks.tables import table_rows
from games.cards.rules.packs import (
    BLANK,
    LAST_NUMBER,
    MOST_ANSWERS,
    MOST_PICKED,
    MOST_PROMPTS,
    TAGS,
    Answer,
    Pack,
    PackError,
    Prompt,
    checked_answer,
    checked_prompt,
)
from games.tables.sentences import say

MOST_PROBLEMS = 50
"""Maximum problems that are shown."""

_TYPES: Mapping[str, Mapping[str, Any]] = {
    kind: {field.encode_name: field.type for field in msgspec.structs.fields(card)}
    for kind, card in (("prompt", Prompt), ("answer", Answer))
}


@dataclass(frozen=True)
class Found:
    """A card and its position in the file.

    The card's number is only meaningful if the card is `numbered`.
    """

    where: str
    card: Prompt | Answer
    numbered: bool


def read_cards(text: str, packs: Sequence[FilePack]) -> tuple[list[Found], list[str]]:
    """Return the cards of a file, and an error message for each invalid entry. Raise
    Unreadable if the file cannot be read.

    `packs` are the selected packs of a JSON file.
    """
    cards: list[Found] = []
    problems: list[str] = []
    for where, kind, fields in _rows(text, packs):
        try:
            cards.append(Found(where, _card(kind, fields), "number" in fields))
        except PackError as problem:
            problems.append(f"{where}: {say(problem.text)}.")
        except Unreadable as problem:
            problems.append(f"{where}: {problem}.")
    return cards, problems


def packs_of_file(text: str) -> list[FilePack]:
    """Return the packs of a JSON file, or an empty list for a file of another format.

    Raise Unreadable if the JSON cannot be read.
    """
    return packs_in(text) if _is_json(text) else []


def source_of(cards: Sequence[Found]) -> str:
    """Return the cards as a JSON file that can be read again with the same result."""
    lists: dict[str, list[dict[str, Any]]] = {"prompts": [], "answers": []}
    for one in cards:
        fields = msgspec.to_builtins(one.card)
        if not one.numbered:
            fields.pop("number")
        lists["prompts" if isinstance(one.card, Prompt) else "answers"].append(fields)
    return msgspec.json.encode(lists).decode()


def as_json(pack: Pack) -> bytes:
    """Return a pack as a JSON file that can be uploaded again."""
    return msgspec.json.format(msgspec.json.encode(pack), indent=1)


def _rows(text: str, packs: Sequence[FilePack]) -> Sequence[Row]:
    """Return the rows of a file. Raise Unreadable if there are no rows or too many for a deck."""
    rows = rows_of(packs) if packs else table_rows(text)
    kept = list(islice(rows, MOST_PROMPTS + MOST_ANSWERS + 1))
    if not kept:
        raise Unreadable(gettext("There are no cards in it."))
    if len(kept) > MOST_PROMPTS + MOST_ANSWERS:
        raise Unreadable(
            gettext("Too many cards: at most %(prompts)s prompts and %(answers)s answers.")
            % {"prompts": MOST_PROMPTS, "answers": MOST_ANSWERS}
        )
    return kept


def _is_json(text: str) -> bool:
    """Whether a text is JSON. Plain text may also begin with `{}`, which is a blank."""
    start = text.lstrip()
    return start[0] in "{[" and not start.startswith("{}")


def _card(kind: str, fields: dict[str, Any]) -> Prompt | Answer:
    if kind not in _TYPES:
        raise Unreadable(gettext("the kind is neither prompt nor answer"))
    given = {"number": LAST_NUMBER, **fields}
    try:
        if kind == "prompt":
            given.setdefault("cardsToPick", _picked(given.get("text")))
            return checked_prompt(msgspec.convert(given, Prompt))
        return checked_answer(msgspec.convert(given, Answer))
    except (msgspec.ValidationError, UnicodeEncodeError):  # the second for a lone surrogate
        raise Unreadable(_unfit(_TYPES[kind], fields)) from None


def _picked(text: object) -> int:
    """Return the default number of answers to a prompt: one for each blank."""
    return min(max(1, str(text)[:LONGEST_TEXT].count(BLANK)), MOST_PICKED)


def _unfit(types: Mapping[str, Any], fields: Mapping[str, Any]) -> str:
    """Return the error message for the first invalid field of a card."""
    for name, value in fields.items():
        if name not in types:
            shown = name if name.isprintable() and len(name) <= 30 else "…"
            return gettext("there is no %(name)s here") % {"name": shown}
        if not _fits(value, types[name]):
            return _demand(name)
    return gettext("the text is missing")


def _fits(value: Any, type_: Any) -> bool:
    try:
        msgspec.convert(value, type_)
    except (msgspec.ValidationError, UnicodeEncodeError):
        return False
    return True


def _demand(name: str) -> str:
    match name:
        case "number":
            text = gettext("number must be a whole number from 1 to %(last)s")
            return text % {"last": LAST_NUMBER}
        case "cardsToPick":
            return gettext("cardsToPick (in CSV: pick) must be 1, 2 or 3")
        case "cardsToDraw":
            return gettext("cardsToDraw (in CSV: draw) must be 0, 1, 2 or 3")
        case "tags":
            return gettext("tags may be up to three of %(tags)s") % {"tags": ", ".join(TAGS)}
        case _:
            return gettext("put the text in quotation marks")
