"""Quick match: who gets a table together, when it begins, and that nobody is matched twice."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.utils import timezone
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from accounts import mutes_and_blocks
from accounts.models import MuteOrBlock, User
from games import rooms
from games.contract.core import Refused
from games.engine import draining, time_source
from games.engine.writer import command
from games.history import erasure
from games.models import Match, Member, Room, Seek
from games.registry import GAMES
from games.rooms import seeking
from games.rooms.joining import ROOMS_PER_HOST
from tests.kit.counted import killed_at
from tests.kit.factories import AccountFactory, PersonFactory, open_table
from tests.kit.lucky import commit, reveal
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def seek(person: User, game: str = "mia", **fields: Any) -> rooms.Joined:
    return seeking.seek(person.pk, game, str(person), **{"at_page": True, **fields}).result()


def advance() -> None:
    """Look for groups, and let all pages open their shares of the luck."""
    seeking.advance().result()
    add_luck()


def add_luck() -> None:
    for room in Room.objects.exclude(mixing_until=None):
        reveal(room, *User.objects.filter(member__in=room.members.exclude(share="")))


def member(**fields: Any) -> User:
    """Return a person whose account is old enough for rated matches."""
    return AccountFactory(date_joined=timezone.now() - timedelta(days=2), **fields)


def let_pass(seconds: float) -> None:
    """Move all waits into the past instead of waiting."""
    ago = timedelta(seconds=seconds)
    Seek.objects.update(since=F("since") - ago, until=F("until") - ago)
    Seek.objects.exclude(room=None).update(matched_at=F("matched_at") - ago)


def arrive(person: User) -> None:
    """Open the page of the table that was found, and let it send its share of the luck."""
    member = Member.objects.get(user=person, room__seeks__user=person)
    rooms.opened_page(member.pk).result()
    commit(member.room, person)


def table_of(person: User) -> Room | None:
    row = Seek.objects.filter(user=person).exclude(room=None).first()
    return row.room if row else None


def people_at(room: Room | None) -> set[str]:
    assert room is not None
    return set(room.members.filter(left_at=None, bot="").values_list("name", flat=True))


def block(one: User, two: User) -> None:
    command(mutes_and_blocks.keep)(one.pk, two, str(two), blocks=True).result()


class TestRule:
    def test_two_get_a_table_after_eight_seconds(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        seek(ann)
        seek(bob)
        advance()
        assert table_of(ann) is None
        let_pass(8)
        advance()
        room = table_of(ann)
        assert room is not None
        assert room == table_of(bob)
        assert (room.host, room.visibility, room.status) == (ann, "unlisted", "open")
        assert people_at(room) == {str(ann), str(bob)}

    def test_full_group_gets_a_table_at_once(self) -> None:
        everybody = [PersonFactory() for _ in range(3)]
        joined = [seek(one, seats=(2, 3)) for one in everybody]
        assert [bool(one.code) for one in joined] == [False, False, True]
        assert len(people_at(table_of(everybody[0]))) == 3

    def test_larger_number_waits_for_more_people(self) -> None:
        ann, bob, cleo = (PersonFactory() for _ in range(3))
        seek(ann, seats=(3, 4))
        seek(bob)
        let_pass(20)
        advance()
        assert table_of(ann) is None
        seek(cleo)
        let_pass(8)
        advance()
        assert table_of(ann) == table_of(bob) == table_of(cleo) is not None

    def test_others_do_not_wait_for_somebody_who_wants_more_people(self) -> None:
        ann, bob, cleo = (PersonFactory() for _ in range(3))
        seek(ann, seats=(4, 8))
        seek(bob)
        seek(cleo)
        let_pass(8)
        advance()
        assert table_of(ann) is None
        assert table_of(bob) == table_of(cleo) is not None

    @pytest.mark.parametrize("first", [True, False])
    def test_people_who_block_each_other_never_meet(self, first: bool) -> None:
        ann, bob = AccountFactory(), AccountFactory()
        block(*((ann, bob) if first else (bob, ann)))
        seek(ann)
        seek(bob)
        let_pass(20)
        advance()
        assert table_of(ann) is table_of(bob) is None
        assert seeking.of([ann.pk])[ann.pk][0].others == ()
        cleo = PersonFactory()
        seek(cleo)
        let_pass(8)
        advance()
        assert table_of(ann) == table_of(cleo) is not None
        assert table_of(bob) is None

    def test_different_pace_and_like_names_never_meet(self) -> None:
        ann, bob, like_ann = PersonFactory(name="Ann"), PersonFactory(), PersonFactory(name="ANN")
        seek(ann)
        seek(bob, pace="fast")
        seek(like_ann)
        let_pass(20)
        advance()
        assert not Room.objects.exists()

    def test_rated_match_is_only_for_those_who_want_one(self) -> None:
        ann, bob, cleo = member(), member(), member()
        seek(ann, rated=True)
        seek(bob)
        let_pass(20)
        advance()
        assert not Room.objects.exists()
        seek(cleo, rated=True)
        let_pass(8)
        advance()
        room = table_of(ann)
        assert room is not None
        assert room == table_of(cleo)
        assert room.rated
        for person in (ann, cleo):
            arrive(person)
        advance()
        assert Match.objects.get().rated == "yes"

    def test_wish_can_be_changed_while_waiting(self) -> None:
        ann, bob = member(), member()
        seek(ann, rated=True)
        seek(bob)
        since = Seek.objects.get(user=ann).since
        seek(ann)
        assert Seek.objects.get(user=ann).since == since
        let_pass(8)
        advance()
        room = table_of(ann)
        assert room is not None
        assert not room.rated

    def test_table_with_bots_is_not_rated(self) -> None:
        ann = member()
        seek(ann, rated=True)
        seeking.fill_with_bots(ann.pk, "mia").result()
        assert not Room.objects.get().rated

    def test_who_cannot_be_rated_cannot_ask_for_it(self, settings: Any) -> None:
        for person in (PersonFactory(), AccountFactory(), member(is_program=True)):
            with pytest.raises(Refused, match="cannot_be_rated"):
                seek(person, rated=True)
        settings.RATED = "off"
        with pytest.raises(Refused, match="cannot_be_rated"):
            seek(member(), rated=True)

    @pytest.mark.parametrize(("game", "meet"), [("cards", False), ("mia", True)])
    def test_cards_are_in_the_language_of_everybody(self, game: str, meet: bool) -> None:
        for language in ("en", "de", "de"):
            seek(PersonFactory(), game, seats=(3, 3), language=language)
        let_pass(20)
        advance()
        assert Room.objects.exists() is meet
        seek(PersonFactory(), game, seats=(3, 3), language="de-AT")
        assert Room.objects.exists()

    def test_programs_meet_only_those_who_play_with_programs(self) -> None:
        ann, bot, other = PersonFactory(), PersonFactory(), PersonFactory()
        seek(ann)
        seek(bot, at_page=False, programs=True)
        let_pass(20)
        advance()
        assert table_of(ann) is None
        seek(other, at_page=False, programs=True)
        let_pass(8)
        advance()
        assert table_of(bot) == table_of(other) is not None
        assert table_of(ann) is None


class TestBegin:
    def test_match_begins_once_everybody_has_come(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        seek(ann, seats=(2, 2))
        seek(bob, seats=(2, 2))
        room = table_of(ann)
        assert room is not None
        arrive(ann)
        advance()
        assert not Match.objects.exists()
        arrive(bob)
        advance()
        match = Match.objects.get()
        assert match.room == room
        assert {one.user for one in match.players.all()} == {ann, bob}
        assert not Seek.objects.exists()
        assert match.options["keepWarm"] == seeking.KEEP_WARM

    def test_match_begins_without_the_last_page_after_eight_seconds(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        seek(ann, seats=(2, 2))
        seek(bob, seats=(2, 2))
        arrive(ann)
        let_pass(8)
        advance()
        assert Match.objects.exists()

    def test_table_stays_if_too_few_are_left(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        seek(ann, seats=(2, 2))
        seek(bob, seats=(2, 2))
        room = table_of(ann)
        seeking.cancel(bob.pk, "mia").result()
        let_pass(8)
        advance()
        assert people_at(room) == {str(ann)}
        assert not Match.objects.exists()
        assert not Seek.objects.exists()

    def test_program_comes_by_joining(self) -> None:
        bots = [PersonFactory(), PersonFactory()]
        for bot in bots:
            seek(bot, at_page=False, programs=True, seats=(2, 2))
        room = table_of(bots[0])
        assert room is not None
        for bot in bots:
            assert rooms.join(room.code, bot.pk, str(bot), plays=()).result().again
        advance()
        assert Match.objects.exists()


class TestEnd:
    def test_wait_expires_unless_it_is_renewed(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        seek(ann)
        seek(bob, "chamber")
        let_pass(30)
        seeking.renew([bob.pk]).result()
        let_pass(16)
        advance()
        assert list(Seek.objects.values_list("user", flat=True)) == [bob.pk]

    def test_expired_wait_is_never_matched(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        seek(ann)
        let_pass(46)
        seek(bob)
        let_pass(8)
        advance()
        assert not Room.objects.exists()

    def test_lost_user_is_forgotten_soon(self) -> None:
        ann = PersonFactory()
        seek(ann)
        seeking.lost(ann.pk).result()
        let_pass(25)
        assert not seeking.of([ann.pk])

    def test_joining_a_table_ends_all_waits_and_opening_one_does_not(self) -> None:
        ann, host = PersonFactory(), PersonFactory()
        seek(ann)
        open_table(ann, bots=1)
        assert Seek.objects.exists()
        room = open_table(host)
        rooms.join(room.code, ann.pk, str(ann)).result()
        assert not Seek.objects.exists()

    def test_match_ends_the_waits_for_other_games(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        seek(ann, "chamber")
        seek(ann, seats=(2, 2))
        assert seek(bob, seats=(2, 2)).code
        assert not Seek.objects.filter(room=None).exists()
        assert seek(ann, "chamber").code == seek(bob).code, "it leads to the table that is open"

    def test_erased_user_waits_no_longer(self) -> None:
        ann = AccountFactory()
        seek(ann)
        erasure.erase(ann.pk)
        assert not Seek.objects.exists()

    def test_user_who_may_not_play_is_left_out(self) -> None:
        ann, bob, cleo = (PersonFactory() for _ in range(3))
        seek(ann)
        seek(bob)
        seek(cleo)
        User.objects.filter(pk=bob.pk).update(is_active=False)
        let_pass(8)
        advance()
        advance()
        assert table_of(ann) == table_of(cleo) is not None
        assert Room.objects.count() == 1
        assert not Seek.objects.filter(user=bob).exists()


class TestRefusals:
    @pytest.mark.parametrize(
        ("fields", "code"),
        [
            ({"game": "chess"}, "bad_game"),
            ({"seats": (1, 2)}, "bad_seats"),
            ({"seats": (4, 3)}, "bad_seats"),
            ({"seats": (2, 9)}, "bad_seats"),
        ],
    )
    def test_bad_request(self, fields: dict[str, Any], code: str) -> None:
        with pytest.raises(Refused) as refused:
            seek(PersonFactory(), **fields)
        assert refused.value.code == code

    def test_host_of_too_many_tables(self) -> None:
        ann = PersonFactory()
        for _ in range(ROOMS_PER_HOST):
            open_table(ann)
        with pytest.raises(Refused) as refused:
            seek(ann)
        assert refused.value.code == "too_many_rooms"

    def test_draining_server(self) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        seek(ann)
        seek(bob)
        draining.begin(time_source.now() + timedelta(minutes=5))
        let_pass(10)
        advance()
        assert not Room.objects.exists()
        with pytest.raises(Refused):
            seek(PersonFactory())


class TestBots:
    def test_lone_user_plays_with_bots(self) -> None:
        ann = PersonFactory()
        seek(ann)
        code = seeking.fill_with_bots(ann.pk, "mia").result()
        room = Room.objects.get(code=code)
        assert room.members.exclude(bot="").count() == 3
        arrive(ann)
        advance()
        assert Match.objects.filter(room=room).exists()

    def test_others_are_asked_to_wait_for_thirty_seconds(self) -> None:
        three = [PersonFactory() for _ in range(3)]
        for one in three[:2]:
            seek(one, "secret_hitler")
        with pytest.raises(Refused):
            seeking.fill_with_bots(three[0].pk, "secret_hitler").result()
        let_pass(30)
        seek(three[2], "secret_hitler")
        code = seeking.fill_with_bots(three[1].pk, "secret_hitler").result()
        room = Room.objects.get(code=code)
        assert people_at(room) == {str(three[0]), str(three[1])}
        assert room.members.exclude(bot="").count() == 3
        assert table_of(three[2]) is None

    def test_user_who_does_not_wait(self) -> None:
        with pytest.raises(Refused):
            seeking.fill_with_bots(PersonFactory().pk, "mia").result()


def stored() -> list[Any]:
    return [
        list(Seek.objects.order_by("pk").values_list("user", "room", "arrived")),
        Room.objects.count(),
        list(Member.objects.order_by("pk").values_list("user", "room")),
        list(Match.objects.values_list("pk", "version")),
    ]


def look_here() -> None:
    """Look in this thread, as the writer does in its own."""
    seeking.advance.__wrapped__()  # type: ignore[attr-defined]


@pytest.mark.parametrize("what", ["open", "begin"])
def test_look_that_is_killed_at_any_statement_changes_nothing(what: str) -> None:
    ann, bob = PersonFactory(), PersonFactory()
    seek(ann)
    seek(bob)
    let_pass(8)
    if what == "begin":
        advance()
        arrive(ann)
        arrive(bob)
    before, kills = stored(), 0
    while stored() == before:
        kills += 1
        with killed_at(kills):
            look_here()
    assert kills > 15
    assert Room.objects.count() == 1
    add_luck()
    if what == "begin":
        assert (Match.objects.count(), Seek.objects.count()) == (1, 0)
    else:
        assert table_of(ann) == table_of(bob) is not None


def test_two_processes_at_once_open_one_table() -> None:
    people = [PersonFactory() for _ in range(4)]
    for one in people:
        seek(one)
    let_pass(8)
    together = threading.Barrier(2)

    def other_process() -> None:
        together.wait()
        done = False
        while not done:
            with suppress(OperationalError):  # SQLite refuses the second one for now
                with transaction.atomic():
                    look_here()
                done = True
        connection.close()

    both = [threading.Thread(target=other_process) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert Room.objects.count() == 1
    assert len(people_at(table_of(people[0]))) == 4


PEOPLE = 6
SEATS = {"mia": [None, (2, 2), (2, 3), (3, 4)], "secret_hitler": [None, (5, 5)]}


class Waits(RuleBasedStateMachine):
    """Users who wait, cancel, come, lose their sockets, and block each other, in any order."""

    def __init__(self) -> None:
        super().__init__()
        for model in (Seek, Match, Room, MuteOrBlock):
            model.objects.all().delete()
        self.people = [PersonFactory() for _ in range(PEOPLE)]
        self.tables: dict[int, set[int | None]] = {}

    person = st.integers(0, PEOPLE - 1)

    @rule(who=person, game=st.sampled_from(sorted(SEATS)), number=st.integers(0, 3))
    def seeks(self, who: int, game: str, number: int) -> None:
        seats = SEATS[game][number % len(SEATS[game])]
        seek(self.people[who], game, seats=seats)

    @rule(who=person, game=st.sampled_from(sorted(SEATS)))
    def cancels(self, who: int, game: str) -> None:
        seeking.cancel(self.people[who].pk, game).result()

    @rule(who=person)
    def loses_the_last_socket(self, who: int) -> None:
        seeking.lost(self.people[who].pk).result()

    @rule(who=person)
    def renews(self, who: int) -> None:
        seeking.renew([self.people[who].pk]).result()

    @rule(one=person, two=person)
    def blocks(self, one: int, two: int) -> None:
        if one != two:
            block(self.people[one], self.people[two])

    @rule(who=person)
    def wants_bots(self, who: int) -> None:
        with suppress(Refused):
            seeking.fill_with_bots(self.people[who].pk, "mia").result()

    @precondition(lambda self: Seek.objects.filter(arrived=False).exclude(room=None).exists())
    @rule(data=st.data())
    def comes(self, data: st.DataObject) -> None:
        found = Seek.objects.filter(arrived=False).exclude(room=None).order_by("pk")
        arrive(data.draw(st.sampled_from(list(found))).user)

    @rule(seconds=st.sampled_from([1, 4, 8, 16, 30]))
    def time_passes(self, seconds: int) -> None:
        let_pass(seconds)
        advance()
        self.nobody_waits_beyond_the_rule()

    @rule()
    def two_processes_look(self) -> None:
        advance()
        before = stored()
        advance()
        assert stored() == before, "the second process changes nothing"
        self.nobody_waits_beyond_the_rule()

    def nobody_waits_beyond_the_rule(self) -> None:
        now = time_source.now()
        assert not Seek.objects.filter(room=None, until__lte=now).exists()
        late = now - seeking.COMES
        assert not Seek.objects.filter(room__isnull=False, matched_at__lte=late).exists()
        for game in SEATS:
            free = list(Seek.objects.filter(game=game, room=None).order_by("since", "pk"))
            apart = mutes_and_blocks.apart([one.user_id for one in free])
            for size in range(GAMES[game].seats[0], len(free) + 1):
                for group in combinations(free, size):
                    assert not is_overdue(group, apart), "these people should have a table"

    @invariant()
    def nobody_is_matched_twice(self) -> None:
        matched = list(Seek.objects.exclude(room=None))
        users = [one.user_id for one in matched]
        assert len(users) == len(set(users))
        assert not Seek.objects.filter(user__in=users, room=None).exists()
        for one in matched:
            here = Member.objects.filter(room=one.room, user=one.user, left_at=None)
            assert here.exists(), "everybody who is matched is a member"

    @invariant()
    def tables_keep_people_apart_who_block_each_other(self) -> None:
        for room in Room.objects.exclude(pk__in=self.tables):
            people = set(room.members.filter(bot="").values_list("user_id", flat=True))
            self.tables[room.pk] = people
            apart = mutes_and_blocks.apart([one for one in people if one])
            assert not any(pair in apart for pair in combinations(people, 2))


def is_overdue(group: Sequence[Seek], apart: seeking.Apart) -> bool:
    """Whether the rule of docs/wire.md gives these people a table, by the words of that rule."""
    least, most = max(one.least for one in group), min(one.most for one in group)
    if not least <= len(group) <= most:
        return False
    if not all(seeking.fit(one, two, apart) for one, two in combinations(group, 2)):
        return False
    waited = sum(one.since <= time_source.now() - seeking.SETTLES for one in group)
    return len(group) == most or waited >= least


@pytest.mark.slow
def test_nobody_is_matched_twice_and_nobody_waits_beyond_the_rule() -> None:
    run_state_machine_as_test(
        Waits,
        settings=settings(
            max_examples=30,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_clock_of_the_leader_opens_tables() -> None:
    from games.runtime.housekeeping import Housekeeping

    ann, bob = PersonFactory(), PersonFactory()
    seek(ann)
    seek(bob)
    let_pass(8)
    housekeeping = Housekeeping(lambda: False)
    try:
        wait_for(lambda: (housekeeping.run(), table_of(ann))[1] is not None)
    finally:
        housekeeping.stop()
