"""The badge and its list: your tables, your turns, your invitations."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from accounts.models import User
from games import rooms
from games.engine.snapshots import load_snapshot
from games.models import Invitation, Match, Member, Room
from games.rooms import passwords, table_pause
from lobby.calls import concerned
from tests.kit.acting import on_turn
from tests.kit.factories import AccountFactory, PersonFactory, open_table, start_match
from tests.kit.named import same_names
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)


def badge(client: Client, address: str = "/rules/mia/") -> str:
    """Return the badge of a page, or ""."""
    page = client.get(address).content.decode()
    found = re.search(r'<a id="badge".*?</a>', page, re.DOTALL)
    if found is None or " hidden" in found[0].partition(">")[0]:
        return ""
    return " ".join(found[0].split())


def waiting(user: User, name: str = "Bob") -> Room:
    """A table at which it is this user's turn."""
    room = open_table(user, PersonFactory(name=name))
    match = start_match(room)
    while on_turn(match).user_id != user.pk:
        rooms.leave(room.pk, room.host_id or 0).result()
        room = open_table(user, PersonFactory(name=name))
        match = start_match(room)
    return room


def asked(user: User, host: str = "Ann") -> Room:
    """A table to which this user is invited."""
    room = open_table(PersonFactory(name=host))
    rooms.invite(room.pk, room.host_id, user.username).result()
    return room


class TestBadge:
    def test_badge_is_hidden_without_a_table(self) -> None:
        assert badge(Client()) == badge(as_user(PersonFactory())) == ""

    @pytest.mark.parametrize("address", ["/rules/mia/", "/decks/", "/you/", "/new/coup/", "/404/"])
    def test_badge_links_to_your_tables_on_every_page(self, address: str) -> None:
        ann = PersonFactory()
        open_table(ann)
        shown = badge(as_user(ann), address)
        assert "Your tables" in shown
        assert 'href="/tables/"' in shown

    def test_badge_links_to_the_only_table_awaiting_you(self) -> None:
        ann = PersonFactory()
        room = waiting(ann)
        shown = badge(as_user(ann))
        assert "Your turn: Mia" in shown
        assert f'href="/t/{room.code}/"' in shown

    def test_badge_counts_several_waiting_tables_and_links_to_the_list(self) -> None:
        ann = PersonFactory()
        for name in ("Bob", "Cid"):
            waiting(ann, name)
        shown = badge(as_user(ann))
        assert "Your turn at 2 tables" in shown
        assert 'href="/tables/"' in shown

    def test_badge_ignores_the_table_on_the_current_page(self) -> None:
        ann = PersonFactory()
        room = waiting(ann)
        assert badge(as_user(ann), f"/t/{room.code}/") == ""
        other = waiting(ann)
        assert f'href="/t/{other.code}/"' in badge(as_user(ann), f"/t/{room.code}/")

    def test_badge_shows_invitations_if_no_table_is_waiting(self) -> None:
        eve = AccountFactory()
        asked(eve)
        assert "1 invitation" in badge(as_user(eve))

    def test_unreadable_match_does_not_break_the_list(self) -> None:
        ann = PersonFactory()
        room = waiting(ann)
        broken = Match.objects.filter(pk=room.match_id or start_of(room))
        broken.update(state="nonsense", version=99)
        answer = as_user(ann).get("/tables/")
        assert answer.status_code == 200
        assert room.code in answer.content.decode()


def start_of(room: Room) -> int:
    return Match.objects.get(room=room).pk


