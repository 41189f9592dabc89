"""Commands about people: joining and names, leaving, and the host."""

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
    def test_a_guest_is_made_by_a_name_alone_and_gets_a_token(self) -> None:
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
    def test_a_name_that_cannot_be_is_refused_and_leaves_nothing(
        self, name: str, reason: str
    ) -> None:
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
    def test_a_name_that_looks_like_one_at_the_table_is_refused(
        self, other: str, reason: str
    ) -> None:
        room = open_table(PersonFactory(name="Bob"))
        with pytest.raises(Rejected, match=reason):
            rooms.join(room.code, None, other).result()

    def test_a_name_of_somebody_who_left_is_free_but_not_while_the_seat_is_played(self) -> None:
        ann, bob, eve = PersonFactory(), PersonFactory(name="Bob"), PersonFactory()
        room = open_table(ann, bob, eve)
        start_match(room)
        rooms.leave(room.pk, bob.pk).result()
        with pytest.raises(Rejected, match="UsernameLookalike"):
            rooms.join(room.code, None, "B0B").result()
        rooms.leave(room.pk, eve.pk).result()
        assert rooms.join(room.code, None, "B0B").result().name == "B0B"

    def test_a_password_is_asked_for_once(self) -> None:
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

    def test_only_the_invited_come_to_an_invited_room_and_need_no_password(self) -> None:
        host, bob, eve = PersonFactory(), AccountFactory(), AccountFactory()
        room = open_table(host)
        rooms.set_room(room.pk, host.pk, "invited", passwords.hashed("dragon").result()).result()
        rooms.invite(room.pk, host.pk, bob.username.upper()).result()
        rooms.invite(room.pk, host.pk, bob.username).result()
        assert Invitation.objects.get().user == bob
        assert come(room, bob).name == str(bob)
        with pytest.raises(Rejected, match="NotInvited"):
            come(room, eve, known=passwords.proof(room.code, "dragon").result())

    def test_nobody_can_be_invited_who_is_not_registered(self) -> None:
        host, guest = PersonFactory(), PersonFactory()
        room = open_table(host)
        for name in ("nobody", guest.username, AccountFactory(is_active=False).username):
            with pytest.raises(Refused, match="bad_target"):
                rooms.invite(room.pk, host.pk, name).result()

    def test_the_table_has_fifty_places_beyond_its_seats(self) -> None:
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

    def test_a_table_may_do_without_spectators_but_not_without_its_players(self) -> None:
        ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
        room = open_table(ann, bob, spectators="none", onLeave="substitute")
        match = start_match(room)
        with pytest.raises(Rejected, match="RoomFull"):
            come(room, eve)
        rooms.leave(room.pk, bob.pk).result()
        come(room, bob)
        assert load_snapshot(match.pk).seat_of(bob.pk) is not None

    def test_who_is_out_and_left_a_table_without_spectators_stays_outside(self) -> None:
        ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
        room = open_table(ann, bob, eve, spectators="none")
        start_match(room)
        rooms.leave(room.pk, bob.pk).result()
        with pytest.raises(Rejected, match="RoomFull"):
            come(room, bob)


class TestOpening:
    def test_there_are_only_the_games_there_are(self) -> None:
        with pytest.raises(Refused, match="bad_game"):
            rooms.open_room(None, "poker", "ann").result()

    def test_twenty_rooms_are_enough_for_one_host(self) -> None:
        host = PersonFactory()
        opened = [open_table(host) for _ in range(20)]
        with pytest.raises(Refused, match="too_many_rooms"):
            open_table(host)
        Room.objects.filter(pk=opened[0].pk).update(status=Room.Status.CLOSED)
        assert open_table(host).host == host

    def test_a_room_opened_for_somebody_unknown_is_not_opened_at_all(self) -> None:
        with pytest.raises(Refused, match="bad_target"):
            rooms.open_room(None, "mia", "ann", invite=["nobody"]).result()
        assert not Room.objects.exists()
        assert not User.objects.exists()


