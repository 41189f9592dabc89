"""Commands about members: joining and names, leaving, and the host."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Token, User
from games import rooms
from games.contract.core import Ignored, Refused
from games.engine import seats
from games.engine.snapshots import load_snapshot
from games.models import Invitation, Match, Member, Player, Room
from games.rooms import passwords
from games.rooms.bots import BOT_NAMES
from games.rooms.members import WATCHERS, Rejected
from tests.kit.acting import act, let_time_run_out, on_turn
from tests.kit.factories import AccountFactory, PersonFactory, open_table, start_match
from tests.kit.moderation_helpers import end_match

pytestmark = pytest.mark.django_db(transaction=True)


def is_away(user: User) -> None:
    Member.objects.filter(user=user).update(away_since=timezone.now())


def come(room: Room, user: User, **how: Any) -> rooms.Joined:
    return rooms.join(room.code, user.pk, str(user), **how).result()


def names_of_bots(room: Room) -> list[str]:
    bots = Member.objects.filter(room=room).exclude(bot="")
    return list(bots.order_by("pk").values_list("name", flat=True))


def host_of(room: Room) -> User | None:
    return Room.objects.get(pk=room.pk).host


class TestComing:
    def test_guest_needs_only_a_name_and_gets_a_token(self) -> None:
        joined = rooms.open_room(None, "mia", "  Ann ").result()
        assert joined.name == "Ann"
        assert joined.token
        user = User.objects.get(pk=joined.user_id)
        assert (user.is_guest, user.has_usable_password()) == (True, False)
        assert joined.token not in Token.objects.get(user=user).digest

    @pytest.mark.parametrize(
        ("name", "reason"),
        [
            ("", "UsernameEmpty"),
            ("…!", "UsernameEmpty"),
            ("a" + "\u0323" * 12, "UsernameMarks"),
            ("Former Player", "UsernameReserved"),
            ("\u200b", "UsernameInvalid"),
            ("a\u2028b", "UsernameInvalid"),
            ("a\x00b", "UsernameInvalid"),
            ("\ud800", "UsernameInvalid"),
            ("x" * 21, "UsernameTooLong"),
        ],
    )
    def test_invalid_name_is_refused_and_creates_nothing(self, name: str, reason: str) -> None:
        with pytest.raises(Rejected, match=reason):
            rooms.open_room(None, "mia", name).result()
        assert not User.objects.exists()
        assert not Room.objects.exists()

    @pytest.mark.parametrize(
        ("other", "reason"),
        [
            *(("bob", "UsernameTaken"), ("BOB", "UsernameTaken"), ("ｂｏｂ", "UsernameTaken")),
            *(("Вob", "UsernameLookalike"), ("b0b", "UsernameLookalike")),
            *((" b o b ", "UsernameLookalike"), ("b\u00a0ob", "UsernameLookalike")),
        ],
    )
    def test_name_confusable_with_one_at_the_table_is_refused(
        self, other: str, reason: str
    ) -> None:
        room = open_table(PersonFactory(name="Bob"))
        with pytest.raises(Rejected, match=reason):
            rooms.join(room.code, None, other).result()

    def test_name_of_a_leaver_is_reserved_while_the_seat_plays(self) -> None:
        ann, bob, eve = PersonFactory(), PersonFactory(name="Bob"), PersonFactory()
        room = open_table(ann, bob, eve)
        start_match(room)
        rooms.leave(room.pk, bob.pk).result()
        with pytest.raises(Rejected, match="UsernameLookalike"):
            rooms.join(room.code, None, "B0B").result()
        rooms.leave(room.pk, eve.pk).result()
        assert rooms.join(room.code, None, "B0B").result().name == "B0B"

    def test_password_is_required_only_once(self) -> None:
        room = open_table(PersonFactory())
        hashed = passwords.hashed("dragon").result()
        rooms.set_room(room.pk, room.host_id, password=hashed).result()
        bob = PersonFactory()
        for wrong in ("", "Dragon", "dragon "):
            with pytest.raises(Rejected, match="WrongPassword"):
                come(room, bob, known=passwords.proof(room.code, wrong).result())
        assert not come(room, bob, known=passwords.proof(room.code, "dragon").result()).again
        assert come(room, bob).again
        rooms.set_room(room.pk, room.host_id, password="").result()
        assert rooms.join(room.code, None, "eve").result().name == "eve"

    def test_invite_only_room_admits_only_invited_users_without_a_password(self) -> None:
        host, bob, eve = PersonFactory(), AccountFactory(), AccountFactory()
        room = open_table(host)
        rooms.set_room(room.pk, host.pk, "invited", passwords.hashed("dragon").result()).result()
        rooms.invite(room.pk, host.pk, bob.username.upper()).result()
        rooms.invite(room.pk, host.pk, bob.username).result()
        assert Invitation.objects.get().user == bob
        assert come(room, bob).name == str(bob)
        with pytest.raises(Rejected, match="NotInvited"):
            come(room, eve, known=passwords.proof(room.code, "dragon").result())

    def test_only_active_registered_users_can_be_invited(self) -> None:
        host, guest = PersonFactory(), PersonFactory()
        room = open_table(host)
        for name in ("nobody", guest.username, AccountFactory(is_active=False).username):
            with pytest.raises(Refused, match="bad_target"):
                rooms.invite(room.pk, host.pk, name).result()

    def test_table_has_fifty_places_besides_its_seats(self) -> None:
        room = open_table(PersonFactory())
        most = 8 + WATCHERS
        for at in range(most - 1):
            Member.objects.create(
                room=room, user=PersonFactory(), name=f"w{at}", key=f"w{at}", spectator=True
            )
        with pytest.raises(Rejected, match="RoomFull"):
            rooms.join(room.code, None, "late", spectate=True).result()
        somebody = Member.objects.get(name="w7").user
        assert somebody is not None
        assert come(room, somebody).again
        rooms.leave(room.pk, somebody.pk).result()
        assert rooms.join(room.code, None, "late", spectate=True).result().name == "late"

    def test_table_without_spectators_still_admits_its_players(self) -> None:
        ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
        room = open_table(ann, bob, spectators="none", onLeave="substitute")
        match = start_match(room)
        with pytest.raises(Rejected, match="RoomFull"):
            come(room, eve)
        rooms.leave(room.pk, bob.pk).result()
        come(room, bob)
        assert load_snapshot(match.pk).seat_of(bob.pk) is not None

    def test_eliminated_leaver_cannot_return_to_a_table_without_spectators(self) -> None:
        ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
        room = open_table(ann, bob, eve, spectators="none")
        start_match(room)
        rooms.leave(room.pk, bob.pk).result()
        with pytest.raises(Rejected, match="RoomFull"):
            come(room, bob)


class TestOpening:
    def test_unknown_game_is_refused(self) -> None:
        with pytest.raises(Refused, match="bad_game"):
            rooms.open_room(None, "poker", "ann").result()

    def test_host_has_at_most_twenty_rooms(self) -> None:
        host = PersonFactory()
        opened = [open_table(host) for _ in range(20)]
        with pytest.raises(Refused, match="too_many_rooms"):
            open_table(host)
        Room.objects.filter(pk=opened[0].pk).update(status=Room.Status.CLOSED)
        assert open_table(host).host == host

    def test_room_is_not_opened_if_an_invited_name_is_unknown(self) -> None:
        with pytest.raises(Refused, match="bad_target"):
            rooms.open_room(None, "mia", "ann", invite=["nobody"]).result()
        assert not Room.objects.exists()
        assert not User.objects.exists()


class TestHosting:
    def test_host_commands_are_ignored_from_other_users(self) -> None:
        host, bob = PersonFactory(), PersonFactory()
        room = open_table(host, bob)
        before = Room.objects.values().get(pk=room.pk)
        for action in (
            lambda who: rooms.kick(room.pk, who, str(host)),
            lambda who: rooms.set_host(room.pk, who, str(bob)),
            lambda who: rooms.set_options(room.pk, who, {"lives": 1}),
            lambda who: rooms.set_room(room.pk, who, "unlisted"),
            lambda who: rooms.add_bot(room.pk, who),
            lambda who: rooms.invite(room.pk, who, str(host)),
            lambda who: rooms.start(room.pk, who),
            lambda who: rooms.nudge(room.pk, who),
        ):
            for who in (bob.pk, PersonFactory().pk):
                with pytest.raises(Ignored):
                    action(who).result()
        assert Room.objects.values().get(pk=room.pk) == before

    def test_longest_present_member_becomes_host_when_the_host_leaves(self) -> None:
        host, away, bob, eve = (PersonFactory() for _ in range(4))
        room = open_table(host, away, bob, eve, bots=1)
        is_away(away)
        rooms.leave(room.pk, host.pk).result()
        assert host_of(room) == bob
        rooms.leave(room.pk, bob.pk).result()
        rooms.leave(room.pk, eve.pk).result()
        assert host_of(room) == away
        rooms.leave(room.pk, away.pk).result()
        assert host_of(room) is None
        come(room, eve)
        assert host_of(room) == eve

    def test_setup_commands_are_refused_during_a_match(self) -> None:
        host = PersonFactory()
        room = open_table(host, PersonFactory())
        start_match(room)
        for pending in (
            rooms.set_options(room.pk, host.pk, {"lives": 1}),
            rooms.add_bot(room.pk, host.pk),
            rooms.set_spectating(room.pk, host.pk, True),
            rooms.set_nonce(room.pk, host.pk, "mine"),
            rooms.start(room.pk, host.pk),
        ):
            with pytest.raises(Refused, match="not_allowed_now"):
                pending.result()

    def test_commands_to_a_closed_room_are_ignored(self) -> None:
        host = PersonFactory()
        room = open_table(host)
        Room.objects.filter(pk=room.pk).update(status=Room.Status.CLOSED)
        for pending in (
            rooms.start(room.pk, host.pk),
            rooms.say(room.pk, host.pk, "hello"),
            rooms.leave(room.pk, host.pk),
        ):
            with pytest.raises(Ignored):
                pending.result()

    def test_bots_fill_the_free_seats_with_unused_names(self) -> None:
        host = PersonFactory()
        room = open_table(host)
        for name in BOT_NAMES:
            rooms.join(room.code, None, f"{name} (bot)", spectate=True).result()
        for _ in range(7):
            rooms.add_bot(room.pk, host.pk, "easy").result()
        with pytest.raises(Refused, match="table_full"):
            rooms.add_bot(room.pk, host.pk).result()
        assert Member.objects.filter(room=room, bot="easy").count() == 7

    def test_bot_is_renamed_if_a_person_joins_with_its_name(self) -> None:
        host = PersonFactory()
        room = open_table(host, bots=3)
        first, *others = names_of_bots(room)
        rooms.join(room.code, None, first.removesuffix(" (bot)").upper()).result()
        another, *same = names_of_bots(room)
        assert another not in (first, *others)
        assert same == others

    def test_bot_keeps_its_name_until_the_match_ends(self) -> None:
        host = PersonFactory()
        room = open_table(host, bots=1)
        bots = names_of_bots(room)
        start_match(room)
        rooms.join(room.code, None, bots[0].removesuffix(" (bot)"), spectate=True).result()
        assert names_of_bots(room) == bots
        end_match(room.pk).result()
        start_match(room)
        assert names_of_bots(room) != bots


class TestKicking:
    def test_host_may_kick_anybody_before_a_match(self) -> None:
        host, bob = PersonFactory(), PersonFactory()
        room = open_table(host, bob, bots=1)
        bot = Member.objects.exclude(bot="").get()
        rooms.kick(room.pk, host.pk, str(bob)).result()
        rooms.kick(room.pk, host.pk, bot.name).result()
        assert Member.objects.get(user=bob).left_because == "kicked"
        with pytest.raises(Rejected, match="Kicked"):
            come(room, bob)
        with pytest.raises(Ignored):
            rooms.say(room.pk, bob.pk, "that was unfair").result()

    def test_idle_player_may_be_kicked_until_their_next_move(self) -> None:
        host, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
        room = open_table(host, bob, eve)
        match = start_match(room)
        while on_turn(match).user == host:
            act(match, on_turn(match), "Roll")
            act(match, on_turn(match), "Announce", dice="3,2")
        silent = on_turn(match)
        with pytest.raises(Refused, match="not_allowed_now"):
            rooms.kick(room.pk, host.pk, silent.name).result()
        let_time_run_out(match)
        for player in load_snapshot(match.pk).players:
            act(match, player, "Continue")
        assert on_turn(match).pk == silent.pk, "who lost a round begins the next"
        act(match, on_turn(match), "Roll")
        with pytest.raises(Refused, match="not_allowed_now"):
            rooms.kick(room.pk, host.pk, silent.name).result()
        let_time_run_out(match)
        rooms.kick(room.pk, host.pk, silent.name).result()
        assert Player.objects.get(pk=silent.pk).gone == "kicked"

    def test_playing_bot_cannot_be_kicked(self) -> None:
        host = PersonFactory()
        room = open_table(host, bots=2)
        start_match(room)
        bot = Member.objects.exclude(bot="").first()
        assert bot is not None
        with pytest.raises(Refused, match="not_allowed_now"):
            rooms.kick(room.pk, host.pk, bot.name).result()

    def test_kicked_player_does_not_regain_a_substituted_seat(self) -> None:
        host, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
        room = open_table(host, bob, eve, onLeave="substitute")
        match = start_match(room)
        is_away(bob)
        rooms.kick(room.pk, host.pk, str(bob)).result()
        player = Player.objects.get(match=match, user=bob)
        assert (player.gone, player.substitute) == ("kicked", True)
        assert seats.come_back(load_snapshot(match.pk), bob.pk) is None


class TestPlaying:
    def test_present_members_are_seated_in_order_of_joining(self) -> None:
        people = [PersonFactory() for _ in range(11)]
        room = open_table(*people)
        rooms.set_spectating(room.pk, people[1].pk, True).result()
        is_away(people[2])
        match = start_match(room)
        seated = [player.user for player in match.players.all()]
        assert seated == [people[0], *people[3:10]]

    def test_rematch_keeps_people_standings_and_options_with_a_new_commitment(self) -> None:
        host, bob = PersonFactory(), PersonFactory()
        room = open_table(host, bob, lives=1)
        first = start_match(room)
        act(first, on_turn(first), "Roll")
        act(first, on_turn(first), "Announce", dice="2,1")
        room.refresh_from_db()
        assert room.status == Room.Status.FINISHED
        assert sum(room.standings.values()) == 1
        second = start_match(room)
        assert second.secret != first.secret
        assert Room.objects.get(pk=room.pk).secret not in (first.secret, second.secret)
        assert second.options["lives"] == 1

    @pytest.mark.parametrize("because", ["left", "idle"])
    def test_substitute_plays_until_the_owner_is_back(self, because: str) -> None:
        host, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
        room = open_table(host, bob, eve, onLeave="substitute", idleKick=1)
        match = start_match(room)
        player = on_turn(match)
        assert player.user is not None
        if because == "left":
            rooms.leave(room.pk, player.user.pk).result()
        else:
            let_time_run_out(match)
        player.refresh_from_db()
        assert (player.gone, player.substitute, player.bot) == (because, True, "normal")
        with pytest.raises(Ignored):
            act(match, player, "Roll")
        come(room, player.user)
        player.refresh_from_db()
        assert (player.gone, player.substitute, player.bot, player.idle) == ("", False, "", 0)
        assert load_snapshot(match.pk).seat_of(player.user.pk) == player.seat
        assert not Match.objects.get(pk=match.pk).plans
        kinds = list(match.acts.order_by("number").values_list("kind", flat=True))
        assert kinds[-1] == "join"

    def test_idle_count_is_reset_by_the_next_move(self) -> None:
        room = open_table(PersonFactory(), PersonFactory(), lives=9, idleKick=2)
        match = start_match(room)
        silent = on_turn(match)
        let_time_run_out(match)
        assert Player.objects.get(pk=silent.pk).idle == 1
        for player in load_snapshot(match.pk).players:
            act(match, player, "Continue")
        assert Player.objects.get(pk=silent.pk).idle == 0
        assert Member.objects.get(user=silent.user).left_at is None

    def test_timed_out_pause_makes_nobody_idle(self) -> None:
        room = open_table(PersonFactory(), PersonFactory(), idleKick=1, lives=9)
        match = start_match(room)
        act(match, on_turn(match), "Roll")
        act(match, on_turn(match), "Announce", dice="2,1")
        let_time_run_out(match)
        assert [p.idle for p in load_snapshot(match.pk).players] == [0, 0]
        assert Member.objects.filter(room=room, left_at=None).count() == 2

    def test_leaving_a_finished_room_does_not_change_its_match(self) -> None:
        host, bob = PersonFactory(), PersonFactory()
        room = open_table(host, bob)
        match = start_match(room)
        rooms.leave(room.pk, bob.pk).result()
        match.refresh_from_db()
        version = match.version
        rooms.leave(room.pk, host.pk).result()
        match.refresh_from_db()
        assert match.version == version
        assert [p.name for p in match.players.all()] == [str(host), str(bob)]
