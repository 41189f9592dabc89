"""Deck files from other programs: encodings, CSV from spreadsheets, formats of other games."""

from __future__ import annotations

import csv
import io
import json
import random
import tracemalloc
from typing import Any

import pytest

from games.cards.decks import json_files
from games.cards.decks.decoding import LONGEST
from games.cards.decks.json_files import MOST_VALUES
from games.cards.decks.reading import Reading, read_deck
from games.cards.decks.tables import as_csv
from games.cards.rules.packs import BUILT_IN, Answer, Pack, Prompt

pytestmark = pytest.mark.django_db

ROWS = (
    ("kind", "number", "text", "pick", "draw", "tags"),
    ("prompt", "", "Für „Spaß“ braucht Ümit _, nicht wahr; oder?", "1", "0", "work"),
    ("answer", "", "ein Gruß – aus Köln; und mehr, jetzt", "", "", ""),
)


def read(data: bytes | str, *chosen: int) -> Reading:
    source = data.encode() if isinstance(data, str) else data
    return read_deck(source, "Geese", "en", chosen=chosen)


def texts(reading: Reading) -> tuple[list[tuple[str, int]], list[str]]:
    """Return prompts with their number of answers, and answers."""
    assert reading.pack is not None, reading.problems
    prompts = [(one.text, one.cards_to_pick) for one in reading.pack.prompts]
    return prompts, [one.text for one in reading.pack.answers]


def table(separator: str, first: str = "") -> str:
    out = io.StringIO()
    csv.writer(out, delimiter=separator).writerows(ROWS)
    return first + out.getvalue()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "cp1252"])
@pytest.mark.parametrize(("separator", "named"), [(",", False), (";", True), ("\t", False)])
def test_csv_variants_of_excel_are_read(encoding: str, separator: str, named: bool) -> None:
    text = table(separator, f"sep={separator}\r\n" if named else "")
    mark = b"\xfe\xff" if encoding == "utf-16-be" else b""
    assert texts(read(mark + text.encode(encoding))) == ([(ROWS[1][2], 1)], [ROWS[2][2]])


def test_damaged_utf_8_is_rejected_instead_of_misread() -> None:
    damaged = "kind,text\nanswer,Größe und Übermut\nanswer,süß".encode()[:-1]
    assert read(damaged).problems == ("Line 3 cannot be read. Save the file as UTF-8.",)


def test_empty_trailing_columns_are_ignored() -> None:
    assert texts(read("kind;text;;\nanswer;goose;;\n;;;\n")) == ([], ["goose"])


def pack_of_texts(*answers: str) -> Pack:
    return Pack(
        slug="geese",
        name="Geese",
        language="en",
        prompts=(Prompt(1, "Wer mag Ü_?"),),
        answers=tuple(Answer(at, text) for at, text in enumerate(answers, 2)),
    )


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("slug", list(BUILT_IN))
def test_exported_csv_round_trips(separator: str, slug: str) -> None:
    pack = BUILT_IN[slug]
    made = as_csv(pack, separator)
    assert made.startswith(b"\xef\xbb\xbfkind")
    saved = made.decode("utf-8-sig").encode("cp1252", "strict")
    for file in (made, made.decode("utf-8-sig").encode("utf-16"), saved):
        again = read_deck(file, pack.name, pack.language).pack
        assert again is not None
        assert (again.prompts, again.answers) == (pack.prompts, pack.answers)


@pytest.mark.parametrize("written", [",", ";"])
@pytest.mark.parametrize("opened", [",", ";", "\t"])
def test_exported_csv_contains_no_spreadsheet_formula(written: str, opened: str) -> None:
    wild = random.Random(7)
    texts_ = ["=1", "a;=1", 'a, "=1"', "a;;-1", "'", "a;'=b", "a, 'n", '";"=1', "+49", "@home"]
    texts_ += ["".join(wild.choices("=+-@';,\" ab", k=8)).strip() for _ in range(500)]
    pack = pack_of_texts(*dict.fromkeys(text for text in texts_ if text))
    made = as_csv(pack, written)
    again = read(made)
    assert again.pack is not None, again.problems
    assert again.pack.answers == pack.answers
    for line in made.decode("utf-8-sig").splitlines():
        split = next(csv.reader([line], delimiter=opened)), line.split(opened)
        for cell in (cell for cells in split for cell in cells):
            assert not cell.strip(' "').startswith(("=", "+", "-", "@")), line


@pytest.mark.parametrize(
    ("line", "text", "picks"),
    [
        ("I like ____ most.", "I like _ most.", 1),
        ("_______ and _", "_ and _", 2),
        ("{} met %s in <blank>", "_ met _ in _", 3),
        ("{}{}", "_ _", 2),
        ("Why not?", "Why not?", 1),
    ],
)
def test_run_of_underscores_is_one_blank(line: str, text: str, picks: int) -> None:
    """`{}`, `%s` and `<blank>` are blanks in plain text and in files of other games."""
    wanted = ([(text, picks)], ["a goose"])
    assert texts(read(f"{line}\n\n  a goose\r\n")) == wanted
    black = json.dumps({"black": [{"text": line}], "white": ["a goose"]})
    assert texts(read(black)) == wanted


