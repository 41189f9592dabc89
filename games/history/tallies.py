"""Statistics of players: what they have done in all their finished matches (`PlayerStat`).

The rows of a match are added in the transaction that numbers it (`games.history.counting`). If a
user's seats change hands afterwards, all rows of the user are computed again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from django.db.models import QuerySet

from accounts.models import User
from games.contract.data import Seat
from games.contract.tally import Feat
from games.engine.rated import VOID
from games.engine.snapshots import MatchSnapshot, Parked, decode_snapshot, told_in
from games.engine.writer import command
from games.models import Act, Counter, Match, Player, PlayerStat, Recount

log = logging.getLogger(__name__)

PLAYED, PLACES = "played", ("place1", "place2", "place3")
"""Keys that every game has: matches, and first to third places."""
UNIQUE = ("user", "game", "key")
VALUES = ("count", "best", "best_match", "best_version")


class Number(NamedTuple):
    """The count of a key, and the greatest feat in it: its size, match and version."""

    total: int
    best: tuple[int, int, int]

    def plus(self, other: Number | None) -> Number:
        """Return the sum. If two feats are equally great, the later one is kept."""
        if other is None:
            return self
        return Number(self.total + other.total, max(self.best, other.best))


Key = tuple[int, str, str]
"""A user's id, a game and a key."""
Numbers = Mapping[Key, Number]


def finished(match_id: int) -> MatchSnapshot:
    """Return a finished match with the places of its players, which cached snapshots lack.

    Raise Parked if it cannot be read.
    """
    return decode_snapshot(Match.objects.get(pk=match_id))


def part(match: MatchSnapshot) -> partial[None]:
    """Compute what a match adds to the statistics of its players (`counting.PARTS`)."""
    return partial(add, numbers_of(match))


def numbers_of(match: MatchSnapshot) -> Numbers:
    """Return what a match adds to the statistics of its players.

    Lessons, void matches, matches without a result, bots and seats that a bot has taken over add
    nothing.
    """
    if match.row.lesson or match.row.rated == VOID:
        return {}
    seats = {
        Seat(player.seat): player
        for player in match.players
        if player.user_id is not None and player.place is not None and not player.substitute
    }
    found: dict[Key, Number] = {}
    for feat in (*_results(match, seats), *(_feats(match) if seats else ())):
        player = seats.get(feat.seat)
        if player is not None and feat.at > (player.given_at or 0):
            assert player.user_id is not None
            key = (player.user_id, match.game.slug, feat.key)
            found[key] = Number(feat.n, (feat.size, match.row.pk, feat.at)).plus(found.get(key))
    return found


def add(numbers: Numbers) -> None:
    """Add these numbers to the rows. Call it in the writer."""
    if not numbers:
        return
    users, games = {user for user, _, _ in numbers}, {game for _, game, _ in numbers}
    kept = _rows(PlayerStat.objects.filter(user__in=users, game__in=games))
    _save({key: number.plus(kept.get(key)) for key, number in numbers.items()})


def ask_recount(user_id: int) -> None:
    """Have the statistics of a user computed again soon. Call it in the writer."""
    Recount.objects.get_or_create(user_id=user_id)


def asked() -> Iterator[int]:
    """Yield the users whose statistics must be computed again."""
    while user := Recount.objects.order_by("pk").values_list("user_id", flat=True).first():
        yield user


def people() -> list[int]:
    """Return the users who have statistics, or should have some."""
    seats = Player.objects.filter(user__isnull=False, place__isnull=False)
    played = seats.values_list("user", flat=True)
    return sorted({*played.distinct(), *PlayerStat.objects.values_list("user", flat=True)})


def recount(user_id: int) -> int:
    """Compute the statistics of a user from all their matches. Return how many rows were wrong.

    Keep those of a program as they are if acts of its matches have been deleted. Do not call it in
    an event loop or in the writer.
    """
    if Player.objects.filter(user=user_id, match__pruned=True).exists():
        _forget(user_id).result()
        return 0
    while True:
        counted = Counter.last(Counter.MATCHES)
        changed: int | None = replace(user_id, _of_user(user_id), counted).result()
        if changed is not None:
            return changed


@command
def _forget(user_id: int) -> None:
    """Cancel the pending recount of the statistics of a user."""
    Recount.objects.filter(user=user_id).delete()


@command
def replace(user_id: int, numbers: Numbers, counted: int) -> int | None:
    """Store these numbers as all statistics of a user. Return how many rows were wrong.

    Return None if matches have been counted since the numbers were computed.
    """
    if Counter.last(Counter.MATCHES, lock=True) != counted:
        return None
    Recount.objects.filter(user=user_id).delete()
    kept = _rows(PlayerStat.objects.filter(user=user_id))
    wrong = {key: number for key, number in numbers.items() if kept.get(key) != number}
    for _user, game, key in (gone := kept.keys() - numbers.keys()):
        PlayerStat.objects.filter(user=user_id, game=game, key=key).delete()
    if User.objects.filter(pk=user_id).exists():
        _save(wrong)
    return len(wrong) + len(gone)


def _of_user(user_id: int) -> Numbers:
    """Compute the numbers of a user from the log of every match that was counted."""
    found: dict[Key, Number] = {}
    seats = Player.objects.filter(user=user_id, match__counted_at__isnull=False)
    for match_id in seats.filter(place__isnull=False).values_list("match", flat=True):
        try:
            match = finished(match_id)
        except Parked:  # it could not be counted, either
            continue
        for key, number in numbers_of(match).items():
            if key[0] == user_id:
                found[key] = number.plus(found.get(key))
    return found


def _results(match: MatchSnapshot, seats: Mapping[Seat, Player]) -> Iterator[Feat]:
    """Yield the match and its places as feats. A place at a larger table is the greater one."""
    end = match.row.version
    for seat, player in seats.items():
        yield Feat(seat, PLAYED, end)
        if player.place is not None and player.place <= len(PLACES):
            yield Feat(seat, PLACES[player.place - 1], end, size=len(match.players))


def _feats(match: MatchSnapshot) -> list[Feat]:
    """Return what the game counts in a match, with the numbers of acts instead of indexes."""
    tally = match.game.telling.tally
    if tally is None:
        return []
    acts = list(
        Act.objects.filter(match=match.row).order_by("number").values_list("number", "told")
    )
    try:
        told = [(number, each) for number, some in acts for each in told_in(match.game, some)]
        feats = tally.feats(match.state, [each for _number, each in told])
        return [feat._replace(at=told[feat.at][0]) for feat in feats]
    except Exception:  # an older version of the rules may have written it
        log.exception("match %s has no tally", match.row.pk)
        return []


def _rows(found: QuerySet[PlayerStat]) -> Numbers:
    rows = found.values_list(*UNIQUE, *VALUES)
    return {
        (user, game, key): Number(count, (best, match or 0, version))
        for user, game, key, count, best, match, version in rows
    }


def _save(numbers: Numbers) -> None:
    """Insert or update these rows, with one statement for 140 rows."""
    rows = [
        PlayerStat(
            **dict(zip(("user_id", "game", "key"), key, strict=True)),
            count=number.total,
            best=number.best[0],
            best_match_id=number.best[1] or None,
            best_version=number.best[2],
        )
        for key, number in sorted(numbers.items())
    ]
    PlayerStat.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=UNIQUE, update_fields=VALUES
    )
