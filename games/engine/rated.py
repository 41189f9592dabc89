"""Which matches are rated, and why others are not (docs/ratings.md).

A match is rated if its table is (`Room.rated`) and none of the reasons below applies. The reason is
stored in `Match.rated` when the match begins, or when it is counted.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import timedelta
from itertools import combinations
from typing import Any

from django.conf import settings
from django.utils import timezone

from accounts.models import User
from games.contract.data import pack
from games.contract.game import AnyGame
from games.engine.table_policy import policy_of
from games.models import Match, Member, Player, Pool, Room

YES, OFF, VOID = "yes", "off", "void"
NEW_FOR = timedelta(days=1)
"""Minimum age of accounts that play rated matches."""
REPEAT_IN = timedelta(days=30)
MOST_REPEATS = 3
"""Maximum rated matches between two people within REPEAT_IN, if ratings are public."""
LEAST_IN_PUBLIC = 3
"""Minimum players of a rated match at a public table, if ratings are public."""
FREE = frozenset({"pace", "onLeave", "idleKick", "chat", "spectators", "keepWarm"})
"""Options of every game that may differ from their defaults, as they are stored."""
SLOW = {"day", "days", "none"}


def is_offered(room: Room) -> bool:
    """Whether matches at this table could be rated, if the host wants it."""
    policy = policy_of(room)
    return settings.RATED != OFF and policy.archived and policy.pool == Pool.PEOPLE


def may_ask(room: Room, host: User) -> bool:
    """Whether this host may have the matches of the table rated."""
    return is_offered(room) and not host.is_guest and (room.rated or is_open_enough(room))


def may_seek(user: User | None) -> bool:
    """Whether this user may look for rated quick matches."""
    if settings.RATED == OFF or user is None or user.is_guest or user.is_program:
        return False
    return not _is_new(user)


def is_open_enough(room: Room) -> bool:
    """Whether hosts may have a table with this visibility rated. Tables of quick matches always
    may be (`games.rooms.seeking`).
    """
    listed = room.visibility == Room.Visibility.PUBLIC and not room.password
    return settings.RATED != "public" or listed


def rated_or_why_not(
    room: Room, game: AnyGame, players: Sequence[Member], lesson: bool = False, timed: bool = False
) -> str:
    """Return `yes`, or the code of the first reason why the next match will not be rated.

    `players` are members with their users. `timed` means that the table sets its own time limit.
    """
    if not (room.rated and is_offered(room)):
        return OFF
    people = [member.user for member in players if member.user is not None]
    options = {**pack(game.rules.options()), **room.options}
    reasons = {
        "lesson": lesson,
        "bot": len(people) < len(players) or any(user.is_program for user in people),
        "guest": any(user.is_guest for user in people),
        "new": any(map(_is_new, people)),
        "options": not _are_usual(game, options),
        "slow": timed or options["pace"] in SLOW,
        "few": settings.RATED == "public"
        and room.visibility == Room.Visibility.PUBLIC
        and len(players) < LEAST_IN_PUBLIC,
    }
    return next((code for code, holds in reasons.items() if holds), YES)


def decide(room: Room, players: Sequence[Member], game: AnyGame, lesson: bool, timed: bool) -> str:
    """Return `Match.rated` for a match that begins now. One or two statements, if the table is
    rated.

    On the ladder, all matches without built-in bots are rated.
    """
    if policy_of(room).pool == Pool.PROGRAMS:
        return "bot" if any(member.bot for member in players) else YES
    if not (room.rated and is_offered(room)):
        return OFF
    users = User.objects.in_bulk([member.user_id for member in players if member.user_id])
    for member in players:
        member.user = users.get(member.user_id or 0)
    found = rated_or_why_not(room, game, players, lesson, timed)
    return "repeat" if found == YES and _is_repeat(users) else found


def in_the_end(match: Match, players: Sequence[Player]) -> str:
    """Return `Match.rated` for a match that is over: `yes`, or why it is not rated after all."""
    if match.rated != YES:
        return match.rated
    if match.outcome is None or any(player.place is None for player in players):
        return "stopped"
    return "given" if any(player.given_at is not None for player in players) else YES


def _is_new(user: User) -> bool:
    return timezone.now() - user.date_joined < NEW_FOR


def _are_usual(game: AnyGame, options: Mapping[str, Any]) -> bool:
    """Whether all options that matter have their default values."""
    usual, free = pack(game.rules.options()), FREE | game.rules.free_options
    return all(options[name] == usual[name] for name in usual if name not in free)


def _is_repeat(users: Mapping[int, User]) -> bool:
    """Whether two of these people have played too many rated matches together lately."""
    if settings.RATED != "public":
        return False
    since = timezone.now() - REPEAT_IN
    together = Player.objects.filter(
        user__in=users, match__rated=YES, match__ended_at__gte=since
    ).values_list("match", "user")
    by_match = defaultdict(list)
    for match, user in together:
        by_match[match].append(user)
    met = Counter(pair for seated in by_match.values() for pair in combinations(sorted(seated), 2))
    return any(count >= MOST_REPEATS for count in met.values())
