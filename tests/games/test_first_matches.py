"""Your first two matches of a game, alone with bots, have no turn clock."""

from __future__ import annotations

import pytest

from accounts.models import User
from games import rooms
from games.engine.memory import memory
from games.engine.snapshots import MatchSnapshot, cache, load_snapshot
from games.models import Match, Room
from games.pages import regions
from games.pages.lines import log_lines
from games.tables.loading import load
from games.tables.table import Json
from tests.kit.acting import act, looks, on_turn, play_out, ticking
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)


def begun(*people: User, by_page: bool = True, bots: int = 2, **options: object) -> Match:
    """A match of these people and some bots."""
    room = open_table(*people, bots=bots, **options)
    if by_page:
        looks(room, *people)
    return start_match(room)


def asked(match: Match, *people: User) -> MatchSnapshot:
    """Return the match at the turn of one of these users, after the bots' moves."""

    def is_asked() -> bool:
        found = load_snapshot(match.pk)
        seats = {found.seat_of(person.pk) for person in people}
        return not seats.isdisjoint(found.game.rules.awaited(found.state))

    with ticking():
        wait_for(is_asked)
    return load_snapshot(match.pk)


def part(match: Match, person: User, name: str) -> Json:
    (found,) = [one for one in regions(load(match.room_id), person.pk) if one.id == name]
    return found.part


def test_newcomer_alone_with_bots_has_no_clock_and_is_informed() -> None:
    ann = PersonFactory()
    match = begun(ann)
    found = asked(match, ann)
    assert (found.row.deadline, found.options.pace) == (None, "normal")
    assert part(match, ann, "status")["unhurried"]
    act(match, on_turn(match), "Roll")
    assert load_snapshot(match.pk).row.deadline is None
    table = load(match.room_id, with_story=True)
    lines = [line["text"] for line in log_lines(table, table.story, None)]
    assert lines[0] == "No clock in your first two matches. Take your time."


@pytest.mark.parametrize(("others", "by_page"), [(1, True), (0, False)])
def test_matches_with_two_people_or_a_program_have_a_clock(others: int, by_page: bool) -> None:
    people = [PersonFactory() for _ in range(1 + others)]
    match = begun(*people, by_page=by_page)
    assert asked(match, *people).row.deadline is not None
    assert not part(match, people[0], "status")["unhurried"]


def test_third_match_has_a_clock_but_the_first_of_another_game_has_none() -> None:
    ann = PersonFactory()
    for _ in range(2):
        play_out(open_table(ann, PersonFactory(), lives=1))
    assert asked(begun(ann), ann).row.deadline is not None
    assert asked(begun(ann, game="chamber"), ann).row.deadline is None


def test_late_joiner_starts_the_clock() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    match = begun(ann, game="cards", bots=3, allowLateJoin=True)
    assert load_snapshot(match.pk).row.deadline is None
    room = Room.objects.get(pk=match.room_id)
    rooms.join(room.code, bob.pk, str(bob)).result()
    assert load_snapshot(match.pk).seat_of(bob.pk) is not None
    assert load_snapshot(match.pk).row.pace == ""


def test_restart_keeps_the_clock_off() -> None:
    ann = PersonFactory()
    match = begun(ann)
    cache.clear()
    memory.evict(match.room_id)
    assert asked(match, ann).row.deadline is None
