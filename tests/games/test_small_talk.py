"""Bots' chat: they introduce themselves once, and never say anything false."""

from __future__ import annotations

import pytest
from django.conf import settings

from games import rooms
from games.contract.luck import Manner, manner_of
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.mia.rules.state import Announce, Roll
from games.models import Match
from games.pages import bots, regions
from games.pages.people import sheet
from games.tables.loading import load
from games.tables.table import Json, Table
from tests.kit.acting import act, looks
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)


def badges(table: Table) -> list[str]:
    return [bots.badge(table, member) for member in table.members]


def test_bot_badge_shows_level_and_temper() -> None:
    """The level is shown before a match.

    During a match, the temper is also shown if it has an effect.
    """
    room = open_table(PersonFactory(), game="coup")
    rooms.add_bot(room.pk, room.host_id, level="hard").result()
    rooms.add_bot(room.pk, room.host_id, level="random").result()
    assert badges(load(room.pk)) == ["", "Bot · hard", "Bot · random"]
    match = start_match(room)
    table = load(room.pk)
    assert table.match is not None
    seat = next(p.seat for p in match.players.all() if p.bot == "hard")
    temper = manner_of(table.match.seed, seat).temper
    assert badges(table) == ["", f"Bot · hard · {temper}", "Bot · random"]


@pytest.mark.parametrize("host", [True, False])
def test_everybody_can_read_how_a_bot_plays(host: bool) -> None:
    """If its level plays like another one at this table, that is shown as well."""
    people = [PersonFactory(), PersonFactory()]
    room = open_table(*people, game="coup")
    rooms.add_bot(room.pk, room.host_id, level="hard").result()
    table = load(room.pk)
    (bot,) = (member for member in table.members if member.bot)
    found = sheet(table, people[0 if host else 1].pk, bot.pk)
    assert found is not None
    assert found.part["person"]["bot"] == "Bot · hard"
    assert "never sees hidden cards" in found.part["person"]["note"]
    assert "like a medium bot" in found.part["person"]["note"]
    assert found.part["host"] is host


def bluff(monkeypatch: pytest.MonkeyPatch, chatty: bool) -> tuple[Match, Table]:
    """Catch a player bluffing at a table with a bot."""
    monkeypatch.setattr(bots, "OFTEN", {True: 100, False: 0})
    monkeypatch.setattr(bots, "manner_of", lambda seed, seat: Manner("bold", chatty))
    people = [PersonFactory(), PersonFactory()]
    room = open_table(*people, bots=2, lives=3)
    looks(room, *people)
    match = start_match(room)
    before = load(room.pk)
    for move in (Roll(), Announce("2,1")):  # a Mia costs somebody a life, true or not
        seen = load_snapshot(match.pk)
        (seat,) = seen.game.rules.awaited(seen.state)
        if seen.players[seat].bot:
            matches.bot_move(match.pk, seat, seen.state.prompts[seat], move).result()
        else:
            words = {"dice": "2,1"} if isinstance(move, Announce) else {}
            act(match, seen.players[seat], type(move).__name__, **words)
    return match, load(match.room_id, before)


def chatter(table: Table, user_id: int) -> list[Json]:
    (seats,) = (one for one in regions(table, user_id) if one.id == "seats")
    said = [item.part["seat"] for item in seats.items]
    return [seat for seat in said if seat["chatter"]]


def test_chatty_bot_comments_on_public_events(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _match, table = bluff(monkeypatch, chatty=True)
    host = table.members[0].user_id or 0
    seats = chatter(table, host)
    assert seats, "one of two bots at least has announced nothing"
    assert all(seat["bot"] and not seat["bubble"] for seat in seats)
    words = {text.id for text in (*bots.HURT["bold"], *bots.SPARED["bold"])}
    assert {seat["chatter"] for seat in seats} <= words
    assert chatter(load(table.room.pk, table), host) == seats, (
        "everybody reads the same, at any time"
    )


def test_bot_chatter_can_be_muted_permanently() -> None:
    """The page marks its body, so that `static/table.css` hides the bots' bubbles."""
    person = PersonFactory()
    client = as_user(person)
    assert "data-quiet" not in client.get("/").content.decode()
    assert client.post("/you/habit/", {"habit": "quiet", "on": "yes"}).status_code == 204
    assert 'data-quiet="yes"' in client.get("/").content.decode()
    hidden = 'body[data-quiet="yes"] .bubble.chatter { display: none; }'
    assert hidden in (settings.BASE_DIR / "static" / "table.css").read_text()
    room = open_table(person)
    page = client.get(f"/t/{room.code}/").content.decode()
    assert 'data-habit="quiet"' in page


def test_only_chatty_bots_talk_and_only_after_an_event(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _match, table = bluff(monkeypatch, chatty=False)
    assert bots.chatter(table, "en") == {}
    monkeypatch.setattr(bots, "OFTEN", {True: 100, False: 100})
    fresh = start_match(open_table(PersonFactory(), PersonFactory(), bots=1))
    assert bots.chatter(load(fresh.room_id), "en") == {}
