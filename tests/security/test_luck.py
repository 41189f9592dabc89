"""An operator with the database open cannot choose the luck (docs/fairness.md).

The operator plays along with friends, knows everything but the secret of one honest player, and
wishes for a deal. At honest tables, a wish comes true as often as its `fair` says.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from random import Random
from typing import Any

import pytest

from games import rooms
from games.contract.data import pack
from games.contract.luck import KeyedLuck, Luck, commitment
from games.contract.mixing import Share, list_of, seed_of_list, share_of
from games.engine import fairness, time_source
from games.engine.snapshots import load_snapshot, luck_of
from games.engine.writer import command
from games.models import Match, Room
from games.registry import GAMES
from games.rooms import members
from games.rooms import mixing as mixes
from games.rooms.hosting import start_by_server
from parlour_client import luck as programs
from tests.kit import moderation_helpers
from tests.kit.factories import PersonFactory, open_table
from tests.kit.lucky import commit, committed, mixing, reveal, secret_of

TRIES = 30
"""Maximum number of secrets or lists that the operator tries for one deal."""


@dataclass(frozen=True)
class Wish:
    """A deal that the operator would like to see."""

    game: str
    seats: int
    fair: float
    is_dealt: Callable[[Any], bool]
    """Whether the state of a match grants the wish."""

    def comes_true(self, seed: bytes) -> bool:
        """Whether this seed grants the wish, by the rules of the game."""
        rules = GAMES[self.game].rules
        options = rules.stock(rules.options(), lambda name: None)
        return self.is_dealt(rules.setup(self.seats, options, KeyedLuck(seed, {})).state)


HITLER = Wish("secret_hitler", 7, 1 / 7, lambda state: state.roles[0] == "hitler")
PAIR = Wish(
    "coup",
    4,
    9 / 105,  # three cards of each role among fifteen
    lambda state: {card.role for card in state.hands[0]} == {"baelish", "jaqen"},
)
WISHES = [pytest.param(HITLER, id="hitler"), pytest.param(PAIR, id="pair")]


def at_most(deals: int, fair: float) -> float:
    """Return the chance of getting the wish if the operator chooses the best of several deals."""
    return 1 - (1 - fair) ** deals


def assert_near(came_true: int, runs: int, chance: float, deviations: int = 3) -> None:
    """Check that a wish came true as often as it should, within some standard deviations."""
    assert abs(came_true / runs - chance) <= deviations * sqrt(chance * (1 - chance) / runs)


class Operator:
    """A server that does what it likes, for a table with friends and one honest program.

    The last seat is the honest one. Seats without a share are those of silent friends.
    """

    def __init__(self, wish: Wish, dice: Random, friends: int = 1) -> None:
        self.wish, self.dice = wish, dice
        self.names = [f"Friend {at}" for at in range(wish.seats - 1)] + ["Honest"]
        self.friends = self.names[:friends]
        self.honest = programs.Luck()
        self.options = pack(GAMES[wish.game].rules.options())
        self.draw_seed()

    def draw_seed(self) -> None:
        """Commit to another seed, and get the share of the honest program."""
        self.seed = self.dice.randbytes(32).hex()
        (sent,) = self.look()
        self.honest.confirmed(sent)
        self.share: str = sent["share"]

    def look(self, mixing: Any = None) -> list[Any]:
        """Show the table to the honest program, and return what it sends."""
        shown = {"commitment": commitment(bytes.fromhex(self.seed))}
        data = {"status": "open", "gameId": "1", "fairness": shown, "game": self.wish.game}
        more = {} if mixing is None else {"mixing": mixing}
        return list(self.honest.answers({**data, "options": self.options, **more}, "Honest"))

    def secrets(self) -> dict[str, str]:
        """Return new secrets of the friends who still add to the luck."""
        return {name: self.dice.randbytes(32).hex() for name in self.friends}

    def seats(self, secrets: dict[str, str], honest: str | None = None) -> list[Share]:
        """Return all seats, with the secrets of the friends, and maybe that of the honest seat."""
        shown = commitment(bytes.fromhex(self.seed))
        return [
            Share(name, self.share, honest)
            if name == "Honest"
            else Share(name, share_of(shown, name, secrets[name]), secrets[name])
            if name in secrets
            else Share(name)
            for name in self.names
        ]

    def listed(self, seats: Sequence[Share]) -> str:
        shown = commitment(bytes.fromhex(self.seed))
        return list_of(shown, self.wish.game, self.options, seats)

    def opened(self, seats: Sequence[Share]) -> str | None:
        """Return the secret with which the honest program opens its share, or None."""
        rows = [{"username": one.username, "share": one.share} for one in seats]
        sent = self.look({"list": self.listed(seats), "seats": rows})
        return sent[0]["secret"] if sent else None

    def grants(self, seats: Sequence[Share]) -> bool:
        return self.wish.comes_true(seed_of_list(self.seed, self.listed(seats), seats))


def last_share(operator: Operator) -> bool:
    """Choose the share of a friend last. For the honest secret, no guess is better than another."""
    guess = operator.dice.randbytes(32).hex()
    for _ in range(TRIES):
        secrets = operator.secrets()
        if operator.grants(operator.seats(secrets, guess)):
            break
    honest = operator.opened(operator.seats(secrets))
    return operator.grants(operator.seats(secrets, honest))


def silent_friends(operator: Operator) -> bool:
    """Let a friend not answer whenever the deal would not be the wished one."""
    while True:
        secrets = operator.secrets()
        honest = operator.opened(operator.seats(secrets))
        seats = operator.seats(secrets, honest)
        if operator.grants(seats) or not operator.friends:
            return operator.grants(seats)
        silent = operator.friends.pop()
        operator.honest.voided({"list": operator.listed(seats), "missing": [silent]})
        operator.draw_seed()


def second_list(operator: Operator) -> bool:
    """Show other lists for the same commitment, once the honest secret is known."""
    secrets = operator.secrets()
    honest = operator.opened(operator.seats(secrets))
    for _ in range(TRIES):
        other = operator.secrets()
        if operator.grants(operator.seats(other, honest)):
            if operator.opened(operator.seats(other)) is not None:
                return True
            break
    return operator.grants(operator.seats(secrets, honest))


class Gullible(programs.Luck):
    """A program that opens its share for every list."""

    def answers(self, data: Any, me: str | None) -> Iterator[Any]:
        for part in self._parts.values():
            part.listed, part.is_sent = None, "mixing" not in data and part.is_sent
        return super().answers(data, me)


@pytest.fixture
def steady(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    """Make the honest secrets the same in every run of a test. Warnings are not shown."""
    dice = Random(1)
    monkeypatch.setattr(programs.secrets, "token_hex", lambda size: dice.randbytes(size).hex())
    caplog.set_level(logging.ERROR, "parlour_client")


@pytest.fixture(params=[200, pytest.param(2500, marks=pytest.mark.slow)])
def runs(request: pytest.FixtureRequest, steady: None) -> int:
    """The number of deals."""
    return int(request.param)


def came_true(attack: Callable[[Operator], bool], wish: Wish, runs: int, **more: Any) -> int:
    dice = Random(2)
    return sum(attack(Operator(wish, dice, **more)) for _ in range(runs))


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("attack", [last_share, second_list])
def test_operator_cannot_choose(wish: Wish, attack: Callable[[Operator], bool], runs: int) -> None:
    assert_near(came_true(attack, wish, runs), runs, wish.fair)


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("friends", [1, 2, 3])
def test_each_silent_friend_gives_one_more_deal(wish: Wish, friends: int, runs: int) -> None:
    found = came_true(silent_friends, wish, runs, friends=friends)
    assert_near(found, runs, at_most(friends + 1, wish.fair))


def test_second_list_would_choose_if_programs_opened_their_shares_for_it(
    steady: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(programs, "Luck", Gullible)
    assert came_true(second_list, HITLER, 50) > 50 * 0.9


@pytest.mark.parametrize("empty", [1, 3, 10, 30])
def test_acts_without_draws_change_no_roll(empty: int, runs: int) -> None:
    """The operator may slip in acts before a friend rolls, and wishes for Mia."""
    dice, first, second = Random(3), 0, 0
    mixed = Match(game="mia", mixed={})
    for _ in range(runs):
        seed, acts = dice.randbytes(32), range(9, 9 + empty + 1)
        first += any(_is_mia(luck_of(Match(game="mia"), seed, at, {})) for at in acts)
        second += any(_is_mia(luck_of(mixed, seed, at, {"die": 8})) for at in acts)
    assert_near(second, runs, 2 / 36)
    assert_near(first, runs, at_most(empty + 1, 2 / 36))  # in version 1, it would


def _is_mia(luck: Luck) -> bool:
    return {luck.draw("die", 6), luck.draw("die", 6)} == {0, 1}


class Table:
    """The same at a real table: rows, commands and matches of the server, and an honest page.

    Friends send what the operator wants, and the operator reads the database.
    """

    def __init__(self, wish: Wish, friends: int) -> None:
        self.wish = wish
        self.friends = [PersonFactory() for _ in range(friends)]
        self.honest = PersonFactory()
        bots = wish.seats - friends - 1
        self.room = open_table(*self.friends, self.honest, game=wish.game, bots=bots)

    def row(self) -> Room:
        return Room.objects.get(pk=self.room.pk)

    def grants(self, secrets: dict[str, str], seats: Sequence[Share], listed: str) -> bool:
        """Whether the wish comes true with these secrets."""
        answers = [
            one._replace(secret=secrets[one.username] if one.share else None) for one in seats
        ]
        return self.wish.comes_true(seed_of_list(self.row().secret, listed, answers))

    def match(self) -> bool:
        """End the match. Return whether the wish came true in it."""
        match = load_snapshot(self.row().match_id or 0)
        moderation_helpers.end_match(self.room.pk).result()
        return self.wish.is_dealt(match.state)


@command
def start(room_id: int) -> None:
    """Start the next match, without the limit for hosts."""
    start_by_server(members.room_of(room_id))


def last_share_at_a_table(table: Table) -> bool:
    room, (friend, *_) = table.row(), table.friends
    commit(room, table.honest)
    shown, guess = committed(room.pk), Random(4).randbytes(32).hex()
    seated = list(members.players_now(room))
    share = room.members.get(user=table.honest).share
    for at in range(TRIES):
        mine = Random(f"{shown} {at}").randbytes(32).hex()
        mine_share = share_of(shown, str(friend), mine)
        shares = {str(friend): mine_share, str(table.honest): share}
        seats = [Share(one.name, shares.get(one.name)) for one in seated]
        listed = fairness.listed(room, seats)
        if table.grants({str(friend): mine, str(table.honest): guess}, seats, listed):
            break
    rooms.commit_luck(room.pk, friend.pk, shown, mine_share).result()
    start(room.pk).result()
    now = mixing(room)
    assert now is not None
    assert now.listed == listed
    rooms.reveal_luck(room.pk, friend.pk, listed, mine).result()
    reveal(room, table.honest)
    return table.match()


def silent_friends_at_a_table(table: Table) -> bool:
    room, adding, named = table.row(), [*table.friends], list[str]()
    commit(room, table.honest, *adding)
    start(room.pk).result()
    while (now := mixing(room)) is not None:
        assert now.listed is not None
        secrets = {str(one): secret_of(one, committed(room.pk)) for one in (table.honest, *adding)}
        seats = [Share(one.name, one.share) for one in now.seats]
        if table.grants(secrets, seats, now.listed) or not adding:
            reveal(room, table.honest, *adding)
            break
        named.append(str(adding.pop()))
        reveal(room, table.honest, *adding)
        Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())
        mixes.go_on(room.pk).result()
        commit(room, table.honest, *adding)
        told = [name for void in mixes.mixing_of(table.row()).voids for name in void.missing]
        assert told == named, "every friend who does not answer is named"
        if mixes.has_failed(table.row()):
            start(room.pk).result()  # a fourth deal takes another start
    return table.match()


STARTS = 60
REAL = [(last_share_at_a_table, 1, 1), *((silent_friends_at_a_table, k, k + 1) for k in (1, 2, 3))]


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize(("attack", "friends", "deals"), REAL)
def test_real_server_gives_no_more(
    wish: Wish, attack: Callable[[Table], bool], friends: int, deals: int
) -> None:
    table, chance = Table(wish, friends), at_most(deals, wish.fair)
    found = sum(attack(table) for _ in range(STARTS))
    assert_near(found, STARTS, chance, deviations=4)  # seeds differ in every run of this test
