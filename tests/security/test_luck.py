"""An operator with the database open cannot choose the luck (docs/fairness.md).

The operator plays along with friends, knows the server's seed, and wants a certain deal: that the
first friend rolls a wished number first. At an honest table that happens once in six matches.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from math import sqrt

import pytest

from accounts.models import User
from games import rooms
from games.contract.luck import KeyedLuck
from games.contract.mixing import Share, list_of, seed_of_list, share_of
from games.engine import time_source
from games.engine.writer import command
from games.models import Match, Room
from games.rooms import members
from games.rooms import mixing as mixes
from games.rooms.hosting import start_by_server
from tests.kit import moderation_helpers
from tests.kit.factories import PersonFactory, open_table
from tests.kit.lucky import commit, committed, mixing, reveal, secret_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

STARTS = 120
WISH = 0
FAIR = 1 / 6

Attack = Callable[[Room, User, list[User]], None]


def wished(match: Match) -> bool:
    """Whether a match has the luck that the operator wishes for."""
    shares = [Share("", *one) for one in match.mixed["seats"]]
    return first_number(match.secret, match.mixed["list"], shares) == WISH


def first_number(server_seed: str, listed: str, shares: list[Share]) -> int:
    return KeyedLuck(seed_of_list(server_seed, listed, shares), {}).draw("wish", 6)


@command
def start(room_id: int) -> None:
    """Start the next match, without the limit for hosts."""
    start_by_server(members.room_of(room_id))


def last_share(room: Room, honest: User, friends: list[User]) -> None:
    """Choose the last share among many, knowing everything but the secret of the honest player.

    The operator guesses that secret, because no better guess is possible.
    """
    commit(room, honest)
    row, (friend, *_) = Room.objects.get(pk=room.pk), friends
    shown = committed(room.pk)
    seated = list(row.members.order_by("joined_at", "pk"))
    guess = secrets.token_hex(32)
    mine = ""
    for _ in range(30):
        mine = secrets.token_hex(32)
        known = {honest.pk: guess, friend.pk: mine}
        shares = [
            Share(m.name, share_of(shown, m.name, known[m.user_id]), known[m.user_id])
            if m.user_id in known
            else Share(m.name)
            for m in seated
        ]
        listed = list_of(shown, row.game, row.options, shares)
        if first_number(row.secret, listed, shares) == WISH:
            break
    member = row.members.get(user=friend)
    rooms.commit_luck(room.pk, friend.pk, shown, share_of(shown, member.name, mine)).result()
    start(room.pk).result()
    now = mixing(room)
    assert now is not None
    rooms.reveal_luck(room.pk, friend.pk, now.listed or "", mine).result()
    reveal(room, honest)


def silent_friends(room: Room, honest: User, friends: list[User]) -> None:
    """Let a friend withhold the secret whenever the deal would not be the wished one."""
    commit(room, honest, *friends)
    start(room.pk).result()
    for at in range(len(friends) + 1):
        left = friends[at:]
        reveal(room, honest)
        now, row = mixing(room), Room.objects.get(pk=room.pk)
        if now is None:
            return
        opened = {one.pk: secret_of(one, committed(room.pk)) for one in left}
        ids = dict(row.members.values_list("pk", "user_id"))
        shares = [
            Share(one.name, one.share, one.secret or opened.get(ids[one.member] or 0))
            for one in now.seats
        ]
        if left and first_number(row.secret, now.listed or "", shares) != WISH:
            reveal(room, *left[1:])
            Room.objects.filter(pk=room.pk).update(mixing_until=time_source.now())
            mixes.go_on(room.pk).result()
            commit(room, honest, *left[1:])
            continue
        reveal(room, *left)
        return


@pytest.mark.parametrize(
    ("attack", "friends", "most"),
    [(last_share, 1, FAIR), (silent_friends, 1, 1 - (1 - FAIR) ** 2)],
)
def test_operator_gets_no_more_than_promised(attack: Attack, friends: int, most: float) -> None:
    honest, *others = (PersonFactory() for _ in range(1 + friends))
    room = open_table(honest, *others, lives=1)
    got = 0
    for _ in range(STARTS):
        attack(room, honest, others)
        now = Room.objects.get(pk=room.pk)
        got += wished(Match.objects.get(pk=now.match_id))
        moderation_helpers.end_match(room.pk).result()
    assert got / STARTS <= most + 3 * sqrt(most * (1 - most) / STARTS)
