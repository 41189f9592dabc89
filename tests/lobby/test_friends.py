"""People you follow: where they are, who may see it, and one tap to join or to invite."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import following
from accounts.models import Follow, MuteOrBlock, User
from games import rooms
from games.contract.core import Refused
from games.history import account_merge, erasure
from games.models import Invitation, Member, Room
from games.rooms import passwords
from games.rooms.recent_players import known_to
from lobby.calls import _have_moved, concerned
from lobby.friends import friends_here, friends_of
from lobby.listing import Mine
from tests.kit.factories import AccountFactory, PersonFactory, open_table, start_match
from tests.kit.people import as_user
from tests.kit.stored import exported

pytestmark = pytest.mark.django_db(transaction=True)

A_FEW, MANY = 2, 30
NOBODY, FOLLOWED, FOLLOWERS = User.SeenBy.values


def follow(user: User, other: User) -> None:
    rooms.follow(user.pk, other.username).result()


def block(user: User, other: User) -> None:
    MuteOrBlock.objects.create(user=user, other=other, name=str(other), blocks=True)


def friend(user: User, name: str = "Bob", seen_by: str = FOLLOWERS) -> User:
    """An account that this user follows."""
    other = AccountFactory(name=name, seen_by=seen_by)
    follow(user, other)
    return other


def public(*people: User) -> Room:
    room = open_table(*people)
    rooms.set_room(room.pk, room.host_id, "public").result()
    return Room.objects.get(pk=room.pk)


def sheet(user: User, address: str) -> str:
    """Return the part of a page that htmx asks for."""
    return as_user(user).get(address, headers={"HX-Request": "true"}).content.decode()


def page(user: User, address: str = "/people/") -> str:
    answer = as_user(user).get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def here(page: str) -> str:
    """Return the list of friends who are here."""
    return page.partition('id="friends-heading"')[2].partition("<h2>")[0]


class TestFollowing:
    def test_follow_by_name_from_the_page(self) -> None:
        ann, bob = AccountFactory(), AccountFactory(name="Bob")
        answer = as_user(ann).post("/follow/", {"username": bob.username}, follow=True)
        assert "You follow" in answer.content.decode()
        assert Follow.objects.get().other == bob
        assert "Bob" in page(ann)

    def test_following_twice_keeps_one_row(self) -> None:
        ann = AccountFactory()
        bob = friend(ann)
        follow(ann, bob)
        assert Follow.objects.count() == 1

    def test_unfollowing_deletes_the_row_and_needs_none(self) -> None:
        ann = AccountFactory()
        bob = friend(ann)
        for _ in range(2):
            assert as_user(ann).post("/unfollow/", {"username": bob.username}).status_code == 302
        assert not Follow.objects.exists()

    @pytest.mark.parametrize("username", ["nobody-at-all", "", "\0", "x" * 500])
    def test_unknown_name_is_refused_in_a_sentence(self, username: str) -> None:
        ann = AccountFactory()
        answer = as_user(ann).post("/follow/", {"username": username}, follow=True)
        assert "There is no account with this user name" in answer.content.decode()

    def test_nobody_follows_themselves(self) -> None:
        ann = AccountFactory()
        with pytest.raises(Refused, match="bad_target"):
            follow(ann, ann)

    def test_limit_is_refused_in_a_sentence(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("games.rooms.following.MOST", A_FEW)
        ann = AccountFactory()
        for _ in range(A_FEW):
            friend(ann)
        other = AccountFactory()
        answer = as_user(ann).post("/follow/", {"username": other.username}, follow=True)
        assert "You follow 2 people already" in answer.content.decode()
        assert Follow.objects.filter(user=ann).count() == A_FEW

    def test_limit_holds_when_many_forms_arrive_at_once(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("games.rooms.following.MOST", A_FEW)
        ann, others = AccountFactory(), [AccountFactory() for _ in range(8)]
        waiting = [rooms.follow(ann.pk, other.username) for other in others]
        refused = [one for one in waiting if isinstance(one.exception(), Refused)]
        assert len(refused) == len(others) - A_FEW
        assert Follow.objects.count() == A_FEW

    def test_trying_names_is_limited(self, settings: Any) -> None:
        settings.LIMITS = {**settings.LIMITS, "follows": (A_FEW, 60)}
        ann, bob = AccountFactory(), AccountFactory()
        for _ in range(A_FEW):
            as_user(ann).post("/follow/", {"username": "nobody"})
        answer = as_user(ann).post("/follow/", {"username": bob.username}, follow=True)
        assert "Too many tries" in answer.content.decode()
        assert not Follow.objects.exists()

    def test_guest_is_told_how_to_keep_the_account(self) -> None:
        guest, bob = PersonFactory(), AccountFactory()
        answer = as_user(guest).post("/follow/", {"username": bob.username}, follow=True)
        assert "Sign up to follow people" in answer.content.decode()
        assert "/account/signup/?next=/people/" in answer.content.decode()
        assert not Follow.objects.exists()

    def test_guest_cannot_be_followed(self) -> None:
        ann, guest = AccountFactory(), PersonFactory(name="Guest")
        with pytest.raises(Refused, match="no_account"):
            follow(ann, guest)
        room = open_table(ann, guest)
        with pytest.raises(Refused, match="guest_followed"):
            rooms.follow_member(room.pk, ann.pk, "Guest", True).result()

    def test_visitor_is_asked_to_log_in(self) -> None:
        for address in ("/follow/", "/unfollow/", "/t/ZZZZZ/invite/"):
            assert Client().post(address).url.startswith("/account/login/")
        assert Client().get("/people/").url == "/account/login/?next=/people/"

    def test_form_returns_to_its_own_site_only(self) -> None:
        ann, bob = AccountFactory(), AccountFactory()
        given = {"username": bob.username, "next": f"/people/{bob.username}/"}
        assert as_user(ann).post("/follow/", given).url == given["next"]
        given["next"] = "https://example.com/"
        assert as_user(ann).post("/follow/", given).url == "/people/"


class TestButtons:
    def test_profile_offers_to_follow_and_to_unfollow(self) -> None:
        ann, bob = AccountFactory(), AccountFactory()
        address = f"/people/{bob.username}/"
        assert 'action="/follow/"' in page(ann, address)
        follow(ann, bob)
        assert 'action="/unfollow/"' in page(ann, address)
        assert "follow/" not in page(bob, address)

    def test_match_offers_to_follow_accounts_only(self) -> None:
        ann, bob = AccountFactory(name="Ann"), AccountFactory(name="Bob")
        room = open_table(ann, bob, PersonFactory(name="Guest"))
        match = start_match(room)
        rooms.leave(room.pk, bob.pk).result()
        rooms.leave(room.pk, room.members.get(name="Guest").user_id or 0).result()
        found = re.findall(r'name="username" value="(\w+)"', page(ann, f"/matches/{match.pk}/"))
        assert found == [bob.username]
        follow(ann, bob)
        assert 'name="username"' not in page(ann, f"/matches/{match.pk}/")

    def test_sheet_at_a_table_offers_to_follow_accounts_only(self) -> None:
        ann, bob, guest = AccountFactory(), AccountFactory(name="Bob"), PersonFactory(name="Guest")
        room = open_table(ann, bob, guest)
        member, other = (room.members.get(user=one).pk for one in (bob, guest))
        offered = 'value="Follow"'
        assert offered in sheet(ann, f"/t/{room.code}/people/{member}/")
        assert offered not in sheet(ann, f"/t/{room.code}/people/{other}/")
        rooms.follow_member(room.pk, ann.pk, "Bob", True).result()
        assert "Unfollow" in sheet(ann, f"/t/{room.code}/people/{member}/")
        rooms.follow_member(room.pk, ann.pk, "Bob", False).result()
        assert not Follow.objects.exists()

    def test_menu_leads_to_friends(self) -> None:
        assert 'href="/people/"' in page(AccountFactory(), "/rules/mia/")

    def test_host_can_invite_followed_people_with_one_tap(self) -> None:
        ann = AccountFactory()
        bob, cid = friend(ann, "Bob"), friend(ann, "Cid")
        assert [one.username for one in known_to(ann.pk)] == [cid.username, bob.username]
        block(cid, ann)
        assert [one.username for one in known_to(ann.pk)] == [bob.username]
        block(ann, bob)
        assert not known_to(ann.pk)


class TestWhoSees:
    @pytest.mark.parametrize(
        ("seen_by", "back", "sees"),
        [
            (NOBODY, False, False),
            (NOBODY, True, False),
            (FOLLOWED, False, False),
            (FOLLOWED, True, True),
            (FOLLOWERS, False, True),
        ],
    )
    def test_friend_decides_who_sees_them(self, seen_by: str, back: bool, sees: bool) -> None:
        ann = AccountFactory(name="Ann")
        bob = friend(ann, seen_by=seen_by)
        if back:
            follow(bob, ann)
        room = public(bob)
        assert (room.code in here(page(ann))) is sees
        assert ("Here: " in page(ann, "/")) is sees
        answer = as_user(ann).post(f"/t/{room.code}/accept/")
        assert answer.url == f"/t/{room.code}/"
        assert Member.objects.filter(user=ann).exists() is sees

    def test_nobody_is_the_default_and_a_preference_changes_it(self) -> None:
        ann = AccountFactory()
        assert ann.seen_by == NOBODY
        as_user(ann).post("/you/preferences/", {"seen_by": FOLLOWERS})
        ann.refresh_from_db()
        assert ann.seen_by == FOLLOWERS
        assert "Everyone who follows you sees where you are" in page(ann)

    def test_guests_have_no_such_preference(self) -> None:
        guest = PersonFactory()
        as_user(guest).post("/you/preferences/", {"seen_by": FOLLOWERS})
        guest.refresh_from_db()
        assert guest.seen_by == NOBODY

    @pytest.mark.parametrize("blocker", ["ann", "bob"])
    def test_a_block_hides_everything_in_both_directions(self, blocker: str) -> None:
        ann = AccountFactory(name="Ann", seen_by=FOLLOWERS)
        bob = friend(ann)
        follow(bob, ann)
        rooms_ = {bob: public(bob), ann: public(ann)}
        for one, other in ((ann, bob), (bob, ann)):
            assert rooms_[other].code in here(page(one))
        block(*((ann, bob) if blocker == "ann" else (bob, ann)))
        for one, other in ((ann, bob), (bob, ann)):
            assert rooms_[other].code not in here(page(one))
            assert 'id="here" hidden' in page(one, "/")
            assert not friends_of(one, Mine()).visible
            assert not friends_here(one, Mine()).visible
            as_user(one).post(f"/t/{rooms_[other].code}/accept/")
            assert not Member.objects.filter(user=one, room=rooms_[other]).exists()
            assert not friends_of(one, Mine()).followers
            assert not known_to(one.pk)

    def test_blocked_follower_is_not_told(self) -> None:
        ann, bob = AccountFactory(), AccountFactory(name="Bob", seen_by=FOLLOWERS)
        block(bob, ann)
        answer = as_user(ann).post("/follow/", {"username": bob.username}, follow=True)
        hidden = answer.content.decode()
        cid = AccountFactory(name="Cid")
        shown = as_user(ann).post("/follow/", {"username": cid.username}, follow=True)
        for text in ("You follow", "Unfollow"):
            assert text in hidden
            assert text in shown.content.decode()
        assert not friends_of(bob, Mine()).followers

    def test_blocking_ends_following(self) -> None:
        ann = AccountFactory(name="Ann")
        bob = friend(ann)
        room = open_table(ann, bob)
        rooms.block(room.pk, ann.pk, "Bob", True).result()
        assert not Follow.objects.exists()
        with pytest.raises(Refused, match="you_block"):
            follow(ann, bob)

    def test_closed_account_is_in_no_list(self) -> None:
        ann = AccountFactory()
        bob = friend(ann)
        User.objects.filter(pk=bob.pk).update(is_active=False)
        assert not friends_of(ann, Mine()).followed
        assert not friends_of(bob, Mine()).followers


class TestTables:
    def test_locked_and_invited_tables_are_not_named(self) -> None:
        ann = AccountFactory()
        bob = friend(ann)
        room = open_table(bob)
        locked = passwords.hashed("dragon").result()
        for visibility, password in (("public", locked), ("invited", "")):
            rooms.set_room(room.pk, bob.pk, visibility, password).result()
            shown = here(page(ann))
            assert "at a private table" in shown
            assert room.code not in shown
            assert "Mia" not in shown
            as_user(ann).post(f"/t/{room.code}/accept/")
            assert not Member.objects.filter(user=ann).exists()
        rooms.invite(room.pk, bob.pk, ann.username).result()
        assert room.code in here(page(ann))

    def test_unlisted_table_is_shown_by_its_host_only(self) -> None:
        ann = AccountFactory()
        bob, cid = friend(ann, "Bob"), friend(ann, "Cid", FOLLOWERS)
        room = open_table(bob, cid)
        rooms.set_room(room.pk, bob.pk, "unlisted").result()
        by_name = {str(one.person): one.table for one in friends_of(ann, Mine()).here}
        assert by_name["Cid"] is None
        assert by_name["Bob"]
        assert by_name["Bob"]["code"] == room.code

    def test_joining_takes_one_tap(self) -> None:
        ann = AccountFactory(name="Ann")
        room = public(friend(ann))
        shown = here(page(ann))
        assert "waiting" in shown
        assert f'formaction="/t/{room.code}/accept/"' in shown
        as_user(ann).post(f"/t/{room.code}/accept/")
        assert room.members.get(user=ann).name == "Ann"
        assert "Return" in here(page(ann))

    def test_inviting_takes_one_tap(self) -> None:
        ann = AccountFactory(name="Ann")
        bob = friend(ann)
        following.come(bob)
        assert "Invite to my table" not in here(page(ann))
        room = open_table(ann)
        address = f"/t/{room.code}/invite/"
        assert f'formaction="{address}"' in here(page(ann))
        answer = as_user(ann).post(address, {"username": bob.username}, follow=True)
        assert "is invited" in answer.content.decode()
        assert Invitation.objects.get().user == bob

    def test_only_the_host_invites(self) -> None:
        ann, host = AccountFactory(), AccountFactory()
        bob = friend(ann)
        room = open_table(host, ann)
        for code in (room.code, "ZZZZZ"):
            as_user(ann).post(f"/t/{code}/invite/", {"username": bob.username})
        assert not Invitation.objects.exists()

    def test_friend_who_has_left_or_lost_the_connection_is_not_here(self) -> None:
        ann = AccountFactory()
        bob = friend(ann)
        room = public(bob)
        rooms.gone_away([room.members.get().pk]).result()
        assert "None of your friends is here" in page(ann)

    def test_friend_with_an_open_page_is_here(self) -> None:
        ann = AccountFactory()
        bob, cid = friend(ann), friend(ann, "Cid", NOBODY)
        assert following.come(bob)
        assert not following.come(bob)
        assert not following.come(cid)
        assert [one.person.pk for one in friends_of(ann, Mine()).here] == [bob.pk]

    def test_page_explains_how_to_find_people(self) -> None:
        shown = page(AccountFactory())
        assert "Type a user name above" in shown
        assert "Nobody sees where you are" in shown

    def test_followers_and_recent_players_are_listed_once(self) -> None:
        ann, bob, cid = (AccountFactory(name=name) for name in ("Ann", "Bob", "Cid"))
        start_match(open_table(ann, bob, cid))
        follow(bob, ann)
        found = friends_of(ann, Mine())
        assert [str(one) for one in found.followers] == ["Bob"]
        assert [str(one) for one in found.met] == ["Cid"]
        follow(ann, bob)
        found = friends_of(ann, Mine())
        assert ([str(one.person) for one in found.followed], found.followers) == (["Bob"], [])


class TestCost:
    def test_number_of_friends_costs_no_statements(self, settings: Any) -> None:
        settings.LIMITS = dict.fromkeys(settings.LIMITS)
        ann, zoe = AccountFactory(), AccountFactory()
        counts = []
        for many in (A_FEW, MANY):
            for _ in range(many):
                public(friend(ann))
                follow(AccountFactory(), ann)
            with CaptureQueriesContext(connection) as found:
                friends_of(ann, Mine())
            with CaptureQueriesContext(connection) as on_front:
                friends_here(ann, Mine())
            counts.append((len(found), len(on_front)))
        assert counts == [(3, 2), (3, 2)]
        with CaptureQueriesContext(connection) as found:
            friends_here(zoe, Mine())
        assert len(found) == 1
        with CaptureQueriesContext(connection) as found:
            friends_of(PersonFactory.build(), Mine())
        assert not len(found)

    def test_page_of_friends_costs_three_statements_more_than_other_pages(
        self, settings: Any
    ) -> None:
        settings.LIMITS = dict.fromkeys(settings.LIMITS)
        ann = AccountFactory()
        for _ in range(MANY):
            public(friend(ann))
            follow(AccountFactory(), ann)
        at, costs = as_user(ann), {}
        for address in ("/rules/mia/", "/people/"):
            at.get(address)
            with CaptureQueriesContext(connection) as found:
                assert at.get(address).status_code == 200
            costs[address] = len(found)
        assert costs["/people/"] - costs["/rules/mia/"] == 3


class TestPersonalData:
    def test_export_names_whom_you_follow_but_not_your_followers(self) -> None:
        ann = AccountFactory()
        bob = friend(ann)
        assert [one["userName"] for one in exported(ann)["follows"]] == [bob.username]
        assert exported(bob)["follows"] == []
        assert exported(bob)["profile"]["preferences"]["seen_by"] == FOLLOWERS

    @pytest.mark.parametrize("who", ["user", "other"])
    def test_erasure_deletes_both_directions(self, who: str) -> None:
        ann = AccountFactory()
        bob = friend(ann)
        erasure.erase((ann if who == "user" else bob).pk)
        assert not Follow.objects.exists()

    def test_guest_who_logs_in_changes_nothing_about_whom_the_account_follows(self) -> None:
        ann, guest = AccountFactory(), PersonFactory()
        bob = friend(ann)
        account_merge.merge_accounts(guest.pk, ann.pk).result()
        assert list(Follow.objects.values_list("user", "other")) == [(ann.pk, bob.pk)]

    def test_guest_who_registers_can_follow(self) -> None:
        guest, bob = PersonFactory(), AccountFactory()
        User.objects.filter(pk=guest.pk).update(is_guest=False)
        follow(User.objects.get(pk=guest.pk), bob)
        assert Follow.objects.get().user_id == guest.pk


def test_pages_are_woken_only_when_a_friend_sits_down_or_leaves() -> None:
    ann, eve = AccountFactory(), AccountFactory()
    bob = friend(ann)
    shown = friends_here(ann, Mine())
    room = public(bob)
    seated = concerned({room.pk}).seated
    assert seated == {(bob.pk, room.pk)}
    assert _have_moved(shown, seated, {room.pk})
    assert not _have_moved(friends_here(eve, Mine()), seated, {room.pk})
    shown = friends_here(ann, Mine())
    assert not _have_moved(shown, seated, {room.pk})
    rooms.leave(room.pk, bob.pk).result()
    assert _have_moved(shown, concerned({room.pk}).seated, {room.pk})
