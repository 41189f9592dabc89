"""Invitations: send, repeat, withdraw. Filling up with bots."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import MuteOrBlock, User
from games import rooms
from games.contract.core import Ignored, Refused
from games.models import Invitation, Member, Room
from games.pages import regions
from games.rooms import inviting
from games.rooms.members import Rejected
from games.rooms.recent_players import recent_players_of
from games.tables.loading import load
from lobby.listing import mine
from tests.kit.factories import AccountFactory, PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


def part(room: Room, user: User, region: str) -> dict[str, Any]:
    """Return the data of a region on this user's page."""
    return next(r.part for r in regions(load(room.pk), user.pk) if r.id == region)


def host_of(room: Room) -> User:
    assert room.host is not None
    return room.host


class TestInviting:
    def test_unknown_and_unavailable_names_get_the_same_refusal(self, monkeypatch: Any) -> None:
        room, eve = open_table(PersonFactory()), AccountFactory()
        answers = []
        for name in ("nobody", eve.username):
            monkeypatch.setattr(inviting, "may_ask", lambda host, guest: False)
            with pytest.raises(Refused) as refused:
                rooms.invite(room.pk, room.host_id, name).result()
            answers.append((refused.value.code, dict(refused.value.facts)))
        assert answers[0] == answers[1]
        assert not Invitation.objects.exists()

    def test_member_of_the_table_cannot_be_invited(self) -> None:
        eve = AccountFactory()
        room = open_table(PersonFactory(), eve)
        with pytest.raises(Refused, match="already_here"):
            rooms.invite(room.pk, room.host_id, eve.username).result()

    def test_number_of_pending_invitations_is_limited(self, monkeypatch: Any) -> None:
        monkeypatch.setattr(inviting, "MOST_ASKED", 2)
        room = open_table(PersonFactory())
        people = [AccountFactory() for _ in range(3)]
        for one in people[:2]:
            rooms.invite(room.pk, room.host_id, one.username).result()
        with pytest.raises(Refused, match="too_many_asked"):
            rooms.invite(room.pk, room.host_id, people[2].username).result()
        rooms.invite(room.pk, room.host_id, people[0].username).result()

    def test_withdrawn_invitation_admits_nobody(self) -> None:
        eve = AccountFactory()
        room = open_table(PersonFactory())
        rooms.set_room(room.pk, room.host_id, "invited").result()
        rooms.invite(room.pk, room.host_id, eve.username).result()
        (asked,) = part(room, host_of(room), "asking")["asked"]
        rooms.withdraw(room.pk, room.host_id, asked["id"]).result()
        with pytest.raises(Rejected, match="NotInvited"):
            rooms.join(room.code, eve.pk, str(eve)).result()

    def test_an_invitation_to_another_table_cannot_be_withdrawn(self) -> None:
        eve, mine = AccountFactory(), open_table(PersonFactory())
        theirs = open_table(PersonFactory())
        rooms.invite(theirs.pk, theirs.host_id, eve.username).result()
        with pytest.raises(Refused, match="bad_target"):
            rooms.withdraw(mine.pk, mine.host_id, Invitation.objects.get().pk).result()


