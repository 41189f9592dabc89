"""A database as large as that of a busy server after years, with matches that nobody has played."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from itertools import islice
from random import Random
from typing import Any

from django.db import connection, models
from django.utils import timezone

from accounts.likeness import login_key
from accounts.models import Follow, User
from chat.models import Message
from games.contract.data import pack
from games.engine.catalogs import finder, suited
from games.engine.options import read_options
from games.engine.rated import YES
from games.history.tallies import PLACES, PLAYED
from games.models import (
    Counter,
    Match,
    Member,
    Player,
    PlayerStat,
    Pool,
    Program,
    ProgramVersion,
    Rating,
    RatingChange,
    Room,
)
from games.models.rooms import CODE_LETTERS
from games.registry import GAMES
from games.tables.report_reasons import REASONS
from moderation.models import Report

ACCOUNTS, MATCHES = 10_000, 100_000
SEATS = 4
BUSY = "u0"
"""User name of an account that has played one match in ten, and follows as many as it may."""
PROGRAMS, TABLES = 200, 20
"""Programs on the ladder, and its tables that are being played."""
OPEN = 1_000
"""Public tables that wait for players."""
MESSAGES, REPORTS, UNDECIDED = 100_000, 10_000, 500
STAFF = "staff"
"""User name of a superuser."""
STATE = "x" * 3_000
"""A state of usual size."""
AT_ONCE = 1_000


def fill(accounts: int = ACCOUNTS, matches: int = MATCHES) -> None:
    """Fill an empty database."""
    luck, now = Random(1), timezone.now()
    _save(User, _users(accounts))
    ids = list(User.objects.order_by("pk").values_list("pk", flat=True))
    _save(
        Room,
        (
            Room(game=_game(at), code=_code(at), visibility="public", status="closed")
            for at in range(matches // 10)
        ),
    )
    rooms = list(Room.objects.order_by("pk").values_list("pk", flat=True))
    options = {
        slug: pack(read_options(game, suited(game, "en"), finder(game, None)))
        for slug, game in GAMES.items()
    }
    _save(
        Match,
        (
            Match(
                id=at,
                no=at,
                room_id=rooms[at % len(rooms)],
                game=_game(at),
                game_version=GAMES[_game(at)].rules.version,
                options=options[_game(at)],
                nonces=[],
                secret="ab" * 32,
                state=STATE,
                outcome={},
                public=at % 5 != 0,
                revealed=True,
                rated=YES if at % 20 == 0 or at % 19 == 0 else "bot",
                started_at=now - timedelta(minutes=matches - at + 10),
                ended_at=now - timedelta(minutes=matches - at),
                counted_at=now,
            )
            for at in range(1, matches + 1)
        ),
    )
    _save(Player, _players(ids, matches, luck))
    _save(
        RatingChange,
        (
            RatingChange(match_id=at, seat=seat, mu_before=25, sigma_before=8, mu=26, sigma=7.9)
            for at in range(1, matches + 1)
            if at % 20 == 0 or at % 19 == 0
            for seat in range(SEATS)
        ),
    )
    _save(Rating, _ratings(ids, Pool.PEOPLE, luck))
    _save(PlayerStat, _statistics(ids[0], matches))
    _save(Follow, (Follow(user_id=ids[0], other_id=other) for other in ids[1:201]))
    Counter.objects.create(name=Counter.MATCHES, value=matches)
    _fill_ladder(ids, matches, luck)
    _fill_office(ids, rooms)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def _save(model: type[models.Model], rows: Iterator[Any]) -> None:
    while some := list(islice(rows, AT_ONCE)):
        model._default_manager.bulk_create(some)


def _game(at: int) -> str:
    return list(GAMES)[at % len(GAMES)]


def _code(number: int) -> str:
    """Return a different code for each number. Random codes would collide."""
    base = len(CODE_LETTERS)
    return "".join(CODE_LETTERS[number // base**power % base] for power in range(5))


def _fill_office(ids: list[int], rooms: list[int]) -> None:
    """Add what the front page and the back office list: open tables, messages and reports."""
    User.objects.create_superuser(STAFF)
    now = timezone.now()
    _save(
        Room,
        (
            Room(game=_game(at), code=_code(1_000_000 + at), visibility="public")
            for at in range(OPEN)
        ),
    )
    opened = Room.objects.filter(status=Room.Status.OPEN).order_by("pk")
    _save(
        Member,
        (
            Member(room=room, user_id=ids[at], name=f"P{at}", key=str(at))
            for at, room in enumerate(opened)
        ),
    )
    _save(
        Message,
        (
            Message(
                thread=f"room-{at % len(rooms)}",
                author_id=ids[at % len(ids)],
                name="P",
                text="hello",
            )
            for at in range(MESSAGES)
        ),
    )
    _save(
        Report,
        (
            Report(
                kind=Report.Kind.NAME,
                reason=next(iter(REASONS)),
                what=f"P{at}",
                by_id=ids[at % 100],
                by_name=f"P{at % 100}",
                about_id=ids[at % len(ids)],
                about_name=f"P{at}",
                decided_at=None if at < UNDECIDED else now,
                decision="" if at < UNDECIDED else "warn",
            )
            for at in range(REPORTS)
        ),
    )


def _users(count: int) -> Iterator[User]:
    for number in range(count):
        name = f"u{number}"
        yield User(
            username=name,
            name=f"Person {number}",
            login_key=login_key(name),
            shown_login_key=login_key(f"Person {number}"),
            lists_matches=True,
            seen_by=User.SeenBy.FOLLOWERS,
        )


def _players(ids: list[int], matches: int, luck: Random) -> Iterator[Player]:
    for at in range(1, matches + 1):
        seated = luck.sample(range(1, len(ids)), SEATS)
        if at % 10 == 3:
            seated[0] = 0
        for seat, number in enumerate(seated):
            place, name = seat + 1, f"Person {number}"
            yield Player(match_id=at, no=at, seat=seat, user_id=ids[number], name=name, place=place)


def _ratings(ids: list[int], pool: str, luck: Random) -> Iterator[Rating]:
    now = timezone.now()
    for user_id in ids:
        for game in GAMES:
            mu, sigma = luck.gauss(25, 5), luck.uniform(1, 4)
            yield Rating(
                user_id=user_id,
                game=game,
                pool=pool,
                mu=mu,
                sigma=sigma,
                matches=luck.randrange(5, 500),
                last_at=now - timedelta(days=luck.randrange(100)),
            )


def _statistics(user_id: int, matches: int) -> Iterator[PlayerStat]:
    for slug, game in GAMES.items():
        lines = game.telling.tally.lines if game.telling.tally is not None else ()
        keys = {PLAYED, *PLACES, *(line.key for line in lines)}
        keys |= {line.per for line in lines if line.per}
        for number, key in enumerate(sorted(keys)):
            best = matches - 7 - 10 * number
            yield PlayerStat(
                user_id=user_id,
                game=slug,
                key=key,
                count=100,
                best=1,
                best_match_id=best,
                best_version=1,
            )


def _fill_ladder(ids: list[int], matches: int, luck: Random) -> None:
    """Add programs of one version each, and let each take the first seat of later matches."""
    _save(
        Program,
        (
            Program(owner_id=ids[number], slug=f"p{number}", name=f"P{number}", key=f"p{number}")
            for number in range(PROGRAMS)
        ),
    )
    _save(
        User,
        (
            User(
                username=f"P{number} v1",
                login_key=login_key(f"P{number} v1"),
                is_program=True,
                lists_matches=True,
            )
            for number in range(PROGRAMS)
        ),
    )
    accounts = list(User.objects.filter(is_program=True).order_by("pk"))
    programs = Program.objects.order_by("pk")
    _save(
        ProgramVersion,
        (
            ProgramVersion(program=program, number=1, user=user, state="active", games=list(GAMES))
            for program, user in zip(programs, accounts, strict=True)
        ),
    )
    _save(Rating, _ratings([user.pk for user in accounts], Pool.PROGRAMS, luck))
    for slug in GAMES:
        room = Room.objects.create(game=slug, ladder=True, status=Room.Status.CLOSED)
        Match.objects.filter(game=slug, pk__gt=matches * 9 // 10).update(room=room)
    seats = list(Player.objects.filter(match__room__ladder=True).order_by("no", "seat"))
    for first in range(0, len(seats), SEATS):
        theirs = seats[first : first + SEATS]
        for seat, user in zip(theirs, luck.sample(accounts, SEATS), strict=True):
            seat.user = user
    Player.objects.bulk_update(seats, ["user"], batch_size=500)
    for at in range(TABLES):
        room = Room.objects.create(game=_game(at), ladder=True, status=Room.Status.PLAYING)
        Member.objects.bulk_create(
            Member(room=room, user=user, name=f"P{seat}", key=str(seat))
            for seat, user in enumerate(accounts[SEATS * at :][:SEATS])
        )
