"""Decks people bring for Cards: read strictly from JSON or CSV, kept, found, given back."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from django.db.models import Q, QuerySet
from django.utils.text import slugify
from django.utils.translation import gettext

from accounts.models import User
from games.models import Deck
from games.options import option_fields
from games.rules.cards.packs import (
    BUILT_IN,
    MOST_ANSWERS,
    MOST_PROMPTS,
    Answer,
    Pack,
    PackError,
    Prompt,
    checked,
    checked_answer,
    checked_prompt,
    read,
)
from games.rules.core import AnyGame, Refused
from games.sentences import say

LONGEST = 1024 * 1024
"""Bytes of a file."""
MOST_PROBLEMS = 50
MOST_DECKS = 20
MOST_SHOWN = 100
COLUMNS = ("kind", "number", "text", "pick", "draw", "tags")
FORMULA = ("=", "+", "-", "@", "\t", "\r")
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")

Row = tuple[str, str, dict[str, Any]]
"""Where it stands, prompt or answer, its fields as JSON has them."""


@dataclass(frozen=True)
class Reading:
    """What was made of a file: a pack, or sentences about everything that is wrong with it."""

    pack: Pack | None
    problems: tuple[str, ...] = ()


class Unreadable(Exception):
    """The file as a whole cannot be read; the sentence says why."""


def read_deck(data: bytes, name: str, language: str, known: Deck | None = None) -> Reading:
    """A pack out of the bytes of a JSON or CSV file.

    Cards without a number keep the one they had in `known`, or are given a new one.
    """
    try:
        rows = _rows(data)
    except Unreadable as why:
        return Reading(None, (str(why),))
    cards, problems = _cards(rows)
    prompts = [card for _where, card in cards if isinstance(card, Prompt)]
    answers = [card for _where, card in cards if isinstance(card, Answer)]
    problems += _problems_of_the_whole(cards, prompts, answers, name, language)
    problems += _retired(cards, known)
    if problems:
        return Reading(None, tuple(problems[:MOST_PROBLEMS]))
    numbered = iter(_numbered([card for _where, card in cards], known))
    kept = [next(numbered) for _card in cards]
    pack = Pack(
        slug=known.slug if known else new_slug(name),
        name=name.strip(),
        language=language,
        prompts=tuple(card for card in kept if isinstance(card, Prompt)),
        answers=tuple(card for card in kept if isinstance(card, Answer)),
    )
    return Reading(checked(pack))


def keep(owner: User, pack: Pack, known: Deck | None = None) -> Deck:
    """Keeps a pack as this person's deck. Raises Refused("too_many_decks")."""
    if known is None and owner.decks.count() >= MOST_DECKS:
        raise Refused("too_many_decks", most=MOST_DECKS)
    deck = known or Deck(owner=owner, slug=pack.slug)
    deck.name, deck.language = pack.name, pack.language
    deck.pack = msgspec.json.encode(pack).decode()
    deck.highest = max(deck.highest, *(card.number for card in pack.cards))
    deck.prompts, deck.answers = len(pack.prompts), len(pack.answers)
    deck.save()
    return deck


def pack_of(deck: Deck) -> Pack:
    """The pack of a deck, under the slug the deck has now."""
    return msgspec.structs.replace(read(deck.pack), slug=deck.slug)


def usable(user_id: int | None) -> QuerySet[Deck]:
    """The decks this person may play with: their own and public ones."""
    return Deck.objects.filter(Q(owner_id=user_id) | Q(public=True), hidden=False)


def finder(host_id: int | None) -> Callable[[str], Pack | None]:
    """How a table of this host finds the pack of a slug."""

    def find(slug: str) -> Pack | None:
        deck = usable(host_id).filter(slug=slug).first()
        return pack_of(deck) if deck else None

    return find


Choices = tuple[tuple[str, str], ...]
"""Values of an option, each with the words people read."""


