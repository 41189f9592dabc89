"""Personal data: complete export, and complete erasure."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from accounts import tokens
from accounts.models import RegistrationLink, User
from chat.models import Message
from games import rooms
from games.cards import decks
from games.cards.decks.reading import read_deck
from games.contract.core import Refused
from games.engine.snapshots import load_snapshot
from games.history import account_merge, erasure, export
from games.models import Deck, Invitation, Match, Room
from games.rooms import members
from games.tables.loading import load
from games.udp.policy import POLICY
from tests.kit import moderation_helpers
from tests.kit.downloads import download
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import PASSWORD, account, as_guest, as_user
from tests.kit.stored import CSV, everything_stored, exported

pytestmark = pytest.mark.django_db(transaction=True)


def finished(*people: User) -> Match:
    """A match these people have finished."""
    room = open_table(*people)
    match = start_match(room)
    for person in people[1:]:
        rooms.leave(room.pk, person.pk).result()
    match.refresh_from_db()
    assert match.ended_at
    return match


def deleting(client: Client, **given: str) -> Any:
    return client.post("/you/delete/", {"sure": "on", **given})


def test_deleting_an_account_removes_everything_except_matches() -> None:
    zora, bob = account("Zoraida", email="zora@people.example"), account("Bob")
    match = finished(bob, zora)
    room = open_table(zora, bob)
    rooms.say(room.pk, zora.pk, "my secret recipe").result()
    Invitation.objects.create(room=room, user=account("Cleo"), by="Zoraida")
    token = tokens.make(zora, "laptop")
    RegistrationLink.objects.create(note="for Zoraida", used_by=zora)
    client, elsewhere = as_user(zora), as_user(zora)
    answer = deleting(client, password=PASSWORD)
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")
    assert "Your account is deleted" in client.get("/").content.decode()
    stored = everything_stored()
    for trace in ("Zoraida", "zora@", "recipe", "laptop"):
        assert trace not in stored
    assert tokens.holder(token) is None
    for browser in (client, elsewhere):
        assert browser.get("/you/").status_code == 302
    assert not any(
        str(zora.pk) == s.get_decoded().get("_auth_user_id") for s in Session.objects.all()
    )
    assert load_snapshot(match.pk).names == ("Bob", "former player")
    room.refresh_from_db()
    assert room.host_id == bob.pk
    assert room.members.get(user=bob).left_at is None


def test_two_erased_players_of_a_match_are_distinguishable() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    match = finished(ann, bob, eve)
    load_snapshot(match.pk)
    erasure.erase(bob.pk)
    erasure.erase(eve.pk)
    assert load_snapshot(match.pk).names == (ann.name, "former player", "former player 2")


def test_udp_name_of_an_erased_player_has_no_space() -> None:
    assert erasure.free_name({"former-player", "Ann"}, POLICY) == "former-player-2"
    assert erasure.free_name({"Ann"}, POLICY) == "former-player"


def test_erasure_during_a_match_gives_up_the_seat_and_others_play_on() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob, eve)
    match = start_match(room)
    erasure.erase(ann.pk)
    after = load_snapshot(match.pk)
    assert after.names[0] == "former player"
    assert after.players[0].gone == "left"
    assert not after.over
    room.refresh_from_db()
    assert room.host_id == bob.pk
    rooms.leave(room.pk, eve.pk).result()
    assert load_snapshot(match.pk).over


def test_the_wrong_password_deletes_nothing() -> None:
    bob = account("Bob")
    client = as_user(bob)
    for given in ({"password": "wrong"}, {}, {"password": PASSWORD, "sure": ""}):
        answer = deleting(client, **given)
        assert answer.status_code == 422
        assert "problem" in answer.content.decode()
    assert User.objects.filter(pk=bob.pk, is_active=True).exists()
    assert client.get("/you/").status_code == 200


def test_guest_confirms_deletion_by_checkbox_instead_of_password() -> None:
    client, guest = as_guest("Wanda")
    page = client.get("/you/delete/").content.decode()
    assert 'name="sure"' in page
    assert 'name="password"' not in page
    assert client.post("/you/delete/", {}).status_code == 422
    assert client.post("/you/delete/", {"password": "x"}).status_code == 422
    assert deleting(client).status_code == 302
    assert not User.objects.filter(pk=guest.pk).exists()


def test_name_of_a_merged_guest_is_erased_with_the_account() -> None:
    zora, guest, bob = account("Zoraida"), PersonFactory(name="Wanda"), account("Bob")
    match = finished(bob, zora, guest)
    room = open_table(bob, zora, guest)
    Room.objects.filter(pk=room.pk).update(standings={"Wanda": 1, "Zoraida": 2})
    account_merge.merge_accounts(guest.pk, zora.pk).result()
    room.refresh_from_db()
    assert room.standings == {"Zoraida": 3}
    erasure.erase(zora.pk)
    assert load_snapshot(match.pk).names == ("Bob", "former player 2", "former player")
    for trace in ("Zoraida", "Wanda"):
        assert trace not in everything_stored()


def test_staff_account_cannot_be_erased() -> None:
    root = account("Root", is_staff=True)
    answer = deleting(as_user(root), password=PASSWORD)
    assert answer.status_code == 422
    assert "another administrator" in answer.content.decode()
    with pytest.raises(Refused):
        erasure.erase(root.pk)
    assert User.objects.filter(username="Root", is_active=True).exists()


def test_decks_of_an_erased_user_are_deleted() -> None:
    ann, bob = account("Ann"), account("Bob")
    pack = read_deck(CSV, "Ann's jokes", "en").pack
    assert pack is not None
    decks.keep(ann.pk, pack).result()
    erasure.erase(ann.pk)
    assert not Deck.objects.exists()
    assert as_user(bob).get("/decks/").status_code == 200


def test_erasure_clears_removed_messages_from_the_staff_log() -> None:
    root, ann = account("Root", is_staff=True, is_superuser=True), account("Mirabel")
    room = open_table(ann, account("Bob"))
    rooms.say(room.pk, ann.pk, "rude words").result()
    said = Message.objects.get()
    chosen = {"action": "remove", "_selected_action": [said.pk], "why": "yes", "reason": "enough"}
    as_user(root).post("/admin/chat/message/", chosen)
    assert "rude words" in everything_stored()
    erasure.erase(ann.pk)
    assert "rude" not in everything_stored()
    assert "Mirabel" not in everything_stored()


def test_erased_user_cannot_host_or_join() -> None:
    """A connection of an erased user gets an error message."""
    ann = account("Ann")
    erasure.erase(ann.pk)
    with pytest.raises(members.Rejected):
        rooms.open_room(ann.pk, "mia", "Ann").result()
    room = open_table(PersonFactory())
    with pytest.raises(members.Rejected):
        rooms.join(room.code, ann.pk, "Ann").result()


def test_export_contains_all_data_of_the_user_and_none_of_others() -> None:
    ann, bob = account("Ann", email="ann@people.example"), account("Bob", email="bob@b.example")
    pack = read_deck(CSV, "Ann's jokes", "en").pack
    assert pack is not None
    decks.keep(ann.pk, pack).result()
    tokens.make(ann, "laptop")
    room = open_table(ann, bob, game="coup", bots=1)
    rooms.say(room.pk, ann.pk, "hello from Ann").result()
    rooms.say(room.pk, bob.pk, "and from Bob").result()
    match = start_match(room)
    answer = download(as_user(ann))
    assert "attachment" in answer.headers["Content-Disposition"]
    about = json.loads(answer.content)
    assert set(about) == {"format", *export.PARTS}
    assert about["profile"]["email"] == "ann@people.example"
    assert [token["name"] for token in about["tokens"]] == ["laptop"]
    assert [said["text"] for said in about["chat"]] == ["hello from Ann"]
    assert about["decks"][0]["pack"]["name"] == "Ann's jokes"
    assert about["tables"][0]["room"] == room.code
    (played,) = about["matches"]
    assert played["match"] == match.pk
    for foreign in ("and from Bob", "bob@b.example", ann.password, match.secret):
        assert foreign not in answer.content.decode()
    assert "digest" not in answer.content.decode()


def test_export_of_a_running_match_contains_only_the_seats_events() -> None:
    """Five people with secret roles: each export contains its owner's role and no other."""
    people = [account(f"P{n}") for n in range(5)]
    room = open_table(*people, game="secret_hitler")
    match = start_match(room)
    acts = [told for act in match.acts.all() for told in act.told]
    secrets = [told for told in acts if told["to"] is not None]
    assert secrets
    for seat, person in enumerate(people):
        (played,) = exported(person)["matches"]
        wanted = sum(told["to"] is None or seat in told["to"] for told in acts)
        assert len(played["told"]) == wanted


def test_export_is_denied_to_anonymous_and_banned_users() -> None:
    assert Client().get("/you/data/").status_code == 302
    locked = account("Locked")
    client = as_user(locked)
    moderation_helpers.lock_out(locked.pk).result()
    answer = download(client)
    assert (answer.status_code, "profile" in answer.content.decode()) == (403, False)


def test_shown_scores_do_not_keep_the_name_of_an_erased_player() -> None:
    """The name is that of a player who left, in a match that has ended."""
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
    room = open_table(bob, ann)
    start_match(room)
    rooms.leave(room.pk, ann.pk).result()
    before = load(room.pk)
    assert {score.name for score in before.evening} == {"Ann", "Bob"}
    erasure.erase(ann.pk)
    shown = load(room.pk, before).evening
    assert "Ann" not in {score.name for score in shown}
    assert shown == load(room.pk).evening
