"""The reasons of a `hard` bot are stored with the match and shown once it is over."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from games import rooms
from games.contract.core import Decision, ReasoningBot
from games.contract.data import Seat, unpack
from games.contract.reasons import Reason
from games.engine import matches
from games.engine.memory import memory
from games.engine.snapshots import cache, load_snapshot
from games.mia.rules.state import Announce, Roll
from games.models import Match, Player
from games.pages import ending
from games.registry import GAMES
from games.tables import recap
from games.tables.loading import load
from tests.kit.acting import act, change_rules, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import as_user
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.django_db(transaction=True)

BLUFFED = Reason(
    key="bluff", gap=0.4, numbers={"called": 31}, words={"said": "5,4", "under": "3,2"}
)


def moves(match: Match, bot: Player, move: Any, reason: Reason | None = None) -> None:
    prompt = load_snapshot(match.pk).state.prompts[bot.seat]
    matches.bot_move(match.pk, Seat(bot.seat), prompt, move, reason).result()


@pytest.fixture
def person() -> User:
    return PersonFactory(name="Ann")


@pytest.fixture
def match(person: User) -> Match:
    """A match of Ann and a bot with one life each. Either the bot or Ann begins."""
    return start_match(open_table(person, bots=1, lives=1))


def played_out(match: Match, *reasons: Reason | None) -> Player:
    """Both roll. The second announces Mia, which ends the match. The bot gives these reasons."""
    given, at = iter(reasons), ("3,2", "2,1")
    for dice in at:
        player = on_turn(match)
        if player.bot:
            moves(match, player, Roll(), next(given))
            moves(match, player, Announce(dice), next(given))
        else:
            act(match, player, "Roll")
            act(match, player, "Announce", dice=dice)
    match.refresh_from_db()
    assert match.ended_at is not None
    return match.players.get(bot="random")


def told_at(match: Match, seat: Seat | None) -> list[str]:
    found = ending.region(load(match.room_id), seat)["recap"]
    return list(found["reasons"])


def forget(match: Match) -> None:
    """Drop the caches as a restart would: everything is read from the database again."""
    cache.evict(match.pk)
    memory.evict(match.room_id)
    recap._recaps.clear()


def test_clearest_reason_is_stored_and_shown_at_the_end(match: Match, person: User) -> None:
    sat = Seat(match.players.get(user_id=person.pk).seat)
    clear, clearer = (
        Reason(
            key="call",
            gap=gap,
            seats={"who": sat},
            numbers={"true": true, "beaten": 6},
            words={"said": "5,5"},
        )
        for gap, true in ((0.4, 31), (0.7, 12))
    )
    bot = played_out(match, clearer, clear)
    assert unpack(bot.reason, Reason) == clearer
    for _restart in range(2):
        (line,) = told_at(match, sat)
        assert "called your 5-5: by its reckoning that was true in 12% of cases" in line
        assert "called Ann's 5-5" in told_at(match, None)[0]
        forget(match)
    address = f"/matches/{match.pk}/"
    page = as_user(person).get(address).content.decode()
    assert "Why the bots played that way" in page
    assert "called your 5-5" in page
    assert "called Ann&#39;s 5-5" in as_user(PersonFactory()).get(address).content.decode()


def test_unknown_reason_is_omitted(match: Match) -> None:
    played_out(match, Reason(key="unheard of", gap=0.5), None)
    assert told_at(match, None) == []


def test_reason_is_hidden_while_the_match_runs(match: Match) -> None:
    player = on_turn(match)
    if not player.bot:
        act(match, player, "Roll")
        act(match, player, "Announce", dice="3,2")
        player = on_turn(match)
    moves(match, player, Roll(), BLUFFED)
    assert Player.objects.get(pk=player.pk).reason is not None
    assert load(match.room_id).recap is None
    assert ending.region(load(match.room_id), None) == {"outcome": None}


def test_reason_of_a_bot_moved_by_the_clock_is_stored(
    clock: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock moves a bot of a level that gives reasons."""
    plain = GAMES["mia"].bots.levels["random"]

    def decide(*asked: Any) -> Decision:
        return Decision(plain(*asked), BLUFFED)

    change_rules(monkeypatch, "mia", levels={"random": ReasoningBot(decide)})
    host = PersonFactory()
    room = open_table(host, bots=2, lives=1, onLeave="substitute")
    started = start_match(room)
    rooms.leave(room.pk, host.pk).result()
    wait_for(lambda: Match.objects.get(pk=started.pk).ended_at is not None)
    kept = started.players.exclude(reason=None).values_list("reason", flat=True)
    assert BLUFFED in [unpack(reason, Reason) for reason in kept]
