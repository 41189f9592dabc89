"""Votes of a table: more than half of the players decide within twenty seconds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games import rooms
from games.contract.core import Ignored, Refused
from games.engine.snapshots import load_snapshot
from games.engine.time_source import source
from games.models import Match, Room
from games.pages import regions
from games.pages.lines import log_lines
from games.pages.people import sheet
from games.rooms import votes
from games.rooms.members import Rejected
from games.rooms.votes import call_vote, cast_vote, end_votes
from games.tables.loading import load
from games.tables.table import Json
from moderation.models import Report
from tests.kit.acting import go_out, ticking
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.later import moving_on
from tests.kit.sent import packets, sync_data
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def people() -> list[User]:
    return [PersonFactory(name=name) for name in ("Ann", "Bob", "Cleo")]


@pytest.fixture
def room(people: list[User]) -> Room:
    """A running match of three, with Ann as host."""
    room = open_table(*people)
    start_match(room)
    return Room.objects.get(pk=room.pk)


@pytest.fixture
def later() -> Iterator[Callable[[timedelta], None]]:
    with moving_on() as pass_:
        yield pass_
    source.adopt()


def call(room: Room, person: User, about: str, **more: Any) -> None:
    call_vote(room.pk, person.pk, about, **more).result()


def cast(room: Room, person: User, yes: bool = True) -> None:
    cast_vote(room.pk, person.pk, yes).result()


def now(room: Room) -> Room:
    return Room.objects.get(pk=room.pk)


def match_of(room: Room) -> Match:
    return Match.objects.filter(room=room).latest("pk")


def refused(what: Callable[[], None]) -> str:
    with pytest.raises(Refused) as found:
        what()
    return found.value.code


def away(room: Room, person: User) -> None:
    rooms.gone_away([room.members.get(user=person).pk]).result()


def told(room: Room, before: Any, person: User) -> list[Json]:
    return [p for p in packets(before, load(room.pk, before), person.pk) if "data" not in p]


def test_majority_can_pause_and_resume_a_match(room: Room, people: list[User]) -> None:
    ann, bob, cleo = people
    before = load(room.pk)
    call(room, bob, "pause")
    assert match_of(room).paused is None
    (called,) = told(room, before, ann)
    names = {"voters": ["Ann", "Bob", "Cleo"], "yes": ["Bob"], "no": [], "needed": 2}
    assert called["type"] == "VoteCalled"
    assert {name: called[name] for name in names} == names
    assert (called["about"], called["by"], called["game"]) == ("pause", "Bob", None)
    assert sync_data(load(room.pk), cleo.pk)["vote"] == {
        name: of for name, of in called.items() if name != "type"
    }
    before = load(room.pk)
    cast(room, cleo)
    assert match_of(room).paused is not None
    kinds = [p["type"] for p in told(room, before, ann)]
    assert kinds == ["VoteEnded", "Paused"]
    assert sync_data(load(room.pk), ann.pk)["paused"]["by"] == "Bob"
    assert "vote" not in sync_data(load(room.pk), ann.pk)
    call(room, bob, "resume")
    cast(room, ann)
    assert match_of(room).paused is None


def test_every_ballot_is_announced_and_the_latest_counts(room: Room, people: list[User]) -> None:
    ann, bob, cleo = people
    call(room, bob, "end")
    before = load(room.pk)
    cast(room, cleo, yes=False)
    assert told(room, before, ann) == [{"type": "VoteCast", "username": "Cleo", "yes": False}]
    cast(room, cleo, yes=True)
    assert match_of(room).ended_at is not None


def test_match_ended_by_vote_has_no_result(room: Room, people: list[User]) -> None:
    _ann, bob, cleo = people
    before = load(room.pk)
    call(room, bob, "end")
    cast(room, cleo)
    assert (now(room).status, load(room.pk).evening) == ("finished", ())
    sent = told(room, before, bob)
    assert [p["type"] for p in sent] == ["VoteCalled", "VoteEnded", "TurnEnd", "GameEnd"]
    assert sent[1] == {"type": "VoteEnded", "about": "end", "passed": True}
    assert sent[-1]["reason"] == "aborted"
    parts = {region.id: region.part for region in regions(load(room.pk), bob.pk)}
    assert parts["ending"]["won"] is None  # nobody is told that they lost


def test_bot_substitutes_for_an_absent_player_until_they_return(
    room: Room, people: list[User]
) -> None:
    ann, bob, cleo = people
    assert refused(lambda: call(room, bob, "bot", username="Cleo")) == "not_away"
    away(room, cleo)
    call(room, bob, "bot", username="Cleo")
    cast(room, ann)
    seat = next(p for p in load_snapshot(match_of(room).pk).players if p.name == "Cleo")
    assert (seat.is_warm, bool(seat.bot), seat.out) == (True, True, False)
    assert room.members.filter(user=cleo, left_at=None).exists()
    assert refused(lambda: call(room, bob, "bot", username="Cleo")) == "bad_target"
    rooms.return_to_seat(room.pk, cleo.pk).result()
    seat = next(p for p in load_snapshot(match_of(room).pk).players if p.name == "Cleo")
    assert (seat.substitute, seat.bot, seat.gone) == (False, "", "")


def test_proposed_host_must_be_another_member(room: Room, people: list[User]) -> None:
    _ann, bob, cleo = people
    assert refused(lambda: call(room, bob, "host", username="Ann")) == "bad_target"
    assert refused(lambda: call(room, bob, "host", username="Nobody")) == "bad_target"
    assert refused(lambda: call(room, bob, "host")) == "bad_target"
    call(room, bob, "host", username="Cleo")
    cast(room, cleo)
    assert now(room).host_id == cleo.pk


def test_next_game_can_be_voted_on_only_between_matches(people: list[User]) -> None:
    _ann, bob, cleo = people
    room = open_table(*people)
    assert refused(lambda: call(room, bob, "game", game="chess")) == "bad_game"
    call(room, bob, "game", game="coup")
    cast(room, cleo)
    assert now(room).game == "coup"
    start_match(now(room))
    assert refused(lambda: call(room, bob, "game", game="mia")) == "not_allowed_now"


def test_sole_active_player_decides_a_vote_alone(
    people: list[User], later: Callable[[timedelta], None]
) -> None:
    ann, bob, _cleo = people
    room = open_table(ann, bob, bots=2)
    start_match(room)
    away(room, ann)
    later(votes.BACK_SOON)
    before = load(room.pk)
    call(room, bob, "host", username="Bob")
    assert now(room).host_id == bob.pk
    assert [p["type"] for p in told(room, before, bob)] == ["VoteCalled", "VoteEnded", "HostSet"]


@pytest.mark.parametrize("about", ["host", "end", "game"])
def test_briefly_absent_players_still_count_in_a_vote(people: list[User], about: str) -> None:
    ann, bob, _cleo = people
    room = open_table(ann, bob)
    if about == "end":
        start_match(room)
    away(room, ann)
    asked = {"host": {"username": "Bob"}, "game": {"game": "coup"}}.get(about, {})
    call(room, bob, about, **asked)
    assert (now(room).host_id, now(room).game) == (ann.pk, "mia")
    assert sync_data(load(room.pk), bob.pk)["vote"]["needed"] == 2
    rooms.seen([room.members.get(user=ann).pk]).result()
    cast(room, ann)
    changed = (now(room).host_id == bob.pk, now(room).game == "coup", now(room).status)
    assert changed == (about == "host", about == "game", "finished" if about == "end" else "open")


def test_alternating_proposers_cannot_keep_the_table_voting(
    room: Room, people: list[User], later: Callable[[timedelta], None]
) -> None:
    ann, bob, cleo = people
    call(room, bob, "pause")
    later(votes.LASTS)
    call(room, cleo, "end")
    later(2 * votes.LASTS)
    assert refused(lambda: call(room, bob, "host", username="Bob")) == "vote_again"
    assert refused(lambda: call(room, ann, "pause")) == "vote_again"
    call(room, ann, "host", username="Bob")
    later(votes.AGAIN + votes.LASTS)
    call(room, bob, "pause")
    assert refused(lambda: call(room, cleo, "end")) == "vote_running"


def test_member_who_joined_later_has_no_vote(people: list[User]) -> None:
    ann, bob, cleo = people
    room = open_table(ann, bob)
    call(room, bob, "game", game="coup")
    rooms.join(room.code, cleo.pk, "Cleo").result()
    before = load(room.pk)
    assert refused(lambda: cast(room, cleo)) == "came_later"
    assert sync_data(before, ann.pk)["vote"]["needed"] == 2
    assert now(room).game == "mia"
    cast(room, ann)
    assert now(room).game == "coup"


def test_spectators_and_eliminated_players_cannot_call_a_vote(people: list[User]) -> None:
    ann, bob, cleo = people
    dan = PersonFactory(name="Dan")
    room = open_table(*people, lives=1)
    rooms.join(room.code, dan.pk, "Dan", spectate=True).result()
    match = start_match(room)
    go_out(match, ann)
    with pytest.raises(Ignored):
        call(room, dan, "pause")
    out = next(p.user for p in load_snapshot(match.pk).players if p.out)
    assert out is not None
    assert refused(lambda: call(room, out, "pause")) == "players_vote"
    still_in = next(p for p in (ann, bob, cleo) if p != out)
    call(room, still_in, "pause")
    assert "Dan" not in sync_data(load(room.pk), dan.pk)["vote"]["voters"]
    assert len(sync_data(load(room.pk), dan.pk)["vote"]["voters"]) == 2


def test_failed_vote_cannot_be_repeated_immediately(
    room: Room, people: list[User], later: Callable[[timedelta], None]
) -> None:
    ann, bob, cleo = people
    call(room, bob, "pause")
    cast(room, ann, yes=False)
    before = load(room.pk)
    cast(room, cleo, yes=False)  # with two against it, it cannot pass
    ended, alert = (p for p in told(room, before, ann))
    assert ended == {"type": "VoteEnded", "about": "pause", "passed": False}
    assert alert["message"] == "The vote failed."
    assert refused(lambda: call(room, cleo, "pause")) == "vote_again"  # the same proposal
    assert refused(lambda: call(room, bob, "end")) == "vote_again"  # by the same person
    assert refused(lambda: cast(room, ann)) == "no_vote"
    later(votes.AGAIN + votes.LASTS)
    call(room, bob, "pause")


def test_vote_fails_after_twenty_seconds(
    room: Room, people: list[User], later: Callable[[timedelta], None]
) -> None:
    ann, bob, _cleo = people
    call(room, bob, "end")
    before = load(room.pk)
    end_votes().result()
    assert "vote" in sync_data(load(room.pk), ann.pk)
    later(votes.LASTS)
    assert refused(lambda: cast(room, ann)) == "no_vote"
    end_votes().result()
    assert [p["type"] for p in told(room, before, bob)] == ["VoteEnded", "ShowAlert"]
    assert now(room).vote_until is None
    assert match_of(room).ended_at is None


def test_clock_ends_expired_votes(
    room: Room, people: list[User], later: Callable[[timedelta], None]
) -> None:
    call(room, people[1], "pause")
    later(votes.LASTS)
    with ticking():
        wait_for(lambda: now(room).vote_until is None)


def test_vote_ended_by_a_match_does_not_return_after_it(people: list[User]) -> None:
    ann, bob, cleo = people
    room = open_table(*people)
    call(room, bob, "game", game="coup")
    before = load(room.pk)
    start_match(room)
    ended = {"type": "VoteEnded", "about": "game", "passed": False}
    assert ended in told(room, before, ann)
    for person in (bob, cleo):
        rooms.leave(room.pk, person.pk).result()
    assert now(room).status == "finished"
    assert "vote" not in sync_data(load(room.pk), ann.pk)
    assert refused(lambda: cast(room, ann)) == "no_vote"


def test_everybody_sees_the_vote_but_only_voters_have_buttons(
    room: Room, people: list[User]
) -> None:
    ann, bob, _cleo = people
    dan = PersonFactory(name="Dan")
    rooms.join(room.code, dan.pk, "Dan").result()
    call(room, bob, "end")

    def shown(person: User) -> Json:
        found = regions(load(room.pk), person.pk)
        return next(region.part for region in found if region.id == "vote")

    assert shown(ann)["question"] == "End the match without a result?"
    assert (shown(ann)["ballot"], shown(bob)["ballot"], shown(dan)["ballot"]) == ("", "yes", None)
    assert (shown(dan)["yes"], shown(dan)["needed"]) == (1, 2)


def test_removal_by_vote_kicks_the_player_and_files_a_report(
    room: Room, people: list[User]
) -> None:
    ann, bob, cleo = people
    rooms.say(room.pk, ann.pk, "You are all fools").result()
    before = load(room.pk)
    call(room, bob, "remove", username="Ann")
    (called,) = told(room, before, cleo)
    assert (called["about"], called["username"], called["needed"]) == ("remove", "Ann", 2)
    assert called["voters"] == ["Bob", "Cleo"]
    assert refused(lambda: cast(room, ann, yes=False)) == "came_later"
    assert not Report.objects.exists()
    cast(room, cleo)
    seen = load(room.pk, before)
    assert log_lines(seen, seen.acts, None)[0]["text"] == "Ann was removed from the table."
    assert not room.members.filter(user=ann, left_at=None).exists()
    seat = load_snapshot(match_of(room).pk).players[0]
    assert (seat.name, seat.gone) == ("Ann", "kicked")
    assert now(room).host_id == bob.pk
    report = Report.objects.get()
    assert (report.kind, report.about_id, report.by_id) == ("behaviour", ann.pk, bob.pk)
    assert [line["text"] for line in report.context] == ["You are all fools"]
    with pytest.raises(Rejected, match="Kicked"):
        rooms.join(room.code, ann.pk, "Ann").result()


def test_removal_needs_more_than_one_vote(room: Room, people: list[User]) -> None:
    ann, bob, cleo = people
    assert refused(lambda: call(room, bob, "remove", username="Bob")) == "bad_target"
    assert refused(lambda: call(room, bob, "remove", username="Nobody")) == "bad_target"
    call(room, bob, "remove", username="Ann")
    cast(room, cleo, yes=False)
    assert room.members.filter(user=ann, left_at=None).exists()
    two = open_table(ann, bob, bots=2)
    start_match(two)
    assert refused(lambda: call(two, bob, "remove", username="Ann")) == "too_few_vote"
    assert not Report.objects.exists()


def test_removal_is_offered_only_if_two_others_can_vote(room: Room, people: list[User]) -> None:
    ann, bob, cleo = people

    def offered(at: Room, viewer: User, whom: User) -> bool:
        found = sheet(load(at.pk), viewer.pk, at.members.get(user=whom).pk)
        return bool(found is not None and found.part["removable"])

    assert offered(room, bob, ann)
    assert offered(room, ann, cleo)
    assert not offered(room, bob, bob)
    two = open_table(ann, bob, bots=1)
    assert not offered(two, ann, bob)
    start_match(two)
    assert not offered(two, ann, bob)


def test_vote_about_a_match_ends_with_the_match(room: Room, people: list[User]) -> None:
    ann, bob, cleo = people
    call(room, bob, "pause")
    before = load(room.pk)
    for person in (bob, cleo):
        rooms.leave(room.pk, person.pk).result()
    assert now(room).status == "finished"
    assert {"type": "VoteEnded", "about": "pause", "passed": False} in told(room, before, ann)
    assert "vote" not in sync_data(load(room.pk), ann.pk)
    assert refused(lambda: cast(room, ann)) == "no_vote"
