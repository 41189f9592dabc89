"""Warnings, mutes and bans: their effect on a user, at every entry and under every identity."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import Sanction, User
from games import rooms
from games.contract.core import Refused
from games.history import account_merge
from games.models import Invitation, Member, Room, UdpName
from games.tables.sentences import refusal
from games.udp import commands as udp
from moderation import reports
from moderation.models import Report, StaffAct
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.moderators import decide, superuser
from tests.kit.people import PASSWORD, account, as_guest, as_user, signing_up, who

pytestmark = pytest.mark.django_db(transaction=True)

PAGES = ["/", "/you/", "/decks/", "/new/mia/", "/rules/mia/", "/account/signup/", "/nothing/"]


@pytest.mark.parametrize("length", ["day", "week", "ever"])
def test_banned_user_sees_the_reason_the_end_and_the_contact(length: str, settings: Any) -> None:
    settings.APPEAL_TO = "appeals@parlour.example"
    client, guest = as_guest()
    decide("lock", "spam <b>", length, person=guest.pk)
    for page in PAGES:
        answer = client.get(page)
        text = answer.content.decode()
        assert answer.status_code in (403, 404)
        if answer.status_code == 404:
            continue
        assert "spam &lt;b&gt;" in text
        assert "appeals@parlour.example" in text
        assert ("forever" in text) is (length == "ever")
        assert ("UTC" in text) is (length != "ever")


def test_banned_user_cannot_post_anything() -> None:
    client, guest = as_guest()
    decide("lock", person=guest.pk)
    for page, given in (
        ("/play/", {"game": "mia", "name": "Eve"}),
        ("/account/signup/", signing_up("Eve")),
        ("/forget-me/", {}),
        ("/you/name/", {"name": "Eve"}),
    ):
        assert client.post(page, given).status_code == 403
    assert not Member.objects.exists()
    guest.refresh_from_db()
    assert (str(guest), guest.is_guest) == ("Ann", True)


def test_ban_expires_and_can_be_lifted() -> None:
    client, guest = as_guest()
    decide("lock", person=guest.pk)
    Sanction.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert client.get("/").status_code == 200
    decide("lock", "again", "ever", person=guest.pk)
    assert client.get("/").status_code == 403
    decide("let_in", person=guest.pk)
    assert client.get("/").status_code == 200


def test_login_of_a_banned_user_shows_the_reason() -> None:
    ann = account("Ann")
    decide("lock", "spam", person=ann.pk)
    client = Client()
    given = {"login": "Ann", "password": PASSWORD}
    assert "spam" in client.post("/account/login/", given, follow=True).content.decode()


def test_banned_browser_is_recognized_without_its_session() -> None:
    client, guest = as_guest()
    decide("lock", "spam", person=guest.pk)
    client.get("/")
    del client.cookies["sessionid"]
    assert "spam" in client.get("/").content.decode()
    assert client.post("/play/", {"game": "mia", "name": "Eve"}).status_code == 403
    assert not User.objects.filter(name="Eve").exists()
    assert Client().get("/").status_code == 200, "another browser cannot be told"


def test_account_holder_can_log_in_on_a_device_where_a_guest_is_banned() -> None:
    client, guest = as_guest()
    account("Bob")
    decide("lock", person=guest.pk)
    client.get("/")
    del client.cookies["sessionid"]
    client.post("/account/login/", {"login": "Bob", "password": PASSWORD})
    assert client.get("/").status_code == 200


@pytest.mark.parametrize("forged", ["1", "1:abc:def", "x" * 3000, "\u00e9"])
def test_forged_trail_cookie_is_ignored(client: Client, forged: str) -> None:
    guest = PersonFactory()
    decide("lock", person=guest.pk)
    client.cookies["trail"] = forged.replace("1", str(guest.pk))
    assert client.get("/").status_code == 200


def test_banned_user_leaves_every_table_and_cannot_join_any() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room, other = open_table(ann, bob), open_table(bob)
    match = start_match(room)
    decide("lock", "spam", person=bob.pk)
    assert {m.left_because for m in Member.objects.filter(user=bob)} == {"banned"}
    assert match.players.get(user=bob).gone == "banned"
    for code in (room.code, other.code):
        with pytest.raises(Refused, match="Banned") as caught:
            rooms.join(code, bob.pk, "Bob").result()
        assert "spam" in refusal(caught.value)
        assert "UTC" in refusal(caught.value)
    with pytest.raises(Refused, match="Banned"):
        rooms.open_room(bob.pk, "mia", "Bob").result()


def test_banned_user_leaves_the_udp_table_too() -> None:
    room_id, _ = udp.open_table().result()
    bob = PersonFactory(name="Bob")
    member = Member.objects.create(room_id=room_id, user=bob, name="Bob", key="bob")
    UdpName.objects.create(name="Bob", user=bob)
    decide("lock", person=bob.pk)
    member.refresh_from_db()
    assert member.left_because == "banned"
    assert udp.find(room_id).seated == ()


def test_mute_survives_registration() -> None:
    client, guest = as_guest()
    decide("mute", person=guest.pk)
    client.post("/account/signup/", signing_up("Anna"))
    anna = User.objects.get(username="Anna")
    assert anna.pk == guest.pk
    with pytest.raises(Refused, match="muted"):
        rooms.say(open_table(anna).pk, anna.pk, "hello").result()


def test_mute_survives_forgetting_the_guest_in_the_same_browser() -> None:
    client, guest = as_guest()
    decide("mute", "spam", person=guest.pk)
    client.post("/forget-me/")
    assert who(client) is None
    client.post("/play/", {"game": "mia", "name": "Eve"})
    eve = who(client)
    assert eve is not None
    assert eve.pk != guest.pk
    with pytest.raises(Refused, match="muted"):
        rooms.say(Member.objects.get(user=eve).room_id, eve.pk, "hello").result()


@pytest.mark.parametrize("has_account", [False, True])
def test_mute_survives_a_new_registration_in_the_same_browser(has_account: bool) -> None:
    client, person = as_guest() if not has_account else (None, account("Ann"))
    client = client or as_user(person)
    decide("mute", "spam", person=person.pk)
    client.get("/")
    client.post("/account/logout/")
    assert who(client) is None
    client.post("/account/signup/", signing_up("Eve"))
    eve = who(client)
    assert eve is not None
    assert eve.pk != person.pk
    with pytest.raises(Refused, match="muted"):
        rooms.say(open_table(eve).pk, eve.pk, "hello").result()


def test_muted_user_cannot_write_through_names() -> None:
    client, guest = as_guest("Ann")
    host = PersonFactory()
    room, other = open_table(host, guest), open_table(host)
    decide("mute", "spam", person=guest.pk)
    refused = client.post("/you/name/", {"name": "You are all bad"})
    assert refused.status_code == 422
    assert "spam" in refused.content.decode()
    rooms.leave(room.pk, guest.pk).result()
    for code in (room.code, other.code):
        with pytest.raises(Refused, match="muted"):
            rooms.join(code, guest.pk, "You are all bad").result()
        rooms.join(code, guest.pk, "Ann").result()
    with pytest.raises(Refused, match="muted"):
        rooms.open_room(guest.pk, "mia", "You are all bad").result()
    assert not Room.objects.filter(host=guest).exists()
    decide("let_in", person=guest.pk)
    assert client.post("/you/name/", {"name": "Anna"}).status_code == 302


def test_sanctions_of_a_guest_move_to_the_merged_account() -> None:
    bob, guest = account("Bob"), PersonFactory()
    decide("mute", person=guest.pk)
    account_merge.merge_accounts(guest.pk, bob.pk).result()
    assert bob.sanctions.get().kind == "mute"


def test_muted_user_is_told_the_reason_until_the_mute_ends() -> None:
    ann = PersonFactory()
    room = open_table(ann)
    decide("mute", "spam", person=ann.pk)
    with pytest.raises(Refused, match="muted") as caught:
        rooms.say(room.pk, ann.pk, "hello").result()
    assert "spam" in refusal(caught.value)
    assert "bis" not in refusal(caught.value)
    Sanction.objects.update(until=timezone.now())
    rooms.say(room.pk, ann.pk, "hello").result()


def test_warning_is_shown_on_every_page_until_read() -> None:
    client, guest = as_guest()
    room = open_table(guest)
    decide("warn", "be <b>kind", person=guest.pk)
    for page in ("/", "/decks/", f"/t/{room.code}/", "/rules/mia/", "/nothing/"):
        assert "be &lt;b&gt;kind" in client.get(page).content.decode(), page
    number = Sanction.objects.get().pk
    stranger, _ = as_guest("Eve")
    stranger.post(f"/you/read/{number}/")
    assert "be &lt;b&gt;kind" in client.get("/").content.decode()
    assert client.post(f"/you/read/{number}/", {"next": "/decks/"}).url == "/decks/"
    assert "kind" not in client.get("/").content.decode()


def test_confirming_a_warning_does_not_redirect_to_other_sites() -> None:
    client, guest = as_guest()
    decide("warn", person=guest.pk)
    number = Sanction.objects.get().pk
    assert client.post(f"/you/read/{number}/", {"next": "https://evil.example/"}).url == "/"


def test_only_superusers_can_sanction_staff_and_nobody_themselves() -> None:
    from tests.kit.moderators import moderator

    mod, other, root = moderator(), moderator("Other"), superuser()
    from moderation import actions

    for by, whom in ((mod, mod), (mod, other), (mod, root), (root, root)):
        with pytest.raises(Refused, match="hands_off"):
            actions.do("lock", actions.ActionRequest(by=by.pk, reason="x", person=whom.pk)).result()
    actions.do("lock", actions.ActionRequest(by=root.pk, reason="x", person=other.pk)).result()
    assert as_user(other).get("/admin/").status_code == 403


def test_removed_name_cannot_be_used_again() -> None:
    client, guest = as_guest("Rude Name")
    other = PersonFactory()
    room, playing = open_table(guest), open_table(other, guest)
    match = start_match(playing)
    rooms.say(room.pk, guest.pk, "hello").result()
    account("Bob")
    rooms.invite(room.pk, guest.pk, "Bob").result()
    decide("rename", person=guest.pk)
    guest.refresh_from_db()
    new = f"Player {guest.pk}"
    assert str(guest) == new
    assert room.members.get().name == new
    assert match.players.get(user=guest).name == new
    assert Invitation.objects.get().by == new
    assert "Rude" not in client.get("/").content.decode().replace("“Rude Name”", "")
    assert client.post("/you/name/", {"name": "Rudе Name"}).status_code == 422  # a Cyrillic e
    with pytest.raises(Refused, match="UsernameRemoved"):
        rooms.join(open_table(other).code, guest.pk, "rude name").result()


def test_name_used_at_a_table_is_removed_too() -> None:
    client, guest = as_guest("Ann")
    other = PersonFactory()
    room = open_table(other)
    rooms.join(room.code, guest.pk, "Rude Name").result()
    decide("rename", person=guest.pk)
    with pytest.raises(Refused, match="UsernameRemoved"):
        rooms.join(open_table(other).code, guest.pk, "rude name").result()
    assert "“Rude Name”" in client.get("/").content.decode()


def test_reported_name_is_removed_even_if_no_longer_used() -> None:
    client, guest = as_guest("Ann")
    other, root = account("Bob"), superuser()
    room = open_table(other)
    rooms.join(room.code, guest.pk, "Rude Name").result()
    reports.from_table(room.pk, other.pk, "name", "Rude Name", "insult", "").result()
    rooms.leave(room.pk, guest.pk).result()
    given = {"action": "rename", "reason": "rude"}
    page = f"/admin/moderation/report/{Report.objects.get().pk}/change/"
    assert as_user(root).post(page, given).status_code == 302
    assert client.post("/you/name/", {"name": "Rude Name"}).status_code == 422
    client.post("/account/signup/", signing_up("Rude Name"))
    assert not User.objects.filter(username="Rude Name").exists()
    assert "Rude Name" in StaffAct.objects.get().what


def test_removal_covers_a_name_used_at_a_table_the_user_has_left() -> None:
    bob, other = account("Bob"), PersonFactory()
    room = open_table(other)
    rooms.join(room.code, bob.pk, "Rude Name").result()
    rooms.leave(room.pk, bob.pk).result()
    decide("rename", person=bob.pk)
    with pytest.raises(Refused, match="UsernameRemoved"):
        rooms.join(room.code, bob.pk, "rude name").result()
    assert "“Rude Name”" in as_user(bob).get("/").content.decode()


def test_replacement_name_is_unique_and_permanent() -> None:
    bob, other = account("Bob"), PersonFactory()
    room = open_table(other, bob)
    rooms.join(room.code, PersonFactory().pk, f"Player {bob.pk}").result()
    decide("rename", person=bob.pk)
    bob.refresh_from_db()
    assert room.members.get(user=bob).name == str(bob) == f"Player {bob.pk}-2"
    with pytest.raises(Refused, match="already_done"):
        decide("rename", person=bob.pk)
    rooms.leave(room.pk, bob.pk).result()
    assert rooms.join(room.code, bob.pk).result().name == str(bob)


def test_warning_is_hidden_during_a_ban() -> None:
    client, guest = as_guest()
    decide("warn", "that was rude", person=guest.pk)
    decide("lock", "spam", person=guest.pk)
    page = client.get("/").content.decode()
    assert "spam" in page
    assert "Got it" not in page
    decide("let_in", person=guest.pk)
    assert "that was rude" in client.get("/").content.decode()


def test_member_of_a_closed_table_sees_the_reason() -> None:
    client, guest = as_guest()
    other, _ = as_guest("Other")
    room = open_table(PersonFactory(), guest)
    decide("close", "too <loud>", room=room.pk)
    answer = client.get(f"/t/{room.code}/")
    assert answer.status_code == 404
    assert "A moderator closed this table: too &lt;loud&gt;" in answer.content.decode()
    assert "too" not in other.get(f"/t/{room.code}/").content.decode().partition("<main")[2]


def test_tokens_are_valid_again_after_a_ban() -> None:
    ann = account("Ann")
    token = tokens.make(ann, "x")
    decide("lock", person=ann.pk)
    decide("let_in", person=ann.pk)
    assert tokens.holder(token) == ann
