"""Eliminated players and spectators leave for a new game together."""

from __future__ import annotations

import json

import pytest

from accounts.models import User
from games import rooms
from games.cards import decks
from games.cards.decks.reading import read_deck
from games.contract.core import Ignored, Refused
from games.engine.snapshots import load_snapshot
from games.models import Match, Member, Room
from games.pages import regions
from games.pages.lines import log_lines
from games.rooms import passwords
from games.rooms.members import Rejected
from games.tables.loading import load
from games.tables.table import Json
from tests.kit.acting import go_out, let_time_run_out
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import as_user
from tests.kit.sent import packets

pytestmark = pytest.mark.django_db(transaction=True)

NAMES = ("Ann", "Bob", "Cleo", "Dan")


@pytest.fixture
def people() -> list[User]:
    return [PersonFactory(name=name) for name in NAMES]


def running(people: list[User], *out: User, **options: object) -> tuple[Room, Match]:
    """A match of Mia with these users, some of whom are out."""
    room = open_table(*people, lives=1, **options)
    match = start_match(room)
    for person in out:
        go_out(match, person)
        let_time_run_out(match)
    return Room.objects.get(pk=room.pk), match


def leave(room: Room, person: User, code: str | None = None) -> Room:
    joined = rooms.leave_for_new_game(room.pk, person.pk, code).result()
    return Room.objects.get(pk=joined.room_id)


def part(room: Room, person: User) -> Json:
    """Return the notice for eliminated players in this user's dock."""
    found = regions(load(room.pk), person.pk)
    return next(region.part for region in found if region.id == "spectating")


def here(room: Room) -> list[str]:
    return list(
        room.members.filter(left_at=None).order_by("joined_at").values_list("name", flat=True)
    )


def test_eliminated_player_opens_a_table_with_the_same_options_as_host(people: list[User]) -> None:
    ann, bob, *_ = people
    room, match = running(people, bob, pace="fast")
    hashed = passwords.hashed("dragon").result()
    rooms.set_room(room.pk, ann.pk, "unlisted", hashed).result()
    version = Match.objects.get(pk=match.pk).version
    new = leave(room, bob)
    assert (new.game, new.options, new.visibility, new.password, new.host_id) == (
        "mia",
        Room.objects.get(pk=room.pk).options,
        "unlisted",
        hashed,
        bob.pk,
    )
    assert here(new) == ["Bob"]
    assert here(room) == ["Ann", "Cleo", "Dan"]
    after = load_snapshot(match.pk)
    assert (after.row.version, after.over) == (version + 1, False)
    assert after.players[after.names.index("Bob")].gone == "left"


def test_other_eliminated_players_can_follow_with_one_tap(people: list[User]) -> None:
    ann, bob, cleo, _dan = people
    room, _ = running(people, bob, cleo)
    rooms.set_room(room.pk, ann.pk, "invited").result()
    assert (part(room, cleo)["out"], part(room, cleo)["others"]) == (True, True)
    new = leave(room, bob)
    assert part(room, cleo)["new"] == {"code": new.code, "host": "Bob"}
    assert part(room, ann) == {"shown": False}
    browser = as_user(cleo)
    page = browser.get(f"/t/{room.code}/").content.decode()
    assert "Bob has started a new game." in page
    answer = browser.post(f"/t/{room.code}/new-game/", {"room": new.code})
    assert answer.url == f"/t/{new.code}/"
    assert here(new) == ["Bob", "Cleo"]
    assert here(room) == ["Ann", "Dan"]


def test_two_concurrent_requests_open_one_new_game(people: list[User]) -> None:
    room, _ = running(people, *people[1:3])
    assert leave(room, people[1]) == leave(room, people[2])


def test_log_and_members_of_the_old_table_are_informed(people: list[User]) -> None:
    room, _ = running(people, people[1])
    before = load(room.pk)
    new = leave(room, people[1])
    now = load(room.pk, before)
    lines = [line["text"] for line in log_lines(now, now.acts, now.viewer(people[0].pk))]
    assert lines == ["Bob has left."]
    told = [p for p in packets(before, now, people[0].pk) if p["type"] != "GameDataSync"]
    assert {"type": "PlayerLeft", "username": "Bob", "reason": "left"} in told
    assert {"type": "NewGameOpened", "room": new.code, "username": "Bob"} in told