class TestHosting:
    def test_only_the_host_does_what_a_host_does(self) -> None:
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

    def test_a_host_who_leaves_is_followed_by_the_one_present_longest(self) -> None:
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

    def test_what_is_for_before_a_match_is_refused_during_it(self) -> None:
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

    def test_a_closed_room_knows_nobody(self) -> None:
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

    def test_bots_come_up_to_the_seats_and_by_names_nobody_has(self) -> None:
        host = PersonFactory()
        room = open_table(host)
        for name in BOT_NAMES:
            rooms.join(room.code, None, f"{name} (bot)", spectate=True).result()
        for _ in range(7):
            rooms.add_bot(room.pk, host.pk, "easy").result()
        with pytest.raises(Refused, match="table_full"):
            rooms.add_bot(room.pk, host.pk).result()
        assert Member.objects.filter(room=room, bot="easy").count() == 7

    def test_a_bot_takes_another_name_when_a_person_of_its_name_sits_down(self) -> None:
        host = PersonFactory()
        room = open_table(host, bots=3)
        first, *others = names_of_bots(room)
        rooms.join(room.code, None, first.removesuffix(" (bot)").upper()).result()
        another, *same = names_of_bots(room)
        assert another not in (first, *others)
        assert same == others

    def test_a_bot_keeps_its_name_to_the_end_of_a_match(self) -> None:
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
    def test_before_a_match_the_host_may_send_anybody_away(self) -> None:
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

    def test_during_play_who_was_silent_may_be_kicked_until_the_next_own_move(self) -> None:
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

    def test_a_bot_that_plays_stays(self) -> None:
        host = PersonFactory()
        room = open_table(host, bots=2)
        start_match(room)
        bot = Member.objects.exclude(bot="").first()
        assert bot is not None
        with pytest.raises(Refused, match="not_allowed_now"):
            rooms.kick(room.pk, host.pk, bot.name).result()

    def test_the_kicked_do_not_get_a_substituted_seat_back(self) -> None:
        host, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
        room = open_table(host, bob, eve, onLeave="substitute")
        match = start_match(room)
        is_away(bob)
        rooms.kick(room.pk, host.pk, str(bob)).result()
        player = Player.objects.get(match=match, user=bob)
        assert (player.gone, player.substitute) == ("kicked", True)
        assert seats.come_back(load_snapshot(match.pk), bob.pk) is None


class TestPlaying:
    def test_those_present_sit_down_in_order_of_joining_and_the_rest_watch(self) -> None:
        people = [PersonFactory() for _ in range(11)]
        room = open_table(*people)
        rooms.set_spectating(room.pk, people[1].pk, True).result()
        is_away(people[2])
        match = start_match(room)
        seated = [player.user for player in match.players.all()]
        assert seated == [people[0], *people[3:10]]

    def test_play_again_keeps_people_standings_and_options_and_commits_anew(self) -> None:
        host, bob = PersonFactory(), PersonFactory()
        room = open_table(host, bob, lives=1)
        first = start_match(room)
        act(first, on_turn(first), "Roll")
        act(first, on_turn(first), "Announce", dice="2,1")
        room.refresh_from_db()
        assert room.status == Room.Status.FINISHED
        assert sum(room.standings.values()) == 1
        rooms.set_nonce(room.pk, bob.pk, "bob's own").result()
        second = start_match(room)
        assert second.secret != first.secret
        assert second.nonces[1] == "bob's own"
        assert Room.objects.get(pk=room.pk).secret not in (first.secret, second.secret)
        assert second.options["lives"] == 1

    @pytest.mark.parametrize("because", ["left", "idle"])
    def test_a_substitute_plays_until_the_person_is_back(self, because: str) -> None:
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

    def test_who_was_silent_is_counted_until_the_next_own_move(self) -> None:
        room = open_table(PersonFactory(), PersonFactory(), lives=9, idleKick=2)
        match = start_match(room)
        silent = on_turn(match)
        let_time_run_out(match)
        assert Player.objects.get(pk=silent.pk).idle == 1
        for player in load_snapshot(match.pk).players:
            act(match, player, "Continue")
        assert Player.objects.get(pk=silent.pk).idle == 0
        assert Member.objects.get(user=silent.user).left_at is None

    def test_a_pause_that_runs_out_makes_nobody_idle(self) -> None:
        room = open_table(PersonFactory(), PersonFactory(), idleKick=1, lives=9)
        match = start_match(room)
        act(match, on_turn(match), "Roll")
        act(match, on_turn(match), "Announce", dice="2,1")
        let_time_run_out(match)
        assert [p.idle for p in load_snapshot(match.pk).players] == [0, 0]
        assert Member.objects.filter(room=room, left_at=None).count() == 2

    def test_who_leaves_a_finished_room_changes_nothing_of_its_match(self) -> None:
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