class TestAskingBack:
    @pytest.mark.parametrize("factory", [PersonFactory, AccountFactory])
    def test_kicked_user_can_be_invited_again(self, factory: Any) -> None:
        bob = factory()
        room = open_table(PersonFactory(), bob)
        rooms.kick(room.pk, room.host_id, str(bob)).result()
        with pytest.raises(Rejected, match="Kicked"):
            rooms.join(room.code, bob.pk, str(bob)).result()
        (gone,) = part(room, host_of(room), "asking")["gone"]
        assert (gone["name"], gone["kicked"]) == (str(bob), True)
        rooms.invite_again(room.pk, room.host_id, gone["id"]).result()
        assert part(room, host_of(room), "asking")["gone"] == []
        assert rooms.join(room.code, bob.pk, str(bob)).result().name == str(bob)

    @pytest.mark.parametrize("going", ["left", "kicked"])
    def test_invited_user_who_has_gone_can_be_invited_again(self, going: str) -> None:
        eve = AccountFactory()
        room = open_table(PersonFactory())
        rooms.invite(room.pk, room.host_id, eve.username).result()
        rooms.join(room.code, eve.pk, str(eve)).result()
        if going == "left":
            rooms.leave(room.pk, eve.pk).result()
        else:
            rooms.kick(room.pk, room.host_id, str(eve)).result()
        asking = part(room, host_of(room), "asking")
        assert asking["asked"] == []
        assert not mine(eve).invitations
        (gone,) = asking["gone"]
        rooms.invite_again(room.pk, room.host_id, gone["id"]).result()
        assert part(room, host_of(room), "asking")["gone"] == []
        assert [one["code"] for one in mine(eve).invitations] == [room.code]

    def test_reinvited_user_does_not_regain_the_seat(self) -> None:
        bob = PersonFactory()
        room = open_table(PersonFactory(), bob, PersonFactory(), onLeave="substitute")
        match = start_match(room)
        Member.objects.filter(user=bob).update(away_since=room.created_at)
        rooms.kick(room.pk, room.host_id, str(bob)).result()
        gone = Member.objects.get(user=bob)
        rooms.invite_again(room.pk, room.host_id, gone.pk).result()
        rooms.join(room.code, bob.pk, str(bob)).result()
        assert match.players.get(user=bob).gone == "kicked"

    def test_only_former_members_of_the_table_can_be_reinvited(self) -> None:
        room, other = open_table(PersonFactory()), open_table(PersonFactory(), bots=1)
        for wrong in (*other.members.all(), *room.members.all()):
            with pytest.raises(Refused, match="bad_target"):
                rooms.invite_again(room.pk, room.host_id, wrong.pk).result()

    def test_only_the_host_sees_former_members_and_invitations(self) -> None:
        ann, bob, eve = PersonFactory(), PersonFactory(), AccountFactory()
        room = open_table(ann, bob, eve)
        rooms.leave(room.pk, eve.pk).result()
        rooms.invite(room.pk, ann.pk, AccountFactory().username).result()
        shown = part(room, bob, "asking")
        assert shown == {"host": False, "only": False, "asked": [], "known": [], "gone": []}


class TestAcquaintances:
    def test_recent_players_are_listed_newest_first_without_blocked_users(self) -> None:
        ann, bob, cid = PersonFactory(), AccountFactory(name="Bob"), AccountFactory(name="Cid")
        for others in ((bob, PersonFactory()), (cid,)):
            start_match(open_table(ann, *others, bots=1))
        assert [one.name for one in recent_players_of(ann.pk)] == ["Cid", "Bob"]
        MuteOrBlock.objects.create(user=cid, other=ann, name="Ann", blocks=True)
        assert [one.name for one in recent_players_of(ann.pk)] == ["Bob"]
        MuteOrBlock.objects.create(user=ann, other=bob, name="Bob", blocks=True)
        assert not recent_players_of(ann.pk)
        assert recent_players_of(PersonFactory().pk) == recent_players_of(None) == ()

    def test_host_is_offered_only_uninvited_known_players(self) -> None:
        ann, bob, cid = PersonFactory(), AccountFactory(), AccountFactory()
        start_match(open_table(ann, bob, cid))
        room = open_table(ann)
        assert len(part(room, ann, "asking")["known"]) == 2
        rooms.invite(room.pk, ann.pk, bob.username).result()
        assert [one["username"] for one in part(room, ann, "asking")["known"]] == [cid.username]


def test_status_shows_whether_you_play_or_watch_before_the_match() -> None:
    ann, bob = PersonFactory(name="Ann"), PersonFactory()
    room = open_table(ann, bob)
    for one, plays, watches in ((ann, "ready", "only watching"), (bob, "Ann", "be watching")):
        assert plays in part(room, one, "status")["sentence"]
        rooms.set_spectating(room.pk, one.pk, True).result()
        assert watches in part(room, one, "status")["sentence"]


