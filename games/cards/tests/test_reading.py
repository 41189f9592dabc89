"""Everybody reads the answers of a round before the clock of the vote starts."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from games import rooms
from games.cards.rules.state import PlayWhiteCards
from games.contract.core import Ignored
from games.contract.data import Seat
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.models import Act, Match, Member, Player
from games.pages.page import first_view
from games.rooms.dealing import deal_seen
from games.tables.loading import load
from tests.kit.acting import act, looks
from tests.kit.drawings import Drawing, drawing
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.later import moving_on

pytestmark = pytest.mark.django_db(transaction=True)

VOTE = 60
"""Seconds for the vote at normal pace."""


@pytest.fixture(autouse=True)
def _what_happens_is_shown(settings: Any) -> None:
    settings.BEATS = 1.0


def revealed(
    pages: int, programs: int = 0, bots: int = 0, **options: object
) -> tuple[Match, Drawing]:
    """Play a round up to the vote. Return the match, and what pages draw as the vote begins."""
    people = [PersonFactory() for _ in range(pages + programs)]
    room = open_table(*people, game="cards", bots=bots, **options)
    looks(room, *people[:pages])
    match = start_match(room)
    before = load(room.pk)
    for player in match.players.order_by("seat"):
        before = load(room.pk)
        seen, seat = load_snapshot(match.pk), Seat(player.seat)
        (asked,) = seen.game.rules.offers(seen.state, seat)
        some: Any = asked.args["cards"]
        cards = some.some[: some.least]
        if player.bot:
            prompt = seen.state.prompts[seat]
            matches.bot_move(match.pk, seat, prompt, PlayWhiteCards(cards)).result()
        else:
            act(match, player, asked.move, cards=list(cards))
    match.refresh_from_db()
    return match, drawing(before, match)


def reads(match: Match) -> float:
    """Return the seconds for reading. 0 means that the clock of the vote runs."""
    match.refresh_from_db()
    assert match.asked_at is not None
    assert match.deadline is not None
    if match.awaited_from is None:
        return 0.0
    assert match.asked_at == match.awaited_from
    return (
        match.awaited_from - Act.objects.filter(match=match).latest("number").at
    ).total_seconds()


def clock(match: Match) -> float:
    """Return the full time for the vote."""
    match.refresh_from_db()
    assert match.asked_at is not None
    assert match.deadline is not None
    return (match.deadline - match.asked_at).total_seconds()


def people(match: Match) -> list[int]:
    """Return the users who play, those with pages first."""
    members = Member.objects.filter(room=match.room_id, bot="", left_at=None).order_by("pk")
    return [one for one in members.values_list("user_id", flat=True) if one is not None]


def vote(match: Match, player: Player) -> None:
    seen = load_snapshot(match.pk)
    (asked,) = (o for o in seen.game.rules.offers(seen.state, player.seat) if o.move == "Vote")
    some: Any = asked.args["playId"]
    act(match, player, "Vote", playId=some.one_of[0])


@pytest.mark.parametrize(("players", "seconds"), [(3, 7.8), (5, 13), (8, 15)])
def test_answers_are_read_for_the_same_time_each(players: int, seconds: float) -> None:
    match, drawn = revealed(players)
    assert reads(match) >= seconds
    assert clock(match) == pytest.approx(VOTE)
    (beat,) = drawn.stages
    assert (beat["stage"], beat["ms"]) == ("reading", 1000 * seconds)
    starts = [at for at, _ in drawn.before]
    assert starts == [int(1000 * seconds * at / players) for at in range(players)]
    for at, (_, html) in enumerate(drawn.before, start=1):
        assert f"Answer {at} of {players}" in html
        assert html.count("<mark") >= 1
        assert "prompt-card" in html
    assert not drawn.told


def test_reading_shows_no_authors() -> None:
    match, drawn = revealed(4)
    html = "".join(html for _, html in drawn.before)
    assert not [one.name for one in match.players.all() if one.name in html]
    assert "data-s" not in html.replace("data-sound", "")
    assert "<img" not in html


@pytest.mark.parametrize("pace", ["fast", "bullet"])
def test_fast_tables_do_not_read(pace: str) -> None:
    match, drawn = revealed(3, pace=pace)
    assert not drawn.stages
    assert match.dealt is None


def test_reading_is_not_longer_at_a_relaxed_pace() -> None:
    _, drawn = revealed(3, pace="relaxed")
    assert [beat["ms"] for beat in drawn.stages] == [7800]


def test_nobody_reads_if_no_page_is_open() -> None:
    match, _ = revealed(0, programs=3)
    assert not reads(match)
    assert clock(match) == pytest.approx(VOTE)


def test_reading_ends_when_every_page_has_skipped() -> None:
    match, _ = revealed(2, programs=1)
    before = match.deadline
    deal_seen(match.room_id, people(match)[0]).result()
    assert reads(match)
    deal_seen(match.room_id, people(match)[1]).result()
    assert not reads(match)
    assert clock(match) == pytest.approx(VOTE)
    assert before is not None
    assert match.deadline is not None
    assert before > match.deadline
    with pytest.raises(Ignored):
        deal_seen(match.room_id, people(match)[0]).result()


def test_bots_think_from_the_end_of_the_reading(settings: Any) -> None:
    settings.BOT_DELAY = (4, 4)
    match, _ = revealed(1, bots=2)
    begins = []
    for _ in range(2):
        match.refresh_from_db()
        assert match.asked_at is not None
        begins.append(match.asked_at.timestamp())
        due = [at for _, at in match.plans.values()]
        assert due == [pytest.approx(begins[-1] + 4)] * 2
        if len(begins) == 1:
            deal_seen(match.room_id, people(match)[0]).result()
    assert begins[0] - begins[1] == pytest.approx(7.8, abs=2)


def test_programs_may_vote_while_others_read() -> None:
    match, _ = revealed(2, programs=1)
    ends = match.awaited_from
    vote(match, match.players.get(user=people(match)[2]))
    match.refresh_from_db()
    assert match.awaited_from == ends
    for at in (0, 1):
        deal_seen(match.room_id, people(match)[at]).result()
    assert not reads(match)


def test_absent_player_counts_as_having_read() -> None:
    match, _ = revealed(2, programs=1)
    deal_seen(match.room_id, people(match)[0]).result()
    away = Member.objects.get(user=people(match)[1], left_at=None)
    rooms.gone_away([away.pk]).result()
    assert not reads(match)


def test_nothing_waits_for_readers_after_the_reading() -> None:
    match, _ = revealed(3)
    with moving_on() as pass_:
        pass_(timedelta(seconds=30))
        with pytest.raises(Ignored):
            deal_seen(match.room_id, people(match)[0]).result()


def test_page_loaded_while_others_read_shows_the_vote() -> None:
    match, _ = revealed(3)
    page = dict(first_view(match.room, people(match)[0], "en"))
    assert "ballot" in page["board"]
    assert "act-vote" in page["actions"]