def shelf(host_id: int | None) -> Choices:
    """Every pack a table of this host may use: slug, and a name with its language and size."""
    built_in = (
        (p.slug, f"{p.name} ({p.language}: {len(p.prompts)}, {len(p.answers)})")
        for p in BUILT_IN.values()
    )
    brought = (
        (d.slug, f"{d.name} ({d.language}: {d.prompts}, {d.answers})")
        for d in usable(host_id)[:MOST_SHOWN]
    )
    return (*built_in, *brought)


def choices(
    game: AnyGame, options: Mapping[str, Any], host_id: int | None
) -> Mapping[str, Choices]:
    """What the options of a game that name packs and cards can be, by option, with words."""
    if "packs" not in option_fields(game):
        return {}
    find = cache(finder(host_id))
    vetoed = tuple((card, text_of(card, find)) for card in options.get("vetoed", ()))
    return {"packs": shelf(host_id), "vetoed": vetoed}


def text_of(card: str, find: Callable[[str], Pack | None]) -> str:
    """The text of a card by its id; the id itself where the card is gone."""
    slug, _colon, number = card.partition(":")
    pack = BUILT_IN.get(slug) or find(slug)
    cards = pack.cards if pack else ()
    return next((c.text for c in cards if str(c.number) == number), card)


def new_slug(name: str) -> str:
    """A slug nobody has, made of a name."""
    base = slugify(name)[:30].strip("-") or "deck"
    taken = set(Deck.objects.filter(slug__startswith=base).values_list("slug", flat=True))
    taken |= {*BUILT_IN, "new"}
    at, slug = 1, base
    while slug in taken:
        at += 1
        slug = f"{base}-{at}"
    return slug


def as_json(pack: Pack) -> bytes:
    """A pack as a file that `read_deck` takes back."""
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


def _rows(data: bytes) -> list[Row]:
    if len(data) > LONGEST:
        raise Unreadable(gettext("The file is too large: at most 1 MiB is read."))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        where = data[: problem.start].count(b"\n") + 1
        raise Unreadable(
            gettext("The file is not UTF-8: line %(line)s cannot be read.") % {"line": where}
        ) from None
    if not text.strip():
        raise Unreadable(gettext("The file is empty."))
    rows = _json_rows(text) if text.lstrip()[0] in "{[" else list(_csv_rows(text))
    if not rows:
        raise Unreadable(gettext("There is no card in it."))
    return rows


def _json_rows(text: str) -> list[Row]:
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        raise Unreadable(
            gettext("This is not JSON: line %(line)s, column %(column)s.")
            % {"line": problem.lineno, "column": problem.colno}
        ) from None
    except (RecursionError, ValueError):
        raise Unreadable(gettext("This is not the JSON of a deck.")) from None
    rows: list[Row] = []
    places = (("prompt", gettext("prompt %(at)s")), ("answer", gettext("answer %(at)s")))
    for kind, place in places:
        cards = found.get(f"{kind}s") if isinstance(found, dict) else None
        if not isinstance(cards, list):
            raise Unreadable(gettext("A deck has two lists: prompts and answers."))
        for at, card in enumerate(cards, 1):
            fields = card if isinstance(card, dict) else {"text": card}
            rows.append((place % {"at": at}, kind, fields))
    return rows


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
            where = gettext("line %(line)s") % {"line": reader.line_num}
            if any(cells):
                yield _csv_row(where, header, cells)
    except csv.Error as problem:
        raise Unreadable(
            gettext("Line %(line)s is not CSV: %(why)s.")
            % {"line": reader.line_num, "why": str(problem)}
        ) from None


def _csv_row(where: str, header: list[str], cells: list[str]) -> Row:
    row = dict(zip(header, (cell.strip() for cell in cells), strict=False))
    fields: dict[str, Any] = {"text": _as_written(row.get("text", ""))}
    if len(cells) > len(header):
        fields["columns"] = len(cells)
    names = {"number": "number", "pick": "cardsToPick", "draw": "cardsToDraw"}
    for column, name in names.items():
        if value := row.get(column):
            fields[name] = int(value) if value.isdecimal() and len(value) < 8 else value
    if tags := row.get("tags"):
        fields["tags"] = tags.replace(",", " ").split()
    return where, row.get("kind", "").lower(), fields


