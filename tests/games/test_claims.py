"""Claims in Secret Hitler: who may make which ones, how often, and how they are shown."""

from __future__ import annotations

import pytest

from accounts.models import User
from chat.models import Message
from games import rooms
from games.contract.choices import random_move
from games.contract.core import Refused
from games.contract.data import Seat
from games.contract.luck import Luck
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.models import Match, Room
from games.pages import regions
from games.tables.loading import load
from games.wire.claims import ChatClaim
from games.wire.wire import to_wire
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import sync_data

pytestmark = pytest.mark.django_db(transaction=True)

Tiles = tuple[str, ...]
DRAWN: Tiles = ("fascist", "fascist", "liberal")


def governed(**options: object) -> tuple[Room, Match, list[User]]:
    """A table of five in which a government has enacted a policy."""
    people = [PersonFactory() for _ in range(5)]
    room = open_table(*people, game="secret_hitler", **options)
    match = start_match(room)
    dice = Luck(b"claims", 1)
    for _ in range(200):
        seen = load_snapshot(match.pk)
        if any(session.by == "government" for session in seen.state.history):
            return room, match, people
        seat = next(Seat(at) for at in range(5) if seen.game.rules.offers(seen.state, Seat(at)))
        move = random_move(seen.game.rules.moves, seen.game.rules.offers(seen.state, seat), dice)
        packet = {k: v for k, v in to_wire(move, seen.names).items() if v is not None}
        if packet["type"] == "Vote":
            packet["ja"] = True
        matches.move(room.pk, seen.players[seat].user_id, packet).result()
    raise AssertionError("no government was elected")


def last_government(match: Match) -> tuple[int, int, int]:
    """Return (president, chancellor, another player) of the latest session, as users."""
    seen = load_snapshot(match.pk)
    session = next(s for s in reversed(seen.state.history) if s.by == "government")
    other = next(
        Seat(at) for at in range(5) if Seat(at) not in (session.president, session.chancellor)
    )
    ids = [seen.players[seat].user_id for seat in (session.president, session.chancellor, other)]
    return ids[0] or 0, ids[1] or 0, ids[2] or 0


def claim(room: Room, user_id: int, kind: str, tiles: Tiles, text: str = "") -> None:
    rooms.say(room.pk, user_id, text, ChatClaim(kind, tiles)).result()


def test_president_can_claim_any_draw_once() -> None:
    room, match, _people = governed()
    president, chancellor, other = last_government(match)
    claim(room, president, "drawn", DRAWN, "honestly")
    sent = sync_data(load(room.pk), other)["chat"][-1]
    assert sent["message"] == "honestly"
    assert sent["claim"]["kind"] == "drawn"
    assert sent["claim"]["policies"] == list(DRAWN)
    with pytest.raises(Refused, match="already_claimed"):
        claim(room, president, "drawn", ("liberal",) * 3)
    with pytest.raises(Refused, match="not_your_hand"):
        claim(room, president, "received", DRAWN[:2])
    claim(room, chancellor, "received", ("liberal", "liberal"))
    for kind in ("drawn", "received", "peeked", "nonsense"):
        with pytest.raises(Refused, match="not_your_hand"):
            claim(room, other, kind, DRAWN)


@pytest.mark.parametrize("tiles", [(), ("fascist",), ("fascist",) * 4, ("fascist", "blue", "x")])
def test_claim_must_have_the_right_number_of_tiles(tiles: Tiles) -> None:
    room, match, _people = governed()
    president, *_others = last_government(match)
    with pytest.raises(Refused, match="bad_claim"):
        claim(room, president, "drawn", tiles)
    assert not Message.objects.exists()


def test_claims_are_kept_without_their_message_if_the_chat_is_off() -> None:
    room, match, _people = governed(chat="off")
    president, _chancellor, other = last_government(match)
    claim(room, president, "drawn", DRAWN, "and some words")
    message = Message.objects.get()
    assert message.text == ""
    assert message.claim["policies"] == list(DRAWN)
    with pytest.raises(Refused, match="chat_closed"):
        rooms.say(room.pk, president, "only words").result()
    with pytest.raises(Refused, match="not_your_hand"):
        claim(room, other, "drawn", DRAWN)


def test_page_offers_possible_claims_and_shows_those_already_made() -> None:
    room, match, _people = governed()
    president, chancellor, other = last_government(match)
    offered = {
        user: [
            c["kind"]
            for r in regions(load(room.pk), user)
            if r.id == "hand"
            for c in r.part["claims"]
        ]
        for user in (president, chancellor, other)
    }
    assert offered == {president: ["drawn"], chancellor: ["received"], other: []}
    claim(room, president, "drawn", DRAWN)
    for user in (president, other):
        parts = {region.id: region.part for region in regions(load(room.pk), user)}
        assert parts["hand"]["claims"] == []
        (shown,) = parts["board"]["claims"]
        assert (shown["kind"], shown["policies"]) == ("drawn", list(DRAWN))
        assert shown["verdict"] in ("", "contradicted")
        assert "secret" not in str(shown)


def test_other_games_accept_no_claims() -> None:
    people = [PersonFactory() for _ in range(2)]
    room = open_table(*people)
    start_match(room)
    with pytest.raises(Refused, match="not_your_hand"):
        claim(room, people[0].pk, "drawn", DRAWN)
    with pytest.raises(Refused, match="not_your_hand"):
        claim(open_table(people[1], game="secret_hitler"), people[1].pk, "drawn", DRAWN)
