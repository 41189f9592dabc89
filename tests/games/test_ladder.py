"""The ladder: who gets a table, when it begins, and how versions are judged afterwards."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import OperationalError, connection, transaction
from django.db.models import F
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from accounts import sanctions
from accounts.models import Sanction, User
from games import rooms
from games.engine import draining, matches, time_source
from games.engine.storage import storage
from games.engine.writer import command
from games.history import counting, leaderboard, rerating
from games.models import (
    Counter,
    Match,
    Member,
    Player,
    Pool,
    Program,
    ProgramVersion,
    Rating,
    RatingChange,
    Room,
)
from games.models.league import MU, SIGMA, SIGMA_OF_NEXT
from games.registry import GAMES
from games.rooms import ladder, pairing, programs
from tests.kit.counted import MOST_STATEMENTS, count_here, killed_at
from tests.kit.factories import AccountFactory, open_table
from tests.kit.ladder import available, come, open_tables, play_out, running, tables, version_of
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _ladder(settings: Any) -> None:
    settings.LADDER = True


def advance() -> None:
    ladder.advance().result()


def let_pass(seconds: float) -> None:
    """Move everything into the past instead of waiting."""
    ago = timedelta(seconds=seconds)
    Room.objects.update(created_at=F("created_at") - ago, empty_since=F("empty_since") - ago)
    ProgramVersion.objects.update(idle_since=F("idle_since") - ago)


def two() -> list[ProgramVersion]:
    return [available(version_of()[0]) for _ in range(2)]


def state_of(version: ProgramVersion) -> str:
    return ProgramVersion.objects.get(pk=version.pk).state


class TestTables:
    def test_two_versions_get_a_table(self) -> None:
        versions = two()
        open_tables()
        (room,) = tables()
        assert (room.kind, room.status, room.visibility, room.host) == (
            "ladder",
            "open",
            "public",
            None,
        )
        names = set(room.members.values_list("name", flat=True))
        assert names == {str(version.user) for version in versions}

    def test_match_begins_once_everybody_has_come(self) -> None:
        one, other = two()
        open_tables()
        come(one)
        assert not running()
        come(other)
        (match,) = running()
        assert (match.patience, match.rated, match.public) == (2.0, "yes", True)

    def test_match_begins_after_ten_seconds_without_the_others(
        self, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        one, _other = two()
        open_tables()
        come(one)
        with monkeypatch.context() as patched:
            patched.setattr(ladder, "COMES", timedelta(hours=1))
            advance()
        assert not running()
        let_pass(10)
        advance()
        (match,) = running()
        assert match.players.count() == 2

    def test_visitor_is_offered_nothing_that_is_ignored(self) -> None:
        version = available(version_of(state="checking")[0], games=["secret_hitler"])
        open_tables()
        (room,) = tables()
        visitor = as_user(AccountFactory())
        visitor.post(f"/t/{room.code}/", {"spectate": "on"})
        pages = []
        for happens in (
            lambda: None,
            lambda: come(version),
            lambda: rooms.leave(room.pk, version.user_id).result(),
            lambda: play_out(running()[0]),
        ):
            happens()
            pages.append(visitor.get(f"/t/{room.code}/").content.decode())
        assert "Only bots" in pages[2]
        for page in pages:
            offered = set(re.findall(r'name="do" value="(\w+)"', page))
            assert "SendNewChatMessage" in offered
            assert not offered & ladder.FORBIDDEN
            assert 'form="to-new-game"' not in page

    def test_big_screen_invites_nobody_to_play(self) -> None:
        two()
        open_tables()
        page = as_user(AccountFactory()).get(f"/t/{tables()[0].code}/screen/").content.decode()
        assert "Watch on your phone" in page
        assert "Play again" not in page

    def test_table_to_which_nobody_comes_is_closed(self) -> None:
        two()
        open_tables()
        let_pass(10)
        advance()
        assert [room.status for room in tables()] == ["closed"]
        assert not running()

    def test_table_closes_a_minute_after_the_match(self) -> None:
        one, other = two()
        open_tables()
        come(one)
        come(other)
        (match,) = running()
        play_out(match)
        advance()
        assert tables()[0].status == "finished"
        let_pass(60)
        advance()
        assert tables()[0].status == "closed"
        assert not Member.objects.filter(room__ladder=True, left_at=None).exists()

    def test_versions_of_one_owner_never_meet(self) -> None:
        owner = AccountFactory()
        for number in range(3):
            available(version_of(owner, f"Nemo {number}")[0])
        open_tables()
        assert not tables()

    def test_versions_play_only_their_games(self) -> None:
        one, other, third = (version_of()[0] for _ in range(3))
        available(one, ["mia"])
        available(other, ["coup"])
        available(third, ["coup", "chamber"])
        open_tables()
        (room,) = tables()
        assert room.game == "coup"

    def test_number_of_tables_is_limited(self, settings: Any) -> None:
        settings.LADDER_AT_ONCE = 3
        for version in (version_of()[0] for _ in range(2)):
            available(version, tables=20)
        open_tables()
        assert len(tables()) == 3
        open_tables()
        assert len(tables()) == 3

    def test_version_plays_at_no_more_tables_than_it_wants(self, settings: Any) -> None:
        settings.LADDER_AT_ONCE = 9
        for version in (version_of()[0] for _ in range(2)):
            available(version, tables=2)
        open_tables()
        assert len(tables()) == 2

    def test_every_tenth_table_is_against_bots(self, settings: Any) -> None:
        settings.LADDER_AT_ONCE = 30
        for version in (version_of()[0] for _ in range(2)):
            available(version, tables=20)
        open_tables()
        bots = [room.members.exclude(bot="").exists() for room in tables()]
        assert bots[9::10] == [True] * (len(bots) // 10)
        assert sum(bots) == len(bots) // 10

    def test_lone_version_plays_against_bots_after_a_while(self) -> None:
        version = available(version_of()[0])
        open_tables()
        assert not tables()
        let_pass(300)
        open_tables()
        come(version)
        (match,) = running()
        assert match.rated == "bot"

    @pytest.mark.parametrize("whose", ["its", "its owner's"])
    def test_banned_version_gets_no_table(self, whose: str) -> None:
        one, _other = two()
        banned = one.user_id if whose == "its" else one.program.owner_id
        command(sanctions.decide)(banned, Sanction.Kind.LOCK, "rude").result()
        open_tables()
        assert not tables()

    @pytest.mark.parametrize("state", ["resting", "failed", "retired"])
    def test_version_in_this_state_gets_no_table(self, state: str) -> None:
        one, _other = two()
        ProgramVersion.objects.filter(pk=one.pk).update(state=state)
        open_tables()
        assert not tables()

    def test_no_table_is_opened_while_the_server_has_no_time(
        self, monkeypatch: pytest.MonkeyPatch, settings: Any
    ) -> None:
        assert not ladder.may_open()
        two()
        assert ladder.may_open()
        with monkeypatch.context() as patched:
            patched.setattr(ladder, "waiting_jobs", lambda: 6)
            assert not ladder.may_open()
        with monkeypatch.context() as patched:
            patched.setattr(storage, "fault", "disk full")
            assert not ladder.may_open()
        settings.LADDER = False
        assert not ladder.may_open()

    def test_draining_server_opens_no_table(self) -> None:
        two()
        draining.begin(time_source.now() + timedelta(minutes=5))
        open_tables()
        assert not tables()

    def test_version_that_may_not_join_becomes_unavailable(self) -> None:
        one, _other = two()
        Sanction.objects.create(user=one.user, kind=Sanction.Kind.NAME, about=str(one.user))
        open_tables()
        one.refresh_from_db()
        assert one.available_until is None
        assert not tables()

    def test_tables_are_not_on_the_front_page(self, client: Any) -> None:
        two()
        open_tables()
        assert tables()[0].code not in client.get("/").content.decode()


STEP, LONGEST = 5, 3
"""Seconds between two looks of the leader, and the length of the longest match in looks."""
WAITS = pairing.IDLE.total_seconds() + (LONGEST + 1) * STEP
"""Longest time in seconds that a version waits for a table."""


@pytest.mark.slow
def test_no_version_waits_for_long_even_after_a_restart(settings: Any) -> None:
    settings.LADDER_AT_ONCE = 4  # three of them have to wait
    versions = [available(version_of(name=f"N{number}")[0]) for number in range(19)]
    luck = Random(1)
    for version in versions:  # the least known ones come first, but the others come, too
        sigma = luck.uniform(1, 8)
        Rating.objects.create(
            user=version.user,
            game="mia",
            pool=Pool.PROGRAMS,
            mu=luck.gauss(25, 4),
            sigma=sigma,
            matches=1,
            last_at=time_source.now(),
        )
    left: dict[int, int] = {}
    played = 0
    for step in range(60):
        if step == 30:  # a restart: everybody reconnects
            for version in versions:
                ladder.lost(version.user_id).result()
            for version in versions:
                available(version)
        ladder.renew([version.user_id for version in versions]).result()
        advance()
        open_tables(step)
        seats = Member.objects.filter(room__ladder=True, room__status__in=ladder.RUNNING)
        seated = list(seats.filter(user__isnull=False).values_list("user", flat=True))
        assert len(seated) == len(set(seated)), "somebody sits at two tables"
        waiting = ProgramVersion.objects.exclude(user__in=seated)
        assert not waiting.filter(
            idle_since__lt=time_source.now() - timedelta(seconds=WAITS)
        ).exists(), f"somebody has waited too long at step {step}"
        coming = seats.exclude(away_since=None).values("user")
        for version in ProgramVersion.objects.filter(user__in=coming):
            come(version)
        for match in running():
            left.setdefault(match.pk, luck.randint(1, LONGEST))
            left[match.pk] -= 1
            if left[match.pk] == 0:
                matches.give_up(match.pk).result()
                played += 1
        let_pass(STEP)
    assert played >= 40


class TestJudging:
    def check(self, silent: bool = False) -> ProgramVersion:
        version = available(version_of(state="checking")[0])
        for _ in range(ladder.CHECKS):
            open_tables()
            come(version)
            (match,) = running()
            if silent:
                Player.objects.filter(match=match, user=version.user).update(lapses=1)
            play_out(match)
            advance()
        return version

    def test_three_matches_make_a_version_active(self) -> None:
        version = self.check()
        assert state_of(version) == "active"
        levels = Member.objects.filter(room__ladder=True).exclude(bot="")
        assert set(levels.values_list("bot", flat=True)) == {"random"}
        assert not RatingChange.objects.exists()

    def test_silent_version_fails_its_check(self) -> None:
        version = available(version_of(state="checking")[0])
        open_tables()
        come(version)
        (match,) = running()
        Player.objects.filter(match=match, user=version.user).update(lapses=1)
        play_out(match)
        advance()
        version.refresh_from_db()
        assert (version.state, version.silent_in) == ("failed", match)
        open_tables()
        assert not running()
        programs.wake(version.program.owner_id, version.pk).result()
        assert state_of(version) == "checking"
        open_tables()
        assert len(tables()) == 2

    def test_version_that_is_silent_three_times_rests(self) -> None:
        one, other = two()
        for number in range(ladder.MOST_SILENT):
            assert state_of(one) == "active", number
            open_tables(number)
            come(other)
            come(one)
            (match,) = running()
            rooms.leave(match.room_id, one.user_id).result()
            advance()
        assert state_of(one) == "resting"
        assert state_of(other) == "active"
        available(one)
        assert state_of(one) == "active"
        open_tables()
        come(other)
        come(one)
        advance()
        assert state_of(one) == "active", "earlier matches do not count"

    def test_stopped_match_is_not_judged(self) -> None:
        version = available(version_of(state="checking")[0])
        open_tables()
        come(version)
        (match,) = running()
        matches.give_up(match.pk).result()
        advance()
        assert state_of(version) == "checking"
        assert ladder._checked(version) == 0


def counted(*versions: ProgramVersion, game: str = "mia") -> Match:
    """Play a match of the ladder between these versions, and count it."""
    ProgramVersion.objects.update(available_until=None)
    for version in versions:
        available(version, [game])
    Match.objects.filter(ended_at=None).update(ended_at=F("started_at"))
    open_tables()
    for version in versions:
        come(version)
    (match,) = running()
    play_out(match)
    counting.run()
    advance()
    return Match.objects.get(pk=match.pk)


class TestRatings:
    def test_matches_are_rated_in_a_pool_of_their_own(self) -> None:
        versions = two()
        match = counted(*versions)
        found = Rating.objects.filter(pool=Pool.PROGRAMS, game="mia")
        assert {one.user_id for one in found} == {version.user_id for version in versions}
        assert match.rating_changes.count() == 2
        assert not Rating.objects.filter(pool=Pool.PEOPLE).exists()

    def test_new_version_starts_at_the_skill_of_the_one_before(self) -> None:
        one, other = two()
        counted(one, other)
        before = Rating.objects.get(user=one.user)
        owner = one.program.owner_id
        newer, _token = programs.make_version(owner, one.program_id).result()
        ProgramVersion.objects.update(state="active")
        match = counted(newer, other)
        seat = match.players.get(user=newer.user).seat
        change = match.rating_changes.get(seat=seat)
        assert (change.mu_before, change.sigma_before) == (before.mu, SIGMA_OF_NEXT)
        first = RatingChange.objects.exclude(match=match).first()
        assert first is not None
        assert (first.mu_before, first.sigma_before) == (MU, SIGMA)
        rows = list(Rating.objects.order_by("pk").values())
        assert rerating.recompute() == 0
        assert list(Rating.objects.order_by("pk").values()) == rows

    def test_recompute_makes_the_same_rows(self) -> None:
        one, other = two()
        for _ in range(2):
            counted(one, other)
        rows = set(Rating.objects.values_list("user", "pool", "mu", "sigma", "matches"))
        Rating.objects.update(mu=3)
        assert rerating.recompute() == 2
        assert set(Rating.objects.values_list("user", "pool", "mu", "sigma", "matches")) == rows

    def test_uncertainty_does_not_grow_with_time(self) -> None:
        one, other = two()
        counted(one, other)
        year_ago = time_source.now() - timedelta(days=365)
        Rating.objects.update(last_at=year_ago)
        before = Rating.objects.get(user=one.user)
        (line,) = [line for line in leaderboard.ladder(GAMES["mia"]) if line.user.pk == one.user_id]
        shown = [line.rating, *leaderboard.ratings_of(one.user)]
        assert [rating.deviation for rating in shown] == [round(60 * before.sigma)] * 2
        match = counted(one, other)
        change = match.rating_changes.get(seat=match.players.get(user=one.user).seat)
        assert change.sigma_before == before.sigma
        Rating.objects.update(pool=Pool.PEOPLE, last_at=year_ago)
        (shown_of_person,) = leaderboard.ratings_of(one.user)
        assert shown_of_person.deviation > round(60 * Rating.objects.get(user=one.user).sigma)

    def test_other_tables_are_never_rated_for_programs(self) -> None:
        (version, _token), host = version_of(), AccountFactory()
        room = open_table(host, version.user)
        Room.objects.filter(pk=room.pk).update(rated=True)
        room.refresh_from_db()
        rooms.start(room.pk, host.pk).result()
        assert Match.objects.get(room=room).rated == "bot"


def stored() -> list[Any]:
    return [
        list(ProgramVersion.objects.order_by("pk").values("state", "idle_since")),
        list(Room.objects.order_by("pk").values("status", "match", "empty_since")),
        list(Member.objects.order_by("pk").values("room", "user", "left_at")),
        list(Match.objects.values("pk", "version")),
    ]


def here(done: Callable[..., Any], *args: Any) -> None:
    """Run a command in this thread, as the writer does in its own."""
    done.__wrapped__(*args)  # type: ignore[attr-defined]


@pytest.mark.parametrize("what", ["open", "begin", "judge", "close"])
def test_step_that_is_killed_at_any_statement_changes_nothing(what: str) -> None:
    one, other = two()
    step: tuple[Any, ...] = (ladder.advance,)
    if what == "open":
        step = (ladder.open_tables, Random(1))
    else:
        open_tables()
        come(one)
        let_pass(10)
    if what in ("judge", "close"):
        come(other)
        play_out(running()[0])
    if what == "close":
        advance()
        let_pass(60)
    before, kills = stored(), 0
    while stored() == before:
        kills += 1
        with killed_at(kills):
            here(*step)
    assert kills > 5
    expected = {"open": "open", "begin": "playing", "judge": "finished", "close": "closed"}
    assert [room.status for room in tables()] == [expected[what]]


def test_two_processes_at_once_open_one_table(settings: Any) -> None:
    settings.LADDER_AT_ONCE = 1
    for _ in range(2):
        two()
    together = threading.Barrier(2)

    def other_process() -> None:
        together.wait()
        done = False
        while not done:
            with suppress(OperationalError):  # SQLite refuses the second one for now
                with transaction.atomic():
                    here(ladder.open_tables, Random(1))
                done = True
        connection.close()

    both = [threading.Thread(target=other_process) for _ in range(2)]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert len(tables()) == 1


@pytest.mark.parametrize("game", ["mia", "secret_hitler"])
def test_counting_a_match_takes_few_statements(game: str) -> None:
    Counter.objects.create(name=Counter.MATCHES)
    versions = [available(version_of()[0], [game]) for _ in range(GAMES[game].seats[0])]
    open_tables()
    for version in versions:
        come(version)
    match = play_out(running()[0])
    writes = counting._writes(match.pk)
    with CaptureQueriesContext(connection) as made:
        count_here(match, *writes)
    found = [each["sql"] for each in made if not each["sql"].startswith(("BEGIN", "COMMIT"))]
    assert match.rated == "yes"
    assert len(found) <= MOST_STATEMENTS, found


VERSIONS = 6


class Ladder(RuleBasedStateMachine):
    """Versions that come, go, fall silent and return, in any order."""

    def __init__(self) -> None:
        super().__init__()
        for model in (Match, Room, Program):
            model.objects.all().delete()
        User.objects.filter(is_program=True).delete()
        owners = [AccountFactory() for _ in range(VERSIONS - 1)]
        owners.append(owners[0])
        self.versions = [
            version_of(owner, f"N{number} {owner.pk}", "checking" if number % 2 else "active")[0]
            for number, owner in enumerate(owners)
        ]

    version = st.integers(0, VERSIONS - 1)

    @rule(who=version, games=st.sampled_from([["mia"], ["mia", "coup"]]), most=st.integers(1, 3))
    def is_available(self, who: int, games: list[str], most: int) -> None:
        available(self.versions[who], games, most)

    @rule(who=version)
    def is_lost(self, who: int) -> None:
        ladder.lost(self.versions[who].user_id).result()

    @rule(who=version)
    def is_renewed(self, who: int) -> None:
        ladder.renew([self.versions[who].user_id]).result()

    @rule(seed=st.integers(0, 99))
    def tables_are_opened(self, seed: int) -> None:
        open_tables(seed)

    @rule(who=version)
    def comes(self, who: int) -> None:
        come(self.versions[who])

    @rule(who=version)
    def leaves(self, who: int) -> None:
        for seat in Member.objects.filter(user=self.versions[who].user, left_at=None):
            if seat.room.status in ("open", "playing"):
                rooms.leave(seat.room_id, self.versions[who].user_id).result()

    @rule()
    def matches_end(self) -> None:
        for match in running():
            play_out(match)

    @rule(seconds=st.sampled_from([1, 10, 60, 300]))
    def time_passes(self, seconds: int) -> None:
        let_pass(seconds)
        advance()
        assert not Room.objects.filter(ladder=True, status="finished", empty_since=None).exists()

    @rule(who=version)
    def owner_wakes_it(self, who: int) -> None:
        version = self.versions[who]
        if state_of(version) in ("failed", "resting"):
            programs.wake(version.program.owner_id, version.pk).result()

    @invariant()
    def never_too_many_tables(self) -> None:
        assert Room.objects.filter(ladder=True, status__in=ladder.RUNNING).count() <= 2

    @invariant()
    def nobody_meets_the_same_owner(self) -> None:
        for room in tables():
            seats = room.members.filter(user__isnull=False)
            owners = list(seats.values_list("user__program_version__program__owner", flat=True))
            assert len(owners) == len(set(owners))

    @invariant()
    def nobody_plays_at_more_tables_than_wanted(self) -> None:
        for user_id, found in ladder.playing([one.user_id for one in self.versions]).items():
            assert len(found) <= 3, user_id


@pytest.mark.slow
def test_any_order_of_events_keeps_the_rules() -> None:
    run_state_machine_as_test(
        Ladder,
        settings=settings(
            max_examples=15,
            stateful_step_count=25,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