class TestList:
    def test_list_shows_members_and_the_awaited_player(self) -> None:
        ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
        room = open_table(ann, bob, bots=1)
        match = start_match(room)
        page = as_user(ann).get("/tables/").content.decode()
        assert "with Bob" in page
        assert "1 bot" in page
        awaited = load_snapshot(match.pk).names[on_turn(match).seat]
        assert ("your turn" in page) is (awaited == "Ann")
        assert (f"waiting for {awaited}" in page) is (awaited != "Ann")

    def test_paused_match_awaits_nobody(self) -> None:
        ann = PersonFactory(name="Ann")
        room = open_table(ann, PersonFactory(name="Bob"))
        start_match(room)
        table_pause.pause(room.pk, ann.pk).result()
        page = as_user(ann).get("/tables/").content.decode()
        assert "paused" in page
        assert "your turn" not in page
        assert "waiting for" not in page

    def test_list_omits_tables_of_others(self) -> None:
        room = open_table(PersonFactory())
        assert room.code not in as_user(PersonFactory()).get("/tables/").content.decode()

    def test_empty_list_is_explained(self) -> None:
        assert "at any tables" in as_user(PersonFactory()).get("/tables/").content.decode()


class TestInvitations:
    def test_invitation_names_the_inviter(self) -> None:
        eve = AccountFactory()
        room = asked(eve, "Ann <b>")
        for address in ("/", "/tables/"):
            page = as_user(eve).get(address).content.decode()
            assert "Ann &lt;b&gt; invites you" in page
            assert f"/t/{room.code}/accept/" in page

    def test_accepting_an_invitation_joins_without_the_password(self) -> None:
        eve = AccountFactory(name="Eve")
        room = asked(eve)
        rooms.set_room(
            room.pk, room.host_id, "invited", passwords.hashed("dragon").result()
        ).result()
        answer = as_user(eve).post(f"/t/{room.code}/accept/")
        assert answer.url == f"/t/{room.code}/"
        assert room.members.get(user=eve).name == "Eve"
        assert "asks you" not in as_user(eve).get("/tables/").content.decode()

    def test_invitation_buttons_are_distinctly_labelled(self) -> None:
        eve = AccountFactory()
        asked(eve, "Ann")
        asked(eve, "Bob")
        page = as_user(eve).get("/tables/").content.decode()
        assert page.count(">Accept</button>") == 2
        assert not same_names(page)

    def test_joining_answers_the_invitation(self) -> None:
        eve = AccountFactory()
        room = asked(eve)
        rooms.join(room.code, eve.pk, str(eve)).result()
        rooms.leave(room.pk, eve.pk).result()
        assert badge(as_user(eve)) == ""

    def test_taken_name_is_handled_on_the_entrance_page(self) -> None:
        eve = AccountFactory(name="Ann")
        room = asked(eve, "Ann")
        answer = as_user(eve).post(f"/t/{room.code}/accept/", follow=True)
        page = answer.content.decode()
        assert "That name is taken" in page
        assert "Just watch" in page
        assert not room.members.filter(user=eve).exists()

    def test_declined_invitation_is_deleted(self) -> None:
        eve = AccountFactory()
        room = asked(eve)
        before = Room.objects.get(pk=room.pk).version
        answer = as_user(eve).post(f"/t/{room.code}/decline/", follow=True)
        assert "asks you" not in answer.content.decode()
        assert not Invitation.objects.exists()
        assert Room.objects.get(pk=room.pk).version > before  # notifies the host's page

    def test_uninvited_user_can_neither_accept_nor_decline(self) -> None:
        eve, mallory = AccountFactory(), AccountFactory()
        room = asked(eve)
        rooms.set_room(room.pk, room.host_id, "invited").result()
        for action in ("accept", "decline"):
            as_user(mallory).post(f"/t/{room.code}/{action}/")
            as_user(mallory).post(f"/t/ZZZZZ/{action}/")
        assert not Member.objects.filter(user=mallory).exists()
        assert Invitation.objects.get().user == eve


def test_change_of_a_table_concerns_its_members_and_invited_users() -> None:
    ann, eve = PersonFactory(), AccountFactory()
    room = open_table(ann, bots=1)
    rooms.invite(room.pk, ann.pk, eve.username).result()
    open_table(PersonFactory())
    assert concerned({room.pk}).people == {ann.pk: {room.pk}, eve.pk: {room.pk}}


def test_logged_out_user_returns_to_the_list_after_login(client: Client) -> None:
    assert client.get("/tables/").url == "/account/login/?next=/tables/"
    assert client.post("/t/ZZZZZ/decline/").url == "/account/login/?next=/you/"
