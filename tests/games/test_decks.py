"""Uploaded decks: which are accepted, which are refused and why, and that no card is lost."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from games import rooms
from games.cards import decks
from games.cards.decks import vetoes
from games.cards.decks.decoding import LONGEST
from games.cards.decks.files import MOST_PROBLEMS, as_json
from games.cards.decks.reading import Reading, read_deck
from games.cards.decks.tables import as_csv
from games.cards.rules.packs import BUILT_IN
from games.contract.core import Ignored, Refused
from games.engine import notifications, writer
from games.engine.snapshots import load_snapshot
from games.models import Deck
from games.rooms.decks import delete, hide, set_public
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)

PROMPTS = [{"text": f"Why is number {n} so _?"} for n in range(40)]
ANSWERS = [{"text": f"a goose of size {n}"} for n in range(60)]


def as_bytes(prompts: list[Any] = PROMPTS, answers: list[Any] = ANSWERS, **more: Any) -> bytes:
    return json.dumps({"prompts": prompts, "answers": answers, **more}).encode()


def read(data: bytes, known: Deck | None = None) -> Reading:
    return read_deck(data, "Geese", "en", known)


def kept(owner: Any, data: bytes, known: Deck | None = None) -> Deck:
    reading = read(data, known)
    assert reading.pack is not None, reading.problems
    return decks.keep(owner.pk, reading.pack, known).result()


def csv(*lines: str) -> bytes:
    return "\r\n".join(("kind,number,text,pick,draw,tags", *lines)).encode()


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"x" * (LONGEST + 1), "too large"),
        (b"", "The file is empty"),
        (b"kind,text\nanswer,\xed\xa0\x81", "Line 2 cannot be read. Save the file as UTF-8."),
        (b"\xff\xfea\x00\n\x00\x00\xd8", "Line 2 cannot be read. Save the file as UTF-8."),
        (b'{"prompts": [}', "This is not JSON: line 1, column 14"),
        (b'{"prompts": []}', "two lists: prompts and answers"),
        (b"[" * 100_000, "JSON is not a deck"),
        (b'{"prompts": ' + b"9" * 10_000 + b"}", "JSON"),
        (b"kind,two\n1,2", "The first line names the columns"),
        (b"kind,kind,text\n", "The first line names the columns"),
        (b'kind,text\nprompt,"never closed', "is not valid CSV"),
        (b"kind,text\nanswer," + b"x" * 200_000, "is not valid CSV"),
        (as_bytes([], []), "no cards in it"),
        (b'{"prompts": {}, "answers": 1}', "two lists: prompts and answers"),
        (as_bytes([], [{}] * 5_000), "Too many cards: at most 1000 prompts"),
    ],
)
def test_file_that_is_not_a_deck_is_rejected_with_a_message(data: bytes, said: str) -> None:
    reading = read(data)
    assert reading.pack is None
    assert any(said in problem for problem in reading.problems), reading.problems


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("prompt,,,1,0,", "line 2: the text is empty"),
        ("prompt,,_ and _,1,0,", "line 2: for 2 blanks, cardsToPick (in CSV: pick) has to be 2"),
        ("prompt,,_ _ _ and _,,0,", "line 2: 4 blanks are too many: at most three can be filled"),
        ("prompt,,_,4,0,", "line 2: "),
        ("prompt,,_,1,-1,", "line 2: "),
        (f"answer,,{'x' * 151},,,", "line 2: 151 characters, 150 are allowed"),
        ("answer,,evil\u202eexe.txt,,,", "U+202E is a control"),
        ("answer,,zero\u200bwidth,,,", "U+200B is a control"),
        ("answer,0,zero,,,", "line 2: "),
        ("answer,,goose,,,poultry", "line 2: "),
        ("card,,goose,,,", "line 2: the kind is neither prompt nor answer"),
        ("answer,,goose,,,,more,", "line 2: there is no column 7 here"),
    ],
)
def test_invalid_line_is_reported_by_its_number(line: str, said: str) -> None:
    reading = read(csv(line, "answer,,a good one,,,"))
    assert reading.pack is None
    assert len(reading.problems) == 1
    assert said in reading.problems[0]


@pytest.mark.parametrize(
    ("card", "said"),
    [
        ({}, "the text is missing"),
        (None, "put the text in quotation marks"),
        ({"text": "\ud800"}, "U+D800 is a control"),
        ({"text": "a", "number": True}, "number must be a whole number from 1 to 1000000"),
        ({"text": "a", "number": 10**400}, "number must be a whole number from 1 to 1000000"),
        ({"text": "a", "cardsToDraw": None}, "cardsToDraw (in CSV: draw) must be 0, 1, 2 or 3"),
        ({"text": "a", "tags": ["food", ["food"]]}, "tags may be up to three of food, work"),
        ({"text": "a", "colour": 1}, "there is no colour here"),
        ({"text": "a", "x" * 10_000: 1}, "there is no … here"),
    ],
)
def test_invalid_card_is_reported_with_the_expected_format(card: Any, said: str) -> None:
    reading = read(as_bytes([card], ["a good one"]))
    assert reading.pack is None
    assert len(reading.problems) == 1
    assert reading.problems[0].startswith(f"prompt 1: {said}")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("de", "de"),
        ("pt_br", "pt-BR"),
        ("ZH-HANT", "zh-Hant"),
        ("German", "de"),
        ("FRANÇAIS", "fr"),
        ("Brazilian portuguese", "pt-BR"),
    ],
)
def test_language_is_accepted_in_any_case(given: str, code: str) -> None:
    reading = read_deck(as_bytes(), "Geese", given)
    assert reading.pack is not None, reading.problems
    assert reading.pack.language == code


@pytest.mark.parametrize("given", ["", "Klingon", "d", "de-", "x" * 100_000, "de\x00"])
def test_unknown_language_is_rejected_with_a_message(given: str) -> None:
    reading = read_deck(as_bytes(), "Geese", given)
    assert reading.problems == ("The language must be a code or a name, such as de or German.",)


def test_all_problems_are_reported_at_once_up_to_a_limit() -> None:
    reading = read(csv(*(["answer,,,,,"] * 80)))
    assert len(reading.problems) == MOST_PROBLEMS
    reading = read(csv("answer,,twice,,,", "answer,,Twice,,,", "answer,7,a,,,", "answer,7,b,,,"))
    assert reading.problems == (
        "line 3: the same text as line 2.",
        "line 5: the same number as line 4.",
    )


def test_deck_size_is_limited() -> None:
    reading = read(as_bytes([], [f"answer {n}" for n in range(3001)]))
    assert reading.problems == ("There are 3001 answers; at most 3000.",)


@pytest.mark.parametrize("name", ["", "x" * 61, "two\nlines", "turn\u202ed"])
def test_deck_needs_a_valid_name_and_language(name: str) -> None:
    assert read_deck(as_bytes(), name, "en").problems
    assert read_deck(as_bytes(), "Geese", "english!").problems


def test_deck_round_trips_through_both_formats() -> None:
    owner = PersonFactory()
    texts = ["=1+1", "+49", "-a", "@home", "'quoted'", "'=x", "<b>&'\"</b>", 'say "no", twice', "ß"]
    lines = [f'answer,,"{text.replace(chr(34), chr(34) * 2)}",,,animal food' for text in texts]
    pack = read(
        csv("prompt,,_ or _?,2,1,work", *(line.replace(',,"=', ",,\"'=", 1) for line in lines))
    )
    assert pack.pack is not None, pack.problems
    deck = decks.keep(owner.pk, pack.pack).result()
    for made in (as_json(decks.pack_of(deck)), as_csv(decks.pack_of(deck))):
        again = read(made, deck)
        assert again.pack == decks.pack_of(deck), again.problems
    table = as_csv(decks.pack_of(deck)).decode("utf-8-sig")
    cells = re.findall(r'(?:^|,)"?([=+\-@].)', table)
    assert not cells


def test_card_numbers_are_stable_and_never_reused() -> None:
    owner = PersonFactory()
    deck = kept(owner, as_bytes(["Who is _?"], ["one", "two", "three"]))
    assert [c.number for c in decks.pack_of(deck).cards] == [1, 2, 3, 4]
    deck = kept(owner, as_bytes(["Who is _?"], ["three", "four"]), deck)
    assert {c.text: c.number for c in decks.pack_of(deck).cards} == {
        "Who is _?": 1,
        "three": 4,
        "four": 5,
    }
    again = read(as_bytes([], [{"text": "five", "number": 2}]), deck)
    assert again.problems == ("answer 1: number 2 belonged to a card that is gone.",)
    corrected = read(as_bytes([], [{"text": "Three!", "number": 4}]), deck)
    assert corrected.pack is not None


def test_largest_card_number_is_valid() -> None:
    last = {"text": "last", "number": 1_000_000}
    deck = kept(PersonFactory(), as_bytes([], [last]))
    assert [card.number for card in decks.pack_of(deck).cards] == [1_000_000]
    more = read(as_bytes([], [last, "one more"]), deck)
    assert more.problems == ("After 1000000 there is no number for a new card.",)
    twice = read(as_bytes([], [last, {"text": "other", "number": 1_000_000}]))
    assert twice.problems == ("answer 2: the same number as answer 1.",)


@pytest.mark.parametrize("name", ["a_b", "a" * 29 + "_b", "_", "ﷺ" * 60, "\u0958" * 60, "Ⅷ"])
def test_any_valid_deck_name_can_be_stored_and_read(name: str) -> None:
    reading = read_deck(as_bytes(), name, "zh-Hant-TW")
    assert reading.pack is not None
    deck = decks.keep(PersonFactory().pk, reading.pack).result()
    assert decks.pack_of(Deck.objects.get(pk=deck.pk)).name == name


def test_deck_too_large_for_reupload_is_rejected() -> None:
    cards = [f"answer,,{n} {'鵞' * 145},,," for n in range(3000)]
    cards += [f"prompt,,{n} {'鵞' * 200},,," for n in range(1000)]
    assert len(csv(*cards)) < LONGEST
    assert read(csv(*cards)).problems == (
        "The deck is too large: as JSON it would have more than 2 MiB.",
    )


def test_concurrently_changed_deck_is_not_overwritten() -> None:
    owner = PersonFactory()
    deck = kept(owner, as_bytes([], ["one"]))
    old = Deck.objects.get(pk=deck.pk)
    Deck.objects.filter(pk=deck.pk).update(hidden=True)
    kept(owner, as_bytes([], ["one", "two"]), old)
    with pytest.raises(Refused, match="deck_changed"):
        kept(owner, as_bytes([], ["one", "three"]), old)
    now = Deck.objects.get(pk=deck.pk)
    assert now.hidden
    assert [card.text for card in decks.pack_of(now).cards] == ["one", "two"]
    delete(deck.pk).result()
    with pytest.raises(Refused, match="deck_changed"):
        kept(owner, as_bytes([], ["one"]), now)
    assert not Deck.objects.exists()


def test_number_of_decks_is_limited_and_slugs_are_unique() -> None:
    owner = PersonFactory()
    made = {kept(owner, as_bytes()).slug for _ in range(decks.MOST_DECKS)}
    assert len(made) == decks.MOST_DECKS
    with pytest.raises(Refused, match="too_many_decks"):
        kept(owner, as_bytes())
    assert decks.new_slug("New") != "new"
    assert decks.new_slug("own") not in BUILT_IN
    assert decks.new_slug("…")


def test_stored_size_of_a_users_decks_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    owner = PersonFactory()
    umlauts = as_bytes([], [f"{n} " + "ü" * 140 for n in range(60)])
    first = kept(owner, umlauts)
    size = len(first.pack.encode())
    assert size > len(first.pack)
    monkeypatch.setattr(decks, "MOST_STORED", 2 * size + 10)
    kept(owner, umlauts)
    with pytest.raises(Refused, match="decks_too_large"):
        kept(owner, as_bytes([], ["one"]))
    kept(PersonFactory(), umlauts)
    with pytest.raises(Refused, match="decks_too_large"):
        kept(owner, as_bytes([], [f"{n} " + "ü" * 141 for n in range(60)]), first)
    smaller = kept(owner, as_bytes([], ["one"]), first)
    assert len(smaller.pack) < size


def test_table_can_use_decks_of_its_host_and_public_decks() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    deck = kept(ann, as_bytes())
    for host, allowed in ((ann, True), (bob, False)):
        room = open_table(host, eve, PersonFactory(), game="cards")
        change = rooms.set_options(room.pk, host.pk, {"packs": [deck.slug]})
        if allowed:
            change.result()
            state = load_snapshot(start_match(room).pk).state
            texts = {card.text for card in state.stock.whites(state.white_deck)}
            assert texts <= {answer["text"] for answer in ANSWERS}
        else:
            with pytest.raises(Refused, match="bad_options"):
                change.result()
    deck.public = True
    deck.save()
    assert decks.finder(bob.pk)(deck.slug) is not None
    deck.hidden = True
    deck.save()
    assert decks.finder(ann.pk)(deck.slug) is None


@pytest.mark.parametrize("slug", ["geese", "\x00", "\ud800"])
def test_unknown_deck_is_refused(slug: str) -> None:
    ann = PersonFactory()
    room = open_table(ann, game="cards")
    with pytest.raises(Refused, match="bad_options"):
        rooms.set_options(room.pk, ann.pk, {"packs": [slug]}).result()


def test_deleted_deck_is_reported_when_the_match_starts() -> None:
    ann = PersonFactory()
    deck = kept(ann, as_bytes())
    room = open_table(ann, PersonFactory(), PersonFactory(), game="cards")
    rooms.set_options(room.pk, ann.pk, {"packs": [deck.slug]}).result()
    deck.delete()
    with pytest.raises(Refused, match="bad_options"):
        rooms.start(room.pk, ann.pk).result()


def test_vetoed_card_is_never_dealt_again_at_the_table() -> None:
    ann, bob, cat, dan = (PersonFactory() for _ in range(4))
    room = open_table(ann, bob, cat, game="cards")
    first = start_match(room)
    state = load_snapshot(first.pk).state
    card = state.stock.white(state.white_deck[0]).id
    vetoes.veto(room.pk, bob.pk, card).result()
    vetoes.veto(room.pk, cat.pk, card).result()
    room.refresh_from_db()
    assert room.options["vetoed"] == [card]
    rooms.join(room.code, dan.pk, str(dan), spectate=True).result()
    for stranger, what in ((dan, card), (bob, "own:999999"), (bob, "none:1"), (bob, "")):
        with pytest.raises(Ignored):
            vetoes.veto(room.pk, stranger.pk, what).result()
    for person in (cat, bob):
        rooms.leave(room.pk, person.pk).result()
    room.refresh_from_db()
    assert dict(load(room.pk).choices["vetoed"])[card] != card
    for person in (bob, cat):
        rooms.join(room.code, person.pk, str(person)).result()
    second = start_match(room)
    assert second.pk != first.pk
    dealt = load_snapshot(second.pk).state
    piles = (dealt.white_deck, *dealt.hands.values())
    assert card not in [c.id for pile in piles for c in dealt.stock.whites(pile)]


def test_examples_in_the_guide_are_valid() -> None:
    page = (Path(__file__).parents[2] / "docs" / "decks.md").read_text("utf-8")
    examples = re.findall(r"```(csv|json)\n(.*?)```", page, re.S)
    assert {kind for kind, _text in examples} == {"csv", "json"}
    packs = [read(text.encode()) for _kind, text in examples]
    assert all(not reading.problems for reading in packs)
    one, two = (reading.pack for reading in packs)
    assert one is not None
    assert two is not None
    assert (one.prompts, one.answers) == (two.prompts, two.answers)


def test_open_tables_of_the_game_are_notified_of_every_deck_change() -> None:
    owner = PersonFactory()
    cards, mia = open_table(owner, game="cards"), open_table(owner)
    told: list[int] = []

    def note(room_id: int, by_act: bool) -> None:
        told.append(room_id)

    notifications.subscribe(note)
    try:
        deck = kept(owner, as_bytes())
        set_public(deck.pk, True).result()
        writer.command(hide)(deck.pk, True).result()
        delete(deck.pk).result()
    finally:
        notifications.unsubscribe(note)
    assert told.count(cards.pk) == 4
    assert mia.pk not in told
