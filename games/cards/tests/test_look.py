"""Rendered regions of Cards for states that browser tests rarely reach."""

from __future__ import annotations

import re

import pytest

from games import rooms
from games.contract.data import Seat
from games.engine.snapshots import load_snapshot
from games.pages import regions
from games.pages.templating import environment, render
from games.tables.loading import load
from tests.kit.acting import act, let_time_run_out
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


def drawn(room_id: int, user_id: int) -> dict[str, str]:
    table = load(room_id)
    return {region.id: render(table, region, "en") for region in regions(table, user_id)}


def filled(prompt: str, *answers: str) -> str:
    figures = environment().get_template("cards/figures.html.jinja").module
    html = str(figures.filled(prompt, [{"text": text} for text in answers]))  # type: ignore[attr-defined]
    return html.replace(' dir="auto"', "")


def test_answers_fill_the_blanks_or_follow_the_prompt() -> None:
    assert filled("_ and _.", "geese", "a hat") == "<mark>Geese</mark> and <mark>a hat</mark>."
    assert filled("Why?", "geese", "<b>") == "Why? <mark>Geese</mark> <mark>&lt;b&gt;</mark>"
    assert filled("Why _?", "a _", "ä") == "Why <mark>a _</mark>? <mark>Ä</mark>"
    assert filled("Says “_” and _.", "tea", "rain").startswith(
        "Says “<mark>Tea</mark>” and <mark>r"
    )
    assert filled("_ _", "a", "b") == "<mark>A</mark> <mark>b</mark>"
    assert filled("Why _?").count('class="blank"') == 1
    assert "data-begins" not in filled("Why _?")
    assert [filled(text).count("data-begins") for text in ("_ _", "“_”", "So. _ _", "What? _")] == [
        1,
        1,
        0,
        1,
    ]


def test_void_round_is_announced_and_shows_no_answers() -> None:
    people = [PersonFactory() for _ in range(3)]
    room = open_table(*people, game="cards")
    match = start_match(room)
    player = load_snapshot(match.pk).players[0]
    offer = load_snapshot(match.pk).game.rules.offers(load_snapshot(match.pk).state, Seat(0))[0]
    cards = offer.args["cards"]
    act(match, player, "PlayWhiteCards", cards=list(cards.some[: cards.least]))  # type: ignore[union-attr]
    assert "mine-play own" in drawn(room.pk, people[0].pk)["actions"]
    let_time_run_out(match)
    for person in people:
        html = drawn(room.pk, person.pk)
        assert "Too few answers: this round did not count." in html["board"]
        assert "act-continue" in html["actions"]
        assert "answer-card" not in html["board"]


def test_late_joiner_waits_and_sees_no_authors() -> None:
    people = [PersonFactory() for _ in range(3)]
    room = open_table(*people, game="cards", allowLateJoin=True)
    match = start_match(room)
    dan = PersonFactory()
    rooms.join(room.code, dan.pk, str(dan)).result()
    html = drawn(room.pk, dan.pk)
    assert "plays from the next round" in html["seats"]
    assert "0 of 3 have played" in html["board"]
    for seat in range(3):
        seen = load_snapshot(match.pk)
        cards = seen.game.rules.offers(seen.state, Seat(seat))[0].args["cards"]
        ids = list(cards.some[: cards.least])  # type: ignore[union-attr]
        act(match, seen.players[seat], "PlayWhiteCards", cards=ids)
    act(match, load_snapshot(match.pk).players[0], "Vote", playId=_another(match.pk, Seat(0)))
    html = drawn(room.pk, dan.pk)
    assert html["board"].count('<li class="answer-card') == 3
    assert "<form" not in html["actions"]


def test_pages_hide_authors_before_the_result() -> None:
    """Authors are hidden from voters as well, although programs receive them."""
    people = [PersonFactory(name=name) for name in ("Ann", "Bela", "Cleo")]
    room = open_table(*people, game="cards")
    match = start_match(room)
    for seat in range(3):
        seen = load_snapshot(match.pk)
        cards = seen.game.rules.offers(seen.state, Seat(seat))[0].args["cards"]
        ids = list(cards.some[: cards.least])  # type: ignore[union-attr]
        act(match, seen.players[seat], "PlayWhiteCards", cards=ids)
    for seat in range(2):
        act(match, seen.players[seat], "Vote", playId=_another(match.pk, Seat(seat)))
    html = drawn(room.pk, people[0].pk)
    assert "data-vote=" in html["actions"]
    assert re.findall(r'<img [^>]*alt="(\w+)', html["actions"]) == ["Cleo"]
    for name in ("Ann", "Bela", "Cleo"):
        assert name not in html["board"] + re.sub("<img [^>]*>", "", html["actions"])


def _another(match_id: int, seat: Seat) -> int:
    state = load_snapshot(match_id).state
    return next(at for at, author in enumerate(state.order) if author != seat)  # type: ignore[attr-defined]
