"""Decks as JSON: Parlour's format, Many Decks, CrCast, and JSON Against Humanity (compact and
full).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from games.cards.decks.decoding import Unreadable
from games.cards.decks.rows import LONGEST_TEXT, Row, with_blanks
from games.cards.rules.packs import BLANK, MOST_PICKED

MOST_VALUES = 150_000
"""Maximum lists, objects and members of these in a JSON file."""
MOST_PACKS = 500
MOST_PARTS = 100
LONGEST_NAME = 60
"""Maximum parts of a text, and of one of its lines."""


@dataclass(frozen=True)
class FilePack:
    """A pack in a file. Its cards are read only if it is chosen."""

    name: str
    prompts: Sequence[Any]
    answers: Sequence[Any]
    ours: bool = False

    def rows(self, label: str = "") -> Iterator[Row]:
        """Yield the pack's cards, prompts first.

        `label` is the name of the pack, which is put before each position.
        """
        prompt_at, answer_at = gettext("prompt %(at)s"), gettext("answer %(at)s")
        for kind, place, cards in (
            ("prompt", prompt_at, self.prompts),
            ("answer", answer_at, self.answers),
        ):
            for at, card in enumerate(cards, 1):
                where = label + place % {"at": at}
                yield where, kind, self._fields(kind, card)

    def _fields(self, kind: str, card: Any) -> dict[str, Any]:
        if not self.ours:
            return _fields_of(kind, card)
        fields = dict(card) if isinstance(card, dict) else {"text": card}
        if kind == "prompt" and isinstance(text := fields.get("text"), str):
            fields["text"] = with_blanks(text)
        return fields


def packs_in(text: str) -> list[FilePack]:
    """Return the packs of a JSON file. Raise Unreadable if the file cannot be read."""
    _check_size(text)
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        raise Unreadable(
            gettext("This is not JSON: line %(line)s, column %(column)s.")
            % {"line": problem.lineno, "column": problem.colno}
        ) from None
    except (RecursionError, ValueError):
        raise Unreadable(gettext("This JSON is not a deck.")) from None
    packs = _packs(found)
    if packs is None:
        raise Unreadable(
            gettext(
                "A deck has two lists: prompts and answers. Files of Many Decks, CrCast and JSON "
                "Against Humanity can be read as well."
            )
        )
    if len(packs) > MOST_PACKS:
        raise Unreadable(
            gettext("The file has %(have)s packs. At most %(most)s are allowed.")
            % {"have": len(packs), "most": MOST_PACKS}
        )
    return packs


def rows_of(packs: Sequence[FilePack]) -> Iterator[Row]:
    """Yield the cards of several packs. A text that occurs in several packs becomes one card."""
    first: dict[tuple[str, str], int] = {}
    for at, pack in enumerate(packs):
        for row in pack.rows(f"{pack.name}, " if len(packs) > 1 else ""):
            _where, kind, fields = row
            text = fields.get("text")
            if not isinstance(text, str) or len(text) > LONGEST_TEXT:
                yield row  # the caller refuses this card
            elif first.setdefault((kind, text.casefold()), at) == at:
                yield row


def _check_size(text: str) -> None:
    """Raise Unreadable if a JSON text has too many values, which are counted without parsing."""
    bare = text.replace("\\\\", "").replace('\\"', "")
    strings = bare.count('"') // 2
    if strings <= MOST_VALUES:
        outside = "".join(bare.split('"')[::2])
        values = sum(outside.count(sign) for sign in ",[{")
    if strings > MOST_VALUES or values > MOST_VALUES:
        raise Unreadable(
            gettext("The file is too large: it has more than %(most)s values.")
            % {"most": MOST_VALUES}
        )


def _packs(found: Any) -> list[FilePack] | None:
    """Return the packs of a parsed file, or None if its format is unknown."""
    match found:
        case {"prompts": list(prompts), "answers": list(answers)}:
            return [FilePack("", prompts, answers, ours=True)]
        case {"calls": list(prompts), "responses": list(answers)}:
            return [FilePack("", prompts, answers)]
        case {"black": list(prompts), "white": list(answers), "packs": dict() | list() as packs}:
            return _compact(prompts, answers, packs)
        case {"blackCards": list(prompts), "whiteCards": list(answers)}:
            return _compact(prompts, answers, found)
        case {"black": list(prompts), "white": list(answers)}:
            return [FilePack("", prompts, answers)]
        case dict():
            packs = _full(found)
        case list():
            packs = _full(dict(enumerate(found)))
        case _:
            return None
    return packs or None


def _full(packs: Mapping[Any, Any]) -> list[FilePack]:
    return [
        FilePack(_name(key, pack), pack["black"], pack["white"])
        for key, pack in packs.items()
        if _has_cards(pack)
    ]


def _compact(
    prompts: Sequence[Any], answers: Sequence[Any], packs: Mapping[Any, Any] | Sequence[Any]
) -> list[FilePack]:
    """Return the packs of a compact file, in which each pack lists the indexes of its cards.

    If the file has no packs, return all its cards as one pack.
    """
    named = packs if isinstance(packs, Mapping) else dict(enumerate(packs))
    made = [
        FilePack(
            _name(key, pack),
            [_at(prompts, place) for place in pack["black"]],
            [_at(answers, place) for place in pack["white"]],
        )
        for key, pack in named.items()
        if _has_cards(pack)
    ]
    return made or [FilePack("", prompts, answers)]


def _has_cards(pack: Any) -> bool:
    return (
        isinstance(pack, dict)
        and isinstance(pack.get("black"), list)
        and isinstance(pack.get("white"), list)
    )


def _at(cards: Sequence[Any], place: Any) -> Any:
    """Return the card at a position, or an empty card if the position is invalid."""
    return cards[place] if type(place) is int and 0 <= place < len(cards) else {}


def _name(key: Any, pack: Mapping[str, Any]) -> str:
    name = pack.get("name") or pack.get("abbr") or key
    return _printable(name) or _printable(key) or "?"


def _printable(name: Any) -> str:
    """Return a name for display: shortened, and with spaces for characters that cannot be printed.

    Lone surrogates are an example, because JSON strings can contain them.
    """
    written = str(name)
    shown = "".join(sign if sign.isprintable() else " " for sign in written[:LONGEST_NAME]).strip()
    return shown + ("…" if shown and len(written) > LONGEST_NAME else "")


def _fields_of(kind: str, card: Any) -> dict[str, Any]:
    """Return the fields of a card in another game's format. Leave out unknown fields.

    A prompt asks for at least as many answers as it has blanks.
    """
    given = card if isinstance(card, dict) else {"text": card}
    if "text" not in given:
        return {}
    text = given["text"]
    if isinstance(text, list):
        text = _joined(kind, text)
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        return {"text": text}
    text = " ".join(text.split())
    if kind != "prompt":
        return {"text": text}
    text = with_blanks(text, every_marker=True)
    fields: dict[str, Any] = {"text": text}
    if isinstance(pick := given.get("pick"), int):
        fields["cardsToPick"] = max(pick, min(text.count(BLANK), MOST_PICKED), 1)
    if isinstance(draw := given.get("draw"), int):
        fields["cardsToDraw"] = draw
    return fields


def _joined(kind: str, parts: Sequence[Any]) -> str | None:
    """Join the parts of a card to form one text.

    Return None if there are too many parts, or if one of them is not valid.

    CrCast has a blank between any two parts of a prompt. Many Decks has lines of parts, where an
    object without a text is a blank.
    """
    if len(parts) > MOST_PARTS:
        return None
    if all(isinstance(part, str) for part in parts):
        texts, between = [*parts], "{}" if kind == "prompt" else ""
    elif all(isinstance(line, list) and len(line) <= MOST_PARTS for line in parts):
        texts, between = [part for line in parts for part in (*map(_part, line), " ")], ""
    else:
        return None
    return between.join(texts) if sum(map(len, texts)) <= LONGEST_TEXT else None


def _part(part: Any) -> str:
    if isinstance(part, dict):
        part = part.get("text", "{}")
    return part if isinstance(part, str) else ""