def test_players_in_the_match_or_before_it_cannot_leave_for_a_new_game(people: list[User]) -> None:
    room, _ = running(people)
    with pytest.raises(Ignored):
        leave(room, people[0])
    waiting = open_table(*people)
    with pytest.raises(Refused, match="not_allowed_now"):
        leave(waiting, people[0])
    assert Room.objects.count() == 2


def test_spectator_may_open_a_new_game_and_is_seated_there(people: list[User]) -> None:
    room, _ = running(people)
    eve = PersonFactory(name="Eve")
    rooms.join(room.code, eve.pk, "Eve", spectate=True).result()
    assert (part(room, eve)["out"], part(room, eve)["next"]) == (False, False)
    new = leave(room, eve)
    assert not Member.objects.get(room=new, user=eve).spectator


def test_user_blocked_by_the_new_host_gets_another_table(people: list[User]) -> None:
    _, bob, cleo, _ = people
    room, _ = running(people, bob, cleo)
    rooms.block(room.pk, bob.pk, "Cleo", on=True).result()
    new = leave(room, bob)
    assert part(room, cleo)["new"] is None
    with pytest.raises(Rejected, match="Kicked"):
        leave(room, cleo, new.code)
    assert "Cleo" in here(room)
    assert leave(room, cleo) != new


def test_started_game_is_not_offered_and_an_unrelated_one_is_refused(
    people: list[User],
) -> None:
    _, bob, cleo, _ = people
    room, _ = running(people, bob, cleo)
    new = leave(room, bob)
    rooms.add_bot(new.pk, bob.pk).result()
    start_match(Room.objects.get(pk=new.pk))
    assert part(room, cleo)["new"] is None
    elsewhere = open_table(PersonFactory(name="Eve"))
    with pytest.raises(Refused, match="gone"):
        leave(room, cleo, elsewhere.code)
    browser = as_user(cleo)
    answer = browser.post(f"/t/{room.code}/new-game/", {"room": elsewhere.code}, follow=True)
    assert "That is gone." in answer.content.decode()
    assert here(room) == ["Ann", "Cleo", "Dan"]


def test_visitor_of_a_running_match_sees_their_future_role() -> None:
    people = [PersonFactory(name=name) for name in NAMES[:3]]
    said = {
        "watch": "Watch now, join the next one.",
        "play": "Join now and you play from the next round on.",
        "back": "your seat is still yours. Join to take it back.",
    }

    def sees(room: Room, person: User) -> set[str]:
        page = as_user(person).get(f"/t/{room.code}/").content.decode()
        return {name for name, sentence in said.items() if sentence in page}

    closed, late = (
        open_table(*people, game="cards", allowLateJoin=may, onLeave="substitute")
        for may in (False, True)
    )
    eve = PersonFactory(name="Eve")
    assert sees(late, eve) == set()
    for room, wanted in ((closed, {"watch"}), (late, {"play"})):
        start_match(room)
        assert sees(room, eve) == wanted
        rooms.leave(room.pk, people[1].pk).result()
        assert sees(room, people[1]) == {"back"}


def test_private_deck_of_the_old_host_is_dropped() -> None:
    people = [PersonFactory(name=name) for name in NAMES[:3]]
    cards = {
        "prompts": [{"text": f"Why is number {n} so _?"} for n in range(40)],
        "answers": [{"text": f"a goose of size {n}"} for n in range(60)],
    }
    pack = read_deck(json.dumps(cards).encode(), "Geese", "en", None).pack
    assert pack is not None
    deck = decks.keep(people[0].pk, pack).result()
    room = open_table(*people, game="cards", packs=["own", deck.slug], maxRounds=3)
    start_match(room)
    eve = PersonFactory(name="Eve")
    rooms.join(room.code, eve.pk, "Eve").result()
    new = leave(room, eve)
    assert (new.options["packs"], new.options["maxRounds"]) == (["own"], 3)
    rooms.set_options(new.pk, eve.pk, {"maxRounds": 4}).result()
