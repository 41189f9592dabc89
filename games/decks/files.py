"""Files of decks: from bytes to cards, with what is wrong said by its line; and back to bytes."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import msgspec
from django.utils.translation import gettext

from games.language.sentences import say
from games.rules.cards.packs import (
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

LONGEST = 2 * 1024 * 1024
"""Bytes of a file, be it brought or given out."""
MOST_PROBLEMS = 50
COLUMNS = ("kind", "number", "text", "pick", "draw", "tags")
FORMULA = ("=", "+", "-", "@", "\t", "\r")

_IN_JSON = {"number": "number", "pick": "cardsToPick", "draw": "cardsToDraw"}
_TYPES: Mapping[str, Mapping[str, Any]] = {
    kind: {field.encode_name: field.type for field in msgspec.structs.fields(card)}
    for kind, card in (("prompt", Prompt), ("answer", Answer))
}

Row = tuple[str, str, dict[str, Any]]
"""Where it stands, prompt or answer, its fields as JSON has them."""


class Unreadable(Exception):
    """A file, or one card in it, cannot be read; the sentence says why."""


@dataclass(frozen=True)
class Found:
    """A card and where it stands. If it is not `numbered`, the number it has means nothing."""

    where: str
    card: Prompt | Answer
    numbered: bool


def read_cards(data: bytes) -> tuple[list[Found], list[str]]:
    """The cards of a JSON or CSV file, and a sentence for each that is none. Raise Unreadable.

    After so many sentences as anybody would read, the rest of the file is not looked at.
    """
    cards: list[Found] = []
    problems: list[str] = []
    for where, kind, fields in _rows(data):
        if len(problems) == MOST_PROBLEMS:
            break
        try:
            cards.append(Found(where, _card(kind, fields), "number" in fields))
        except PackError as problem:
            problems.append(f"{where}: {say(problem.text)}.")
        except Unreadable as problem:
            problems.append(f"{where}: {problem}.")
    return cards, problems


def as_json(pack: Pack) -> bytes:
    """A pack as a file that can be brought again."""
    return msgspec.json.format(msgspec.json.encode(pack), indent=1)


def as_csv(pack: Pack) -> bytes:
    """A pack as a table. No cell is taken for a formula by a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(COLUMNS)
    for prompt in pack.prompts:
        tags = " ".join(prompt.tags)
        cells = (prompt.number, _harmless(prompt.text), prompt.cards_to_pick, prompt.cards_to_draw)
        writer.writerow(("prompt", *cells, tags))
    for answer in pack.answers:
        writer.writerow(
            ("answer", answer.number, _harmless(answer.text), "", "", " ".join(answer.tags))
        )
    return out.getvalue().encode()


def _rows(data: bytes) -> Sequence[Row]:
    """The rows of a file, no more of them than a deck has cards."""
    if len(data) > LONGEST:
        raise Unreadable(gettext("The file is too large: 2 MiB at most."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        where = data[: problem.start].count(b"\n") + 1
        raise Unreadable(
            gettext("The file is not UTF-8: line %(line)s cannot be read.") % {"line": where}
        ) from None
    if not text.strip():
        raise Unreadable(gettext("The file is empty."))
    rows = _json_rows(text) if text.lstrip()[0] in "{[" else _csv_rows(text)
    kept = list(islice(rows, MOST_PROMPTS + MOST_ANSWERS + 1))
    if not kept:
        raise Unreadable(gettext("There are no cards in it."))
    if len(kept) > MOST_PROMPTS + MOST_ANSWERS:
        raise Unreadable(
            gettext("Too many cards: at most %(prompts)s prompts and %(answers)s answers.")
            % {"prompts": MOST_PROMPTS, "answers": MOST_ANSWERS}
        )
    return kept


def _json_rows(text: str) -> Iterator[Row]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        raise Unreadable(
            gettext("This is not JSON: line %(line)s, column %(column)s.")
            % {"line": problem.lineno, "column": problem.colno}
        ) from None
    except (RecursionError, ValueError):
        raise Unreadable(gettext("This JSON is not a deck.")) from None
    places = (("prompt", gettext("prompt %(at)s")), ("answer", gettext("answer %(at)s")))
    for kind, place in places:
        cards = found.get(f"{kind}s") if isinstance(found, dict) else None
        if not isinstance(cards, list):
            raise Unreadable(gettext("A deck has two lists: prompts and answers."))
        for at, card in enumerate(cards, 1):
            fields = card if isinstance(card, dict) else {"text": card}
            yield place % {"at": at}, kind, fields


def _csv_rows(text: str) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = [cell.strip().lower() for cell in next(reader)]
        if not {"kind", "text"} <= set(header) <= set(COLUMNS) or len(header) > len(set(header)):
            columns = ", ".join(COLUMNS)
            raise Unreadable(
                gettext("The first line names the columns: %(columns)s.") % {"columns": columns}
            )
        for cells in reader:
            if any(cells):
                where = gettext("line %(line)s") % {"line": reader.line_num}
                yield _csv_row(where, header, cells)
    except csv.Error:
        raise Unreadable(
            gettext("Line %(line)s is not valid CSV: check its quotation marks.")
            % {"line": reader.line_num}
        ) from None


def _csv_row(where: str, header: list[str], cells: list[str]) -> Row:
    row = dict(zip(header, (cell.strip() for cell in cells), strict=False))
    fields: dict[str, Any] = {"text": _as_written(row.get("text", ""))}
    if len(cells) > len(header):
        fields[gettext("column %(at)s") % {"at": len(header) + 1}] = cells[len(header)]
    for column, name in _IN_JSON.items():
        if value := row.get(column):
            fields[name] = int(value) if value.isdecimal() and len(value) < 8 else value
    if tags := row.get("tags"):
        fields["tags"] = tags.replace(",", " ").split()
    return where, row.get("kind", "").lower(), fields


def _card(kind: str, fields: dict[str, Any]) -> Prompt | Answer:
    if kind not in _TYPES:
        raise Unreadable(gettext("the kind is neither prompt nor answer"))
    given = {"number": LAST_NUMBER, **fields}
    try:
        if kind == "prompt":
            given.setdefault("cardsToPick", _picked(given.get("text")))
            return checked_prompt(msgspec.convert(given, Prompt))
        return checked_answer(msgspec.convert(given, Answer))
    except (msgspec.ValidationError, UnicodeEncodeError):  # the latter: half a surrogate pair
        raise Unreadable(_unfit(_TYPES[kind], fields)) from None


def _picked(text: object) -> int:
    """How many cards a prompt asks for that does not say it: one for each of its blanks."""
    return min(max(1, str(text).count(BLANK)), MOST_PICKED)


def _unfit(types: Mapping[str, Any], fields: Mapping[str, Any]) -> str:
    """What is wrong with the first field of a card that does not fit."""
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
            return gettext("number is a whole number from 1 to %(last)s") % {"last": LAST_NUMBER}
        case "cardsToPick":
            return gettext("cardsToPick (in CSV: pick) is 1, 2 or 3")
        case "cardsToDraw":
            return gettext("cardsToDraw (in CSV: draw) is 0, 1, 2 or 3")
        case "tags":
            return gettext("tags are at most three of %(tags)s") % {"tags": ", ".join(TAGS)}
        case _:
            return gettext("put the text in quotation marks")


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith((*FORMULA, "'")) else text


def _as_written(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith((*FORMULA, "'")) else text
