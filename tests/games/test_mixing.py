"""Mixing the luck: shares before the start, one list for each commitment, secrets, and voids."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.names import FORMER
from games import rooms
from games.contract.core import Ignored, Refused
from games.contract.luck import commitment
from games.engine import draining, grace, long_jobs, matches, time_source
from games.engine.writer import command
from games.history import erasure, staff
from games.history.luck_record import luck_record
from games.models import Match, Member, Room
from games.pages.page import first_view
from games.rooms import members
from games.rooms import mixing as mixes
from games.runtime import housekeeping
from games.runtime.clock import TICK, Clock
from games.runtime.housekeeping import mix_luck
from games.tables.diff import packets
from games.tables.loading import load
from games.wire.wire import to_text
from parlour_client import verify
from tests.kit import moderation_helpers
from tests.kit.counted import killed_at
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.lucky import commit, committed, mixing, reveal, secret_of
from tests.kit.sent import sync_data
from tests.kit.version1 import start_before

pytestmark = pytest.mark.django_db(transaction=True)

Table = tuple[Room, list[User]]


@pytest.fixture
def table() -> Table:
    people = [PersonFactory() for _ in range(3)]
    return open_table(*people, lives=1), people


def start(room: Room) -> int | None:
    return rooms.start(room.pk, room.host_id or 0).result()


def wait(room: Room) -> None:
    """Let the time of a start run out."""
    Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())
    mixes.go_on(room.pk).result()


def begun(room: Room) -> Match:
    """Return the match that has begun."""
    now = Room.objects.get(pk=room.pk)
    assert now.status == Room.Status.PLAYING
    assert now.mixing_until is None
    return Match.objects.get(pk=now.match_id)


def added(match: Match) -> list[bool]:
    """Return which seats have added to the luck of a match."""
    return [secret is not None for _share, secret in match.mixed["seats"]]


def shown(room: Room, person: User) -> dict[str, Any]:
    """Return what the table shows to a program."""
    found: dict[str, Any] = sync_data(load(room.pk), person.pk)
    return found


def test_match_begins_at_once_if_nobody_adds(table: Table) -> None:
    room, _people = table
    match = Match.objects.get(pk=start(room))
    assert added(match) == [False, False, False]
    assert Room.objects.get(pk=room.pk).mixing is None


def test_start_without_shares_costs_no_more_than_one_of_version_1() -> None:
    def begin_before(room: Room, seated: Sequence[Member]) -> None:
        matches.begin(room, seated)

    costs = []
    for begin in (begin_before, mixes.start, begin_before, mixes.start):  # first, caches are cold
        room = Room.objects.get(pk=open_table(PersonFactory(), PersonFactory(), bots=2).pk)
        seated = list(members.players_now(room))
        with transaction.atomic(), CaptureQueriesContext(connection) as made:
            begin(room, seated)
        costs.append(len(made))
    assert costs[3] == costs[2]


def test_shares_are_listed_and_then_opened(table: Table) -> None:
    room, (ann, bob, cleo) = table
    commit(room, ann, cleo)
    promised = committed(room.pk)
    assert start(room) is None
    listed = shown(room, bob)["mixing"]
    assert [one["share"] is not None for one in listed["seats"]] == [True, False, True]
    reveal(room, ann)
    assert Room.objects.get(pk=room.pk).status == Room.Status.OPEN
    reveal(room, cleo)
    match = begun(room)
    assert added(match) == [True, False, True]
    assert match.mixed["list"] == listed["list"]
    assert "mixing" not in shown(room, bob)
    moderation_helpers.end_match(room.pk).result()
    record = verify.read(json.dumps(luck_record(Match.objects.get(pk=match.pk))))
    assert list(verify.differences(record, promised)) == []


def test_start_says_what_was_agreed(table: Table) -> None:
    room, (ann, bob, _) = table
    commit(room, ann)
    before = load(room.pk)
    start(room)
    reveal(room, ann)
    sent = [json.loads(to_text(one)) for one in packets(before, load(room.pk), bob.pk)]
    (began,) = [one["fairness"] for one in sent if one["type"] == "GameStarted"]
    assert began["luck"] == 2
    assert began["seats"][0]["secret"] == secret_of(ann, began["commitment"])
    assert began["seats"][1]["secret"] is None


def test_newer_share_replaces_the_first_until_the_shares_are_listed(table: Table) -> None:
    room, (ann, *_) = table
    commit(room, ann)
    rooms.commit_luck(room.pk, ann.pk, committed(room.pk), "cc" * 32).result()
    assert room.members.get(user=ann).share == "cc" * 32
    commit(room, ann)
    start(room)
    commit(room, ann)  # a repeated share is no change
    with pytest.raises(Refused, match="too_late"):
        rooms.commit_luck(room.pk, ann.pk, committed(room.pk), "cc" * 32).result()


def test_share_for_another_commitment_is_stale(table: Table) -> None:
    room, (ann, *_) = table
    with pytest.raises(Refused, match="stale"):
        rooms.commit_luck(room.pk, ann.pk, "00" * 32, "cc" * 32).result()


def test_only_the_right_secret_opens_a_share(table: Table) -> None:
    room, (ann, bob, _) = table
    commit(room, ann)
    listed = "00" * 32
    with pytest.raises(Ignored):
        rooms.reveal_luck(room.pk, ann.pk, listed, "aa" * 32).result()
    start(room)
    found = mixing(room)
    assert found is not None
    assert found.listed is not None
    with pytest.raises(Refused, match="bad_secret"):
        rooms.reveal_luck(room.pk, ann.pk, found.listed, "aa" * 32).result()
    with pytest.raises(Ignored):  # silent on the list
        rooms.reveal_luck(room.pk, bob.pk, found.listed, "aa" * 32).result()
    promised = committed(room.pk)
    reveal(room, ann)
    rooms.reveal_luck(room.pk, ann.pk, found.listed, secret_of(ann, promised)).result()
    with pytest.raises(Refused, match="too_late"):
        rooms.reveal_luck(room.pk, ann.pk, found.listed, "aa" * 32).result()


def test_silent_player_voids_the_list_and_is_left_out_of_the_next(table: Table) -> None:
    room, (ann, bob, cleo) = table
    commit(room, ann, bob)
    first = committed(room.pk)
    start(room)
    reveal(room, ann)
    before = load(room.pk)
    wait(room)
    second = committed(room.pk)
    assert second != first
    (void,) = [
        json.loads(to_text(one))
        for one in packets(before, load(room.pk), cleo.pk)
        if type(one).__name__ == "LuckVoid"
    ]
    assert commitment(bytes.fromhex(void["serverSeed"])) == first
    assert void["missing"] == [str(bob)]
    assert [one["secret"] for one in void["seats"]] == [secret_of(ann, first), None, None]
    commit(room, bob)  # waits for the share of the one who has answered
    assert mixing(room).listed is None
    commit(room, ann)
    reveal(room, ann)
    assert added(begun(room)) == [True, False, False]


def test_late_shares_are_not_waited_for(table: Table) -> None:
    room, (ann, bob, _) = table
    commit(room, ann, bob)
    start(room)
    reveal(room, ann)
    wait(room)
    wait(room)
    assert added(begun(room)) == [False, False, False]


def test_start_is_given_up_after_three_lists(table: Table) -> None:
    room, (ann, bob, cleo) = table
    secrets = {committed(room.pk)}
    commit(room, ann, bob, cleo)
    start(room)
    for silent in (cleo, bob, ann):
        answering = [ann, bob, cleo][: [ann, bob, cleo].index(silent)]
        reveal(room, *answering)
        before = load(room.pk)
        wait(room)
        secrets.add(committed(room.pk))
        commit(room, *answering)
    now = Room.objects.get(pk=room.pk)
    assert (now.status, now.mixing_until) == (Room.Status.OPEN, None)
    said = [json.loads(to_text(one)) for one in packets(before, load(room.pk), ann.pk)]
    assert [one["message"][:30] for one in said if one["type"] == "ShowAlert"] == [
        "The match couldn't start, beca"
    ]
    assert len(secrets) == 4
    commit(room, ann, bob, cleo)
    assert start(room) is not None  # those who did not answer cannot make this start fail too


def test_broken_start_does_not_stop_the_others(table: Table) -> None:
    room, (ann, *_) = table
    broken = open_table(PersonFactory(), PersonFactory())
    commit(room, ann)
    start(room)
    Room.objects.filter(pk=broken.pk).update(mixing={}, mixing_until=time_source.now())
    Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())
    listed = mixing(room)
    mix_luck()
    assert mixing(room) != listed


def test_leader_checks_more_often_while_a_start_waits(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, (ann, *_) = table
    commit(room, ann)
    leader = Clock()
    monkeypatch.setattr(leader._heartbeat, "leads", True)
    monkeypatch.setattr(housekeeping, "MIXING_EVERY", 0.0)
    leader._housekeeping = housekeeping.Housekeeping(lambda: False)
    assert leader._tick() == TICK
    start(room)
    assert leader._tick() == 0
    reveal(room, ann)
    moderation_helpers.end_match(room.pk).result()
    assert leader._tick() == TICK


@pytest.mark.parametrize("name", ["Somebody Else", None])
def test_share_is_discarded_with_the_name_it_was_made_for(table: Table, name: str | None) -> None:
    room, (ann, *_) = table
    commit(room, ann)
    leave(room, ann)
    rooms.join(room.code, ann.pk, name or str(ann)).result()
    assert bool(room.members.get(user=ann).share) == (name is None)


def leave(room: Room, person: User) -> None:
    rooms.leave(room.pk, person.pk).result()


def kick(room: Room, person: User) -> None:
    rooms.kick(room.pk, room.host_id or 0, str(person)).result()


def erase(room: Room, person: User) -> None:
    erasure.erase(person.pk)


@pytest.mark.parametrize("go", [leave, kick, erase])
def test_list_is_void_if_a_seat_is_gone(table: Table, go: Callable[[Room, User], None]) -> None:
    room, (ann, bob, cleo) = table
    commit(room, ann, bob)
    start(room)
    go(room, cleo)
    mixes.go_on(room.pk).result()
    now = mixing(room)
    assert now is not None
    assert now.listed is None
    assert now.voids[0].missing == ()
    assert now.voids[0].gone == ((FORMER,) if go is erase else (str(cleo),))
    commit(room, ann)
    commit(room, bob)
    reveal(room, ann, bob)
    assert added(begun(room)) == [True, True]


@pytest.mark.parametrize("has_answered", [True, False])
def test_who_has_left_is_not_said_to_be_silent(table: Table, has_answered: bool) -> None:
    room, (ann, bob, cleo) = table
    commit(room, ann, bob, cleo)
    start(room)
    if has_answered:
        reveal(room, cleo)
    leave(room, cleo)
    wait(room)
    rooms.join(room.code, cleo.pk, str(cleo)).result()
    (void,) = mixing(room).voids
    assert (void.missing, void.gone) == ((), (str(cleo),))
    commit(room, cleo, ann, bob)
    reveal(room, ann, bob)
    assert added(begun(room)) == [True, True, False]  # silent until the next start


def test_new_name_voids_the_list_once(table: Table) -> None:
    room, (ann, bob, _) = table
    commit(room, ann, bob)
    start(room)
    former = str(bob)
    command(staff.take_name)(bob.pk, "rude").result()
    long_jobs.work(bob.pk)
    reveal(room, ann)
    (void,) = mixing(room).voids
    assert (void.missing, void.gone) == ((), (former,))
    bob.refresh_from_db()
    commit(room, ann, bob)
    reveal(room, ann, bob)
    assert added(begun(room)) == [True, True, False]


def test_start_is_given_up_if_too_many_have_left(table: Table) -> None:
    room, (ann, bob, cleo) = table
    commit(room, ann)
    start(room)
    leave(room, bob)
    leave(room, cleo)
    wait(room)
    wait(room)
    assert mixing(room) is None
    assert Room.objects.get(pk=room.pk).status == Room.Status.OPEN


def test_start_is_given_up_if_an_option_has_changed(table: Table) -> None:
    room, (ann, *_) = table
    commit(room, ann)
    start(room)
    changed = {**Room.objects.get(pk=room.pk).options, "lives": 2}
    Room.objects.filter(pk=room.pk).update(options=changed)
    reveal(room, ann)
    now = Room.objects.get(pk=room.pk)
    assert (now.status, now.mixing_until, mixes.has_failed(now)) == ("open", None, True)
    commit(room, ann)
    start(room)
    reveal(room, ann)
    assert begun(room).options["lives"] == 2


def test_table_is_not_changed_meanwhile(table: Table) -> None:
    room, (ann, bob, _) = table
    commit(room, ann)
    start(room)
    host = room.host_id or 0
    for refused in (
        lambda: rooms.start(room.pk, host),
        lambda: rooms.set_options(room.pk, host, {"lives": 3}),
        lambda: rooms.set_game(room.pk, host, "coup"),
        lambda: rooms.add_bot(room.pk, host),
        lambda: rooms.set_spectating(room.pk, bob.pk, True),
    ):
        with pytest.raises(Refused, match="not_allowed_now"):
            refused().result()
    eve = PersonFactory()
    rooms.join(room.code, eve.pk, str(eve)).result()
    reveal(room, ann)
    assert begun(room).players.count() == 3


def test_open_page_is_waited_for(table: Table) -> None:
    room, (ann, bob, _) = table
    for person in (ann, bob):
        rooms.opened_page(room.members.get(user=person).pk).result()
    commit(room, ann)
    assert start(room) is None
    assert shown(room, ann)["mixing"]["list"] is None
    commit(room, bob)
    reveal(room, ann, bob)
    assert added(begun(room)) == [True, True, False]


@pytest.fixture
def drained() -> Iterator[Callable[[], None]]:
    """A function that lets the server drain until the end of the test."""
    yield lambda: draining.begin(time_source.now() + timedelta(hours=1))
    draining.end()


def test_draining_server_lists_no_shares(table: Table, drained: Callable[[], None]) -> None:
    room, (ann, bob, _) = table
    rooms.opened_page(room.members.get(user=bob).pk).result()
    commit(room, ann)
    start(room)
    before = load(room.pk)
    drained()
    commit(room, bob)
    now = Room.objects.get(pk=room.pk)
    assert (now.status, now.mixing_until, mixes.has_failed(now)) == ("open", None, False)
    assert "ShowAlert" not in [type(one).__name__ for one in packets(before, load(room.pk), ann.pk)]
    draining.end()
    start(room)
    reveal(room, ann, bob)
    assert added(begun(room)) == [True, True, False]


def test_draining_server_completes_a_list(table: Table, drained: Callable[[], None]) -> None:
    room, (ann, *_) = table
    commit(room, ann)
    start(room)
    drained()
    reveal(room, ann)
    assert added(begun(room)) == [True, False, False]


def test_draining_server_makes_no_second_list(table: Table, drained: Callable[[], None]) -> None:
    room, (ann, bob, _) = table
    commit(room, ann, bob)
    start(room)
    drained()
    reveal(room, ann)
    wait(room)
    commit(room, ann)
    now = Room.objects.get(pk=room.pk)
    assert (now.status, now.mixing_until, mixes.has_failed(now)) == ("open", None, True)


def test_newcomer_with_the_name_of_a_bot_does_not_void_the_list() -> None:
    ann, eve = PersonFactory(), PersonFactory()
    room = open_table(ann, bots=1, lives=1)
    (bot,) = room.members.exclude(bot="").values_list("name", flat=True)
    commit(room, ann)
    start(room)
    rooms.join(room.code, eve.pk, bot.removesuffix(" (bot)")).result()
    reveal(room, ann)
    assert [*begun(room).players.order_by("seat").values_list("name", flat=True)] == [str(ann), bot]


def test_page_that_sends_nothing_delays_a_start_only_once(table: Table) -> None:
    room, (ann, *_) = table
    rooms.opened_page(room.members.get(user=ann).pk).result()
    assert start(room) is None
    mixes.go_on(room.pk).result()
    assert mixing(room) is not None
    wait(room)
    assert added(begun(room)) == [False, False, False]


def test_match_of_the_previous_version_ends_the_start(table: Table) -> None:
    room, (ann, *_) = table
    commit(room, ann)
    start(room)
    now = mixing(room)
    assert now is not None
    start_before(room)
    Room.objects.filter(pk=room.pk).update(mixing=room.mixing, mixing_until=time_source.now())
    mixes.go_on(room.pk).result()
    assert begun(room).mixed is None


def test_interruption_gives_everybody_time_again(table: Table) -> None:
    room, (ann, *_) = table
    commit(room, ann)
    start(room)
    listed = mixing(room)
    later = time_source.now() + timedelta(minutes=5)
    put_off(later).result()
    mixes.go_on(room.pk).result()
    assert mixing(room) == listed
    assert Room.objects.get(pk=room.pk).mixing_until > later


@command
def put_off(now: Any) -> None:
    grace.put_off(timedelta(minutes=5), now)


def test_secrets_are_shown_to_nobody_before_the_match(table: Table) -> None:
    room, people = table
    commit(room, *people)
    before = load(room.pk)
    start(room)
    promised = committed(room.pk)
    reveal(room, *people[:2])
    now = load(room.pk)
    for person in people:
        seen = json.dumps([json.loads(to_text(one)) for one in packets(before, now, person.pk)])
        seen += json.dumps(shown(room, person))
        seen += "".join(first_view(Room.objects.get(pk=room.pk), person.pk, "en").values())
        for secret in (now.room.secret, *(secret_of(one, promised) for one in people)):
            assert secret not in seen


def test_erased_name_leaves_the_table(table: Table) -> None:
    room, (ann, bob, _) = table
    commit(room, ann, bob)
    start(room)
    reveal(room, ann)
    wait(room)
    wait(room)
    assert str(bob) in json.dumps(Room.objects.get(pk=room.pk).mixing)
    erasure.erase(bob.pk)
    assert str(bob) not in json.dumps(Room.objects.get(pk=room.pk).mixing)


@pytest.mark.parametrize("is_listed", [True, False])
def test_erased_name_leaves_a_start_that_is_under_way(table: Table, is_listed: bool) -> None:
    room, (ann, bob, cleo) = table
    commit(room, ann, bob, cleo)
    start(room)
    reveal(room, ann, cleo)
    if not is_listed:
        wait(room)
    erasure.erase(bob.pk)
    wait(room)
    wait(room)
    assert str(bob) not in json.dumps(Room.objects.get(pk=room.pk).mixing)


def test_shares_of_a_match_do_not_count_for_the_next(table: Table) -> None:
    room, people = table
    commit(room, *people)
    start(room)
    reveal(room, *people)
    moderation_helpers.end_match(room.pk).result()
    assert not Member.objects.filter(room=room).exclude(share="").exists()
    assert added(start_match(Room.objects.get(pk=room.pk))) == [False, False, False]


@pytest.mark.parametrize("step", ["start", "reveal", "void"])
def test_crash_at_any_statement_leads_to_the_same_list(table: Table, step: str) -> None:
    room, people = table
    commit(room, *people)
    if step != "start":
        start(room)
        reveal(room, *people[1:])
    before, promised = mixing(room), committed(room.pk)
    listed = before.listed if before is not None else None
    if step == "void":
        Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())

    def do() -> None:
        if step == "start":
            rooms.start.__wrapped__(
                Room.objects.get(pk=room.pk), Member.objects.get(user=people[0])
            )  # type: ignore[attr-defined]
        elif step == "reveal":
            secret = secret_of(people[0], promised)
            member = Member.objects.get(user=people[0])
            rooms.reveal_luck.__wrapped__(Room.objects.get(pk=room.pk), member, listed, secret)  # type: ignore[attr-defined]
        else:
            mixes.go_on.__wrapped__(room.pk)  # type: ignore[attr-defined]

    def stored() -> list[object]:
        row = Room.objects.get(pk=room.pk)
        return [row.secret, row.mixing, row.status, Match.objects.count()]

    was, kills = stored(), 0
    while stored() == was:
        kills += 1
        with killed_at(kills):
            do()
    assert kills > 3
    if step == "void":
        assert [one.listed for one in mixing(room).voids] == [listed]
        return
    if step == "start":
        reveal(room, *people)
    match = begun(room)
    assert commitment(bytes.fromhex(match.secret)) == promised
    assert added(match) == [True, True, True]
    assert listed in (None, match.mixed["list"])


def at_once(*steps: Callable[[], object]) -> None:
    """Run each step in a process of its own, all at the same time."""
    together = threading.Barrier(len(steps))

    def process(step: Callable[[], object]) -> None:
        together.wait()
        done = False
        while not done:
            with suppress(OperationalError):  # SQLite refuses the second one for now
                with transaction.atomic():
                    step()
                done = True
        connection.close()

    threads = [threading.Thread(target=process, args=(step,)) for step in steps]
    for one in threads:
        one.start()
    for one in threads:
        one.join()


def reveal_here(room: Room, person: User, listed: str, secret: str) -> None:
    """Open a share in the process of the caller."""
    locked, member = members.room_of(room.pk), Member.objects.get(room=room, user=person)
    rooms.reveal_luck.__wrapped__(locked, member, listed, secret)  # type: ignore[attr-defined]


def test_secrets_that_reach_two_processes_at_once_begin_one_match(table: Table) -> None:
    room, people = table
    commit(room, *people)
    start(room)
    listed, promised = mixing(room).listed, committed(room.pk)
    at_once(*(partial(reveal_here, room, one, listed, secret_of(one, promised)) for one in people))
    assert Match.objects.filter(room=room).count() == 1
    assert added(begun(room)) == [True, True, True]


def test_two_leaders_at_once_declare_one_list_void(table: Table) -> None:
    room, (ann, bob, _) = table
    commit(room, ann, bob)
    start(room)
    listed = mixing(room).listed
    reveal(room, ann)
    Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())
    leader = partial(mixes.go_on.__wrapped__, room.pk)  # type: ignore[attr-defined]
    at_once(leader, leader)
    now = mixing(room)
    assert (now.tries, now.listed, [one.listed for one in now.voids]) == (2, None, [listed])


def test_last_secret_and_the_end_of_the_time_meet(table: Table) -> None:
    room, (ann, *_) = table
    commit(room, ann)
    start(room)
    listed, promised = mixing(room).listed, committed(room.pk)
    Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())

    def reveal_late() -> None:
        with suppress(Refused):
            reveal_here(room, ann, listed, secret_of(ann, promised))

    at_once(partial(mixes.go_on.__wrapped__, room.pk), reveal_late)  # type: ignore[attr-defined]
    now = mixing(room)
    if now is not None:
        assert [one.listed for one in now.voids] == [listed]
        assert committed(room.pk) != promised
    else:
        assert begun(room).mixed["list"] == listed
    assert Match.objects.filter(room=room).count() == (now is None)
