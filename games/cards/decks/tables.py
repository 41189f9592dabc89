"""Decks as CSV, and as plain text with one card per line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from typing import Any

from django.utils.translation import gettext

from games.cards.decks.decoding import MOST_LINES, Unreadable
from games.cards.decks.rows import Row, has_blank, with_blanks
from games.cards.rules.packs import Pack

COLUMNS = ("kind", "number", "text", "pick", "draw", "tags")
SEPARATORS = (",", ";", "\t")
BYTE_ORDER_MARK = "\ufeff"
LONGEST_HEADER = 1000

_IN_JSON = {"number": "number", "pick": "cardsToPick", "draw": "cardsToDraw"}
_SEP_LINE = re.compile(r"\s*\"?sep=([,;|\t])\"?[ ,;\t]*(?:\r\n?|\n)", re.IGNORECASE)
# Spreadsheets that split cells at another separator may treat the text after that separator as a
# formula.
_START = r"((?:^|[;,\t])[ \"]*)"
_TO_GUARD = re.compile(_START + r"(?=[=+\-@'\t\r])")
_GUARDED = re.compile(_START + r"'(?=[=+\-@'\t\r])")


def as_csv(pack: Pack, separator: str = ",") -> bytes:
    """Return a pack as a table that Excel can open: UTF-8 with a byte-order mark, and every text
    quoted.

    No cell is treated as a formula.
    """
    out = io.StringIO()
    out.write(BYTE_ORDER_MARK)
    writer = csv.writer(
        out, delimiter=separator, lineterminator="\r\n", quoting=csv.QUOTE_NONNUMERIC
    )
    out.write(separator.join(COLUMNS) + "\r\n")
    for prompt in pack.prompts:
        tags = " ".join(prompt.tags)
        cells = (prompt.number, _harmless(prompt.text), prompt.cards_to_pick, prompt.cards_to_draw)
        writer.writerow(("prompt", *cells, tags))
    for answer in pack.answers:
        writer.writerow(
            ("answer", answer.number, _harmless(answer.text), "", "", " ".join(answer.tags))
        )
    return out.getvalue().encode()


def table_rows(text: str) -> Iterator[Row]:
    """Yield the rows of a CSV file, or of plain text if its first line names no column.

    Raise Unreadable if the text is neither.
    """
    if text.count("\n") + text.count("\r") > 2 * MOST_LINES:
        raise Unreadable(
            gettext("The file has too many lines: at most %(most)s.") % {"most": MOST_LINES}
        )
    named = _SEP_LINE.match(text)
    body = text[named.end() :] if named else text.lstrip("\r\n")
    first = body[:LONGEST_HEADER].splitlines()[0] if body.strip() else ""
    separators = (named[1],) if named else SEPARATORS
    for separator in separators:
        header = [cell.strip(' \t"').lower() for cell in first.split(separator)]
        if {"kind", "text"} & set(header) or named:
            lines_before = text[: len(text) - len(body)].count("\n")
            return _csv_rows(body, separator, lines_before)
    return _plain_rows(text)


def _plain_rows(text: str) -> Iterator[Row]:
    """Yield one row per line of plain text.

    A line that contains a blank or ends with a question mark is a prompt.
    """
    for at, line in enumerate(text.splitlines(), 1):
        if not (card := line.strip()):
            continue
        where = gettext("line %(line)s") % {"line": at}
        if has_blank(card) or card.endswith(("?", "？", "؟")):
            yield where, "prompt", {"text": with_blanks(card, every_marker=True)}
        else:
            yield where, "answer", {"text": card}


def _csv_rows(text: str, separator: str, lines_before: int) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        header = [cell.strip().lower() for cell in next(reader, ())]
        while header and not header[-1]:
            header.pop()  # spreadsheets write empty columns
        if not {"kind", "text"} <= set(header) <= set(COLUMNS) or len(header) > len(set(header)):
            columns = ", ".join(COLUMNS)
            raise Unreadable(
                gettext("The first line names the columns: %(columns)s.") % {"columns": columns}
            )
        for cells in reader:
            if any(cells):
                where = gettext("line %(line)s") % {"line": reader.line_num + lines_before}
                yield _csv_row(where, header, cells)
    except csv.Error:
        raise Unreadable(
            gettext("Line %(line)s is not valid CSV: check its quotation marks.")
            % {"line": reader.line_num + lines_before}
        ) from None


def _csv_row(where: str, header: list[str], cells: list[str]) -> Row:
    row = dict(zip(header, (cell.strip() for cell in cells), strict=False))
    kind = row.get("kind", "").lower()
    text = _as_written(row.get("text", ""))
    fields: dict[str, Any] = {"text": with_blanks(text) if kind == "prompt" else text}
    if any(cells[len(header) :]):
        fields[gettext("column %(at)s") % {"at": len(header) + 1}] = cells[len(header)]
    for column, name in _IN_JSON.items():
        if value := row.get(column):
            fields[name] = int(value) if value.isdecimal() and len(value) < 8 else value
    if tags := row.get("tags"):
        fields["tags"] = tags.replace(",", " ").split()
    return where, kind, fields


def _harmless(text: str) -> str:
    return _TO_GUARD.sub(r"\1'", text)


def _as_written(text: str) -> str:
    return _GUARDED.sub(r"\1", text)
