"""Ratings: which matches count, and what is stored for them."""

from __future__ import annotations

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games import rooms
from games.contract.core import Refused
from games.contract.data import pack
from games.engine import rated
from games.engine.writer import command
from games.history import counting, ratings
from games.models import Match, Player, PlayerStat, Rating, RatingChange, Room, SideRating
from games.pages import regions
from games.registry import GAMES
from games.tables.loading import load
from games.tables.serializers import settled
from tests.kit.acting import play_out
from tests.kit.counted import MOST_STATEMENTS, count_here, killed_at, table
from tests.kit.factories import AccountFactory, PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)

Rows = tuple[Any, ...]


@pytest.fixture(autouse=True)
def short_matches_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let matches with one life count, because they are over after two moves."""
    monkeypatch.setattr(rated, "FREE", rated.FREE | {"lives"})


def member(**fields: Any) -> User:
    """Return a person whose account is old enough."""
    return AccountFactory(date_joined=timezone.now() - timedelta(days=2), **fields)


def rated_table(*people: User) -> Room:
    room = table(*(people or (member(), member())))
    Room.objects.filter(pk=room.pk).update(rated=True)
    return Room.objects.get(pk=room.pk)


def again(room: Room) -> Match:
    return play_out(Room.objects.get(pk=room.pk))


def rows() -> tuple[list[Rows], list[Rows], list[Rows]]:
    return (
        sorted(ratings.PLAYERS.read().items()),
        sorted(ratings.SIDES.read().items()),
        sorted(ratings.CHANGES.read().items()),
    )


def recomputed() -> str:
    said = StringIO()
    call_command("league", "recompute", stdout=said)
    return said.getvalue()


def reason(room: Room, **fields: Any) -> str:
    if fields:
        Room.objects.filter(pk=room.pk).update(**fields)
    return start_match(Room.objects.get(pk=room.pk)).rated


def test_rated_match_changes_the_ratings_of_its_players_once() -> None:
    ann, bob = member(), member()
    match = again(rated_table(ann, bob))
    assert match.rated == "yes"
    counting.run()
    won = Player.objects.get(match=match, place=1)
    found = {rating.user_id: rating for rating in Rating.objects.all()}
    assert found[won.user_id or 0].mu > 25 > found[({ann.pk, bob.pk} - {won.user_id}).pop()].mu
    assert {rating.matches for rating in found.values()} == {1}
    for change in RatingChange.objects.all():
        assert (change.mu_before, change.sigma_before) == (25, 25 / 3)
    before = rows()
    assert counting.run() == 0
    assert rows() == before


def test_reasons_why_a_match_is_not_rated() -> None:
    assert reason(table(member(), member())) == "off"
    assert reason(rated_table(member(), PersonFactory())) == "guest"
    assert reason(rated_table(member(), AccountFactory())) == "new"
    assert reason(rated_table(member(), member(is_program=True))) == "bot"
    assert reason(rated_table(), options={"lives": 1, "pace": "none"}) == "slow"
    assert reason(rated_table(), options={"lives": 1, "pace": "fast"}) == "yes"
    assert reason(rated_table(), options={"lives": 1, "spectators": "none"}) == "yes"


@pytest.mark.parametrize("slug", GAMES)
def test_options_that_may_differ_are_options_of_their_game(slug: str) -> None:
    rules = GAMES[slug].rules
    assert set(pack(rules.options())) >= (rated.FREE - {"lives"}) | rules.free_options


@pytest.mark.parametrize(
    ("slug", "options"),
    [
        *((slug, {"onLeave": "substitute"}) for slug in GAMES),
        *((slug, {"keepWarm": "30s", "idleKick": 0, "pace": "fast"}) for slug in GAMES),
        ("secret_hitler", {"discussion": 30}),
        ("coup", {"names": "classic"}),
        ("cards", {"packs": ["en"], "vetoed": ["own:1"]}),
    ],
)
def test_options_that_do_not_matter_may_differ(slug: str, options: dict[str, Any]) -> None:
    game, people = GAMES[slug], [member() for _ in range(GAMES[slug].seats[0])]
    room = open_table(*people, game=slug)
    Room.objects.filter(pk=room.pk).update(rated=True, options=room.options | options)
    room = Room.objects.get(pk=room.pk)
    seated = list(room.members.select_related("user"))
    assert rated.rated_or_why_not(room, game, seated) == "yes"


def test_other_options_than_the_usual_ones_are_not_rated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rated, "FREE", rated.FREE - {"lives"})
    assert reason(rated_table()) == "options"


def test_site_can_switch_ratings_off(settings: Any) -> None:
    settings.RATED = "off"
    assert reason(rated_table()) == "off"


def test_public_site_rates_only_open_tables_of_people_who_seldom_meet(settings: Any) -> None:
    settings.RATED = "public"
    people = [member() for _ in range(3)]
    assert reason(rated_table(*people[:2])) == "few"
    assert reason(rated_table(*people[:2]), visibility="unlisted") == "yes"  # a quick match
    room = rated_table(*people)
    found = [reason(room)]
    for _ in range(rated.MOST_REPEATS):
        Match.objects.filter(room=room).update(ended_at=timezone.now())
        Room.objects.filter(pk=room.pk).update(status=Room.Status.OPEN, match=None)
        found.append(reason(room))
    assert found == ["yes", "yes", "yes", "repeat"]


@pytest.mark.parametrize(
    ("change", "why"), [({"place": None}, "stopped"), ({"given_at": 3}, "given")]
)
def test_match_that_went_wrong_is_not_rated_in_the_end(change: Any, why: str) -> None:
    match = again(rated_table())
    Player.objects.filter(match=match, seat=0).update(**change)
    counting.run()
    match.refresh_from_db()
    assert match.rated == why
    assert not Rating.objects.exists()


def test_leavers_come_behind_everybody_who_stayed() -> None:
    match = again(rated_table())
    seats = list(Player.objects.filter(match=match).order_by("place"))
    Player.objects.filter(pk=seats[0].pk).update(gone="left")
    played = ratings.played_in(match, list(match.players.all()), ())
    assert max(played.places) == played.places[seats[0].seat]


def test_host_with_an_account_decides_whether_a_table_is_rated() -> None:
    ann = member()
    room = table(ann, guest := PersonFactory())
    assert room.host_id is not None
    for wanted in (True, False, True):
        rooms.set_room(room.pk, room.host_id, rated=wanted).result()
        room.refresh_from_db()
        assert room.rated is wanted
    rooms.set_room(room.pk, room.host_id, "unlisted").result()
    room.refresh_from_db()
    assert room.rated
    rooms.set_room(room.pk, room.host_id, rated=False).result()
    rooms.set_host(room.pk, room.host_id, str(guest)).result()
    with pytest.raises(Refused, match="cannot_be_rated"):
        rooms.set_room(room.pk, guest.pk, rated=True).result()


def test_hidden_table_of_an_open_site_is_not_rated_any_more(settings: Any) -> None:
    settings.RATED = "public"
    room = rated_table()
    assert room.host_id is not None
    rooms.set_room(room.pk, room.host_id, "unlisted").result()
    with pytest.raises(Refused, match="cannot_be_rated"):
        rooms.set_room(room.pk, room.host_id, rated=True).result()
    room.refresh_from_db()
    assert not room.rated


def test_pages_and_programs_say_before_the_match_why_it_is_not_rated() -> None:
    room = rated_table(member(), PersonFactory())
    table_now = load(room.pk)
    assert table_now.rated == "guest"
    assert settled(table_now)["rated"] == "guest"
    parts = {one.id: one.part for one in regions(table_now, room.host_id)}
    for place in ("options", "setup"):
        assert parts[place]["rating"].endswith("somebody plays without an account.")


def test_waiting_room_says_nothing_about_ratings_at_other_tables() -> None:
    room = table(member(), member())
    setup = next(one for one in regions(load(room.pk), room.host_id) if one.id == "setup")
    assert setup.part["rating"] == ""


def test_match_page_shows_what_a_match_changed() -> None:
    match = again(rated_table())
    counting.run()
    page = Client().get(f"/matches/{match.pk}/").content.decode()
    assert "The match is rated." in page
    assert "expected: place 1 or 2" in page
    assert ">+" in page
    assert ">−" in page


def test_sides_are_rated_together_with_their_players() -> None:
    match = again(rated_table())
    played = ratings.played_in(match, list(match.players.all()), ("good", "bad"))
    command(ratings.add)(played).result()
    assert {side.side for side in SideRating.objects.all()} == {"good", "bad"}
    winner = played.sides[played.places.index(1)]
    strengths = {side.side: side.mu for side in SideRating.objects.all()}
    assert max(strengths, key=strengths.__getitem__) == winner


def test_count_that_is_killed_at_any_statement_rates_the_same_when_repeated() -> None:
    room = rated_table()
    again(room)
    counting.run()
    match, before, kills = again(room), rows(), 0
    while Match.objects.filter(pk=match.pk, no=None).exists():
        assert rows() == before, "a killed count left something behind"
        kills += 1
        with killed_at(kills):
            count_here(match, *counting._writes(match.pk))
    assert kills > 7
    assert "0 rows were wrong" in recomputed()


def test_counting_a_rated_match_takes_few_statements() -> None:
    room = rated_table()
    again(room)
    counting.run()
    match = again(room)
    writes = counting._writes(match.pk)
    with CaptureQueriesContext(connection) as made:
        count_here(match, *writes)
    found = [each["sql"] for each in made if not each["sql"].startswith(("BEGIN", "COMMIT"))]
    assert len(found) <= MOST_STATEMENTS, found


def test_recompute_changes_no_row_and_repairs_wrong_ones() -> None:
    room = rated_table()
    for _ in range(3):
        again(room)
    counting.run()
    right = rows()
    assert recomputed() == "Ratings: 0 rows were wrong.\n"
    Rating.objects.filter(user__in=[Rating.objects.first().user_id]).update(mu=99)  # type: ignore[union-attr]
    RatingChange.objects.filter(seat=1).update(sigma=99)
    assert recomputed() == "Ratings: 4 rows were wrong.\n"
    assert rows() == right


def test_void_match_is_taken_out_of_all_later_ratings() -> None:
    people = [member(), member()]
    room, other = rated_table(*people), rated_table(*people)
    first = again(room)
    counting.run()
    again(other)
    counting.run()
    assert command(ratings.declare_void)(first.pk).result()
    assert counting.waiting()
    counting.run()
    assert not RatingChange.objects.filter(match=first).exists()
    assert {change.mu_before for change in RatingChange.objects.all()} == {25}
    assert {rating.matches for rating in Rating.objects.all()} == {1}
    played = PlayerStat.objects.filter(key="played")
    assert {row.count for row in played} == {1}
    assert not counting.waiting()


def test_ratings_of_the_others_stay_if_an_account_is_deleted() -> None:
    people = [member(), member()]
    room = rated_table(*people)
    again(room)
    again(room)
    counting.run()
    people[0].delete()
    counting.run()
    before = rows()
    assert len(before[0]) == 1
    assert "0 rows were wrong" in recomputed()
    assert rows() == before