class TestBots:
    def test_fill_adds_bots_up_to_the_recommended_number_and_then_to_all_seats(self) -> None:
        room = open_table(PersonFactory())
        for bots in (3, 7):
            assert part(room, host_of(room), "setup")["fill"] == bots - room.members.count() + 1
            rooms.fill(room.pk, room.host_id, "easy").result()
            assert room.members.filter(bot="easy").count() == bots
        assert "full" in part(room, host_of(room), "status")["sentence"]
        with pytest.raises(Refused, match="table_full"):
            rooms.fill(room.pk, room.host_id).result()

    def test_repeated_fill_request_is_idempotent(self) -> None:
        room = open_table(PersonFactory())
        for _click in range(2):
            rooms.fill(room.pk, room.host_id, "easy", 4).result()
            assert room.members.count() == 4
        rooms.fill(room.pk, room.host_id, "easy", 8).result()
        assert room.members.count() == 8

    def test_host_can_change_the_level_of_a_bot(self) -> None:
        bob = PersonFactory()
        room = open_table(PersonFactory(), bob, bots=1)
        bot = room.members.exclude(bot="").get()
        rooms.set_level(room.pk, room.host_id, bot.name, "normal").result()
        bot.refresh_from_db()
        assert bot.bot == "normal"
        for name, level, code in (
            (bot.name, "genius", "bad_level"),
            (str(bob), "easy", "bad_target"),
            ("nobody", "easy", "bad_target"),
        ):
            with pytest.raises(Refused, match=code):
                rooms.set_level(room.pk, room.host_id, name, level).result()
        start_match(room)
        with pytest.raises(Refused, match="not_allowed_now"):
            rooms.set_level(room.pk, room.host_id, bot.name, "easy").result()


def test_host_can_make_a_member_watch_or_play() -> None:
    bob = PersonFactory()
    room = open_table(PersonFactory(), bob, bots=1)
    for watching in (True, False):
        rooms.set_watching(room.pk, room.host_id, str(bob), watching).result()
        assert room.members.get(user=bob).spectator is watching
    bot = room.members.exclude(bot="").get()
    with pytest.raises(Refused, match="bad_target"):
        rooms.set_watching(room.pk, room.host_id, bot.name, True).result()


def test_host_actions_are_ignored_from_other_users() -> None:
    bob, gone = PersonFactory(), PersonFactory()
    room = open_table(PersonFactory(), bob, gone, bots=1)
    bot = room.members.exclude(bot="").get()
    rooms.leave(room.pk, gone.pk).result()
    for action in (
        lambda who: rooms.fill(room.pk, who),
        lambda who: rooms.set_level(room.pk, who, bot.name, "easy"),
        lambda who: rooms.set_watching(room.pk, who, str(bob), True),
        lambda who: rooms.invite_again(room.pk, who, room.members.get(user=gone).pk),
        lambda who: rooms.withdraw(room.pk, who, 1),
    ):
        for who in (bob.pk, gone.pk, PersonFactory().pk):
            with pytest.raises(Ignored):
                action(who).result()


def test_invite_only_table_reveals_nothing_to_strangers(client: Any) -> None:
    room = open_table(PersonFactory(name="Ann"))
    rooms.set_room(room.pk, room.host_id, "invited").result()
    answer = client.get(f"/t/{room.code}/")
    assert answer.status_code == 403
    page = answer.content.decode()
    assert "for invited people only" in page
    assert "Ann" not in page
    assert "Mia" not in page
    eve = AccountFactory(username="evelyn")
    client.force_login(eve, backend="django.contrib.auth.backends.ModelBackend")
    assert "Your user name is evelyn" in client.get(f"/t/{room.code}/").content.decode()
    rooms.invite(room.pk, room.host_id, "evelyn").result()
    assert "Just watch" in client.get(f"/t/{room.code}/").content.decode()


def test_entrance_page_informs_a_kicked_user(client: Any) -> None:
    bob = PersonFactory()
    room = open_table(PersonFactory(), bob)
    rooms.kick(room.pk, room.host_id, str(bob)).result()
    client.force_login(bob, backend="django.contrib.auth.backends.ModelBackend")
    assert "You were removed" in client.get(f"/t/{room.code}/").content.decode()