MANY_DECKS = {
    "name": "Birds",
    "author": "Ann",
    "language": "en",
    "calls": [
        [["Who ate ", {}, "?"]],
        [["First ", {"transform": "UpperCase"}], [{"text": "then ", "style": "Em"}, {}, "."]],
    ],
    "responses": ["a goose", "two\nswans"],
}
CR_CAST = {
    "error": 0,
    "calls": [
        {"id": "1", "text": ["Who ate ", "?"]},
        {"id": "2", "text": ["First ", " then ", "."]},
    ],
    "responses": [{"id": "3", "text": ["a goose"]}, {"id": "4", "text": ["two swans"]}],
}
BLACK = [{"text": "Who ate _?", "pick": 1}, {"text": "First ____\nthen __.", "pick": 2}]
WHITE = ["a goose", "two swans"]
PLACES = {"name": "Birds", "official": False, "black": [0, 1], "white": [0, 1]}
COMPACT = {"black": BLACK, "white": WHITE, "packs": {"birds": PLACES}}
OLD_COMPACT = {"blackCards": BLACK, "whiteCards": WHITE, "birds": PLACES, "order": ["birds"]}
FULL = {"birds": {"name": "Birds", "black": BLACK, "white": [{"text": one} for one in WHITE]}}


@pytest.mark.parametrize(
    "file", [MANY_DECKS, CR_CAST, COMPACT, OLD_COMPACT, FULL, [FULL["birds"]], FULL["birds"]]
)
def test_formats_of_other_games_are_read(file: Any) -> None:
    wanted = [("Who ate _?", 1), ("First _ then _.", 2)]
    assert texts(read(json.dumps(file))) == (wanted, ["a goose", "two swans"])


def test_selected_packs_of_a_file_become_one_deck() -> None:
    more = {"name": "More", "black": [1], "white": [1, 9, "x"]}
    file = json.dumps({**COMPACT, "packs": {"birds": PLACES, "more": more}})
    asked = read(file)
    assert asked.pack is None
    assert not asked.problems
    assert [(one.name, len(one.answers)) for one in asked.offered] == [("Birds", 2), ("More", 3)]
    assert read(asked.source).offered == asked.offered
    assert texts(read(file, 0))[1] == ["a goose", "two swans"]
    both = read(file, 0, 1)
    assert both.problems == (
        "More, answer 2: the text is missing.",
        "More, answer 3: the text is missing.",
    )
    assert texts(read(both.source))[1] == ["a goose", "two swans"]
    assert read(file, 7).offered


@pytest.mark.parametrize(
    "file",
    [
        "kind,text\nanswer,goose\nanswer,\nanswer,Goose\nprompt,_ _ _ _\nprompt,Who is __?\n",
        json.dumps({"prompts": ["Who is _?", 3], "answers": ["goose", None, "goose"]}),
        json.dumps({"calls": [[["Who is ", {}, "?"]], 3], "responses": ["goose", [[[]]], ""]}),
        "Who is ____?\ngoose\ngoose\n" + "x" * 151,
    ],
)
def test_valid_cards_of_a_faulty_file_can_be_kept(file: str) -> None:
    reading = read(file)
    assert reading.pack is None
    assert reading.problems
    assert texts(read(reading.source)) == ([("Who is _?", 1)], ["goose"])


def test_valid_cards_are_kept_regardless_of_the_number_of_problems() -> None:
    reading = read("kind,text\n" + "answer,\n" * 200 + "answer,goose\n")
    assert (len(reading.problems), reading.unshown) == (50, 150)
    assert texts(read(reading.source)) == ([], ["goose"])


def many(count: int) -> dict[str, Any]:
    return {str(n): {"name": str(n), "black": [0], "white": []} for n in range(count)}


HUGE = "_" * 1_000_000


@pytest.mark.parametrize(
    ("file", "said"),
    [
        ('{"prompts": [' + "[]," * 690_000 + '[]], "answers": []}', "more than 150000 values"),
        ('{"a":' + '"",' * 690_000 + '""}', "more than 150000 values"),
        ("{" + '"":[],' * 340_000, "more than 150000 values"),
        ("[" * LONGEST, "more than 150000 values"),
        ("[" * (MOST_VALUES - 1), "JSON is not a deck"),
        ('{"prompts": [' + "1" * 1_000_000 + '], "answers": []}', "JSON"),
        (json.dumps({"black": BLACK, "white": [], "packs": many(501)}), "501 packs. At most 500"),
        ("kind,text" + "\n" * 1_000_000, "too many lines"),
        ("\r" * 1_000_000 + "a", "too many lines"),
    ],
)
def test_malicious_file_is_rejected_before_it_uses_much_memory(file: str, said: str) -> None:
    tracemalloc.start()
    try:
        reading = read(file)
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert said in reading.problems[0]
    assert most < 40 << 20


@pytest.mark.parametrize(
    "card", [HUGE, {"text": HUGE}, {"text": [HUGE]}, {"text": ["_"] * 50_000}, [[HUGE]]]
)
def test_long_text_in_many_places_is_not_processed(
    card: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Positions repeat a card without enlarging the file, so every card may have a long text."""
    seen: list[str] = []

    def note(text: str, *_more: Any) -> str:
        seen.append(text)
        return text

    monkeypatch.setattr(json_files, "with_blanks", note)
    packs = {"a": {"black": [0] * 900, "white": [0] * 2900}, "b": {"black": [], "white": []}}
    reading = read(json.dumps({"black": [card], "white": [card], "packs": packs}), 0)
    assert len(reading.problems) + reading.unshown == 3800
    assert not seen


@pytest.mark.parametrize("name", ["\\ud800", "\\u202e", ""])
def test_packs_without_a_readable_name_can_be_selected(name: str) -> None:
    cards = '{"black": ["Why _?"], "white": ["Rain"]}'
    file = f'{{"{name}": {cards}, "Weather": {cards}}}'
    offered = read_deck(file.encode(), "Deck", "en").offered
    assert [pack.name for pack in offered] == ["?", "Weather"]