Numbered = tuple[str, Prompt | Answer]
UNNUMBERED = 1_000_000


def _cards(rows: Sequence[Row]) -> tuple[list[Numbered], list[str]]:
    """The cards of these rows, those without a number with one that is never given; problems."""
    cards: list[Numbered] = []
    problems: list[str] = []
    for where, kind, fields in rows:
        try:
            cards.append((where, _card(kind, fields)))
        except PackError as problem:
            problems.append(f"{where}: {say(problem.text)}.")
        except msgspec.ValidationError as problem:
            problems.append(f"{where}: {problem}.")
    return cards, problems


def _card(kind: str, fields: dict[str, Any]) -> Prompt | Answer:
    given = {"number": UNNUMBERED, **fields}
    if kind == "prompt":
        return checked_prompt(msgspec.convert(given, Prompt))
    if kind == "answer":
        return checked_answer(msgspec.convert(given, Answer))
    raise msgspec.ValidationError(gettext("the kind is neither prompt nor answer"))


def _problems_of_the_whole(
    cards: Sequence[Numbered],
    prompts: Sequence[Prompt],
    answers: Sequence[Answer],
    name: str,
    language: str,
) -> list[str]:
    problems = []
    if not 1 <= len(name.strip()) <= 60 or not name.isprintable():
        problems.append(gettext("A deck has a name of 1 to 60 characters."))
    if not LANGUAGE.fullmatch(language) or len(language) > 10:
        problems.append(gettext("The language is a code such as en or de."))
    for have, most, text in (
        (len(prompts), MOST_PROMPTS, gettext("There are %(have)s prompts; at most %(most)s.")),
        (len(answers), MOST_ANSWERS, gettext("There are %(have)s answers; at most %(most)s.")),
    ):
        if have > most:
            problems.append(text % {"have": have, "most": most})
    seen: dict[tuple[type, str], str] = {}
    numbers: dict[int, str] = {}
    for where, card in cards:
        if (first := seen.setdefault((type(card), card.text.casefold()), where)) != where:
            problems.append(
                gettext("%(where)s: the same text as %(first)s.") % {"where": where, "first": first}
            )
        if card.number == UNNUMBERED:
            continue
        if (first := numbers.setdefault(card.number, where)) != where:
            problems.append(
                gettext("%(where)s: the same number as %(first)s.")
                % {"where": where, "first": first}
            )
    return problems


def _retired(cards: Sequence[Numbered], known: Deck | None) -> list[str]:
    """Numbers of cards that are gone are never given to others."""
    if known is None:
        return []
    have = {card.number for card in pack_of(known).cards}
    return [
        gettext("%(where)s: number %(number)s belonged to a card that is gone.")
        % {"where": where, "number": card.number}
        for where, card in cards
        if card.number != UNNUMBERED and card.number <= known.highest and card.number not in have
    ]


def _numbered(cards: Sequence[Prompt | Answer], known: Deck | None) -> Iterator[Prompt | Answer]:
    """The cards with numbers: given ones, those of unchanged texts, new ones."""
    before = {(type(c), c.text): c.number for c in pack_of(known).cards} if known else {}
    given = {card.number for card in cards if card.number != UNNUMBERED}
    following = max([known.highest if known else 0, *given]) + 1
    for card in cards:
        if card.number != UNNUMBERED:
            yield card
            continue
        number = before.get((type(card), card.text), following)
        if number in given:
            number = following
        if number == following:
            following += 1
        given.add(number)
        yield msgspec.structs.replace(card, number=number)


def _harmless(text: str) -> str:
    return f"'{text}" if text.startswith((*FORMULA, "'")) else text


def _as_written(text: str) -> str:
    return text[1:] if text.startswith("'") and text[1:].startswith((*FORMULA, "'")) else text
