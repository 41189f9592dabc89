"""Players can look at their role for up to 20 s before the first question."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from games import rooms
from games.contract.core import Ignored
from games.engine import grace, matches
from games.engine.snapshots import load_snapshot
from games.models import Match, Member
from games.pages.page import first_view
from games.rooms.dealing import deal_seen
from tests.kit.acting import looks, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _what_happens_is_shown(settings: Any) -> None:
    settings.BEATS = 1.0


def dealt(pages: int, programs: int = 0, **options: object) -> Match:
    """A match of five: human players with a page or with a program, and bots."""
    people = [PersonFactory() for _ in range(pages + programs)]
    room = open_table(*people, game="secret_hitler", bots=5 - len(people), **options)
    looks(room, *people[:pages])
    return start_match(room)


def with_page(match: Match) -> list[int]:
    """Return the players who have a page open."""
    here = Member.objects.filter(room=match.room_id, at_page=True).order_by("pk")
    return [person for person in here.values_list("user_id", flat=True) if person is not None]


def waits(match: Match) -> float:
    """Return the seconds left to look at roles. 0: the first question is open."""
    match.refresh_from_db()
    if match.dealt is None:
        return 0.0
    assert match.awaited_from is not None
    assert match.deadline is not None
    assert match.asked_at == match.awaited_from  # its full time starts then
    return (match.awaited_from - match.started_at).total_seconds()


def on_page(match: Match) -> dict[str, str]:
    """Return the regions of this player's page."""
    return dict(first_view(match.room, with_page(match)[0], "en"))


def test_first_prompt_opens_when_everybody_with_a_page_has_looked() -> None:
    match = dealt(pages=2, programs=1)
    assert waits(match) == pytest.approx(20, abs=1)
    assert "3 of 5 have looked" in on_page(match)["board"]
    assert "<form" not in on_page(match)["actions"]
    before = match.deadline
    deal_seen(match.room_id, with_page(match)[0]).result()
    assert waits(match)
    assert "4 of 5 have looked" in on_page(match)["board"]
    deal_seen(match.room_id, with_page(match)[1]).result()
    assert not waits(match)
    assert "have looked" not in on_page(match)["board"]
    assert before is not None
    assert match.deadline is not None
    assert before > match.deadline
    assert all(due < match.deadline.timestamp() for _, due in match.plans.values())


@pytest.mark.parametrize(("pace", "most"), [("relaxed", 20), ("fast", 10), ("bullet", 4)])
def test_dealing_lasts_at_most_twenty_seconds(pace: str, most: float) -> None:
    assert waits(dealt(pages=5, pace=pace)) == pytest.approx(most, abs=1)


def test_dealing_is_skipped_if_no_page_is_open() -> None:
    match = dealt(pages=0, programs=5)
    assert not waits(match)
    assert match.awaited_from is None


def test_dealing_ends_on_timeout_even_after_a_restart() -> None:
    match = dealt(pages=5)
    with pytest.raises(Ignored):
        rooms.deal_is_over(match.pk).result()
    row = load_snapshot(match.pk).row
    assert row.wake_at == row.awaited_from
    grace.put_off(timedelta(seconds=-30), row.started_at)  # as a stop and restart does
    rooms.deal_is_over(match.pk).result()
    assert not waits(match)


def test_absent_player_counts_as_having_looked() -> None:
    match = dealt(pages=2, programs=3)
    deal_seen(match.room_id, with_page(match)[0]).result()
    away = Member.objects.get(user=with_page(match)[1], left_at=None)
    rooms.gone_away([away.pk]).result()
    assert not waits(match)


def test_move_by_a_program_ends_the_dealing() -> None:
    match = dealt(pages=5)
    candidate = on_turn(match)
    chancellor = match.players.exclude(pk=candidate.pk).first()
    assert chancellor is not None
    nomination = {"type": "ChancellorNomination", "player": chancellor.name}
    matches.move(match.room_id, candidate.user_id, nomination, None).result()
    assert "have looked" not in on_page(match)["board"]
