"""Versions of programs for tests of the ladder."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from accounts.models import User
from games import rooms
from games.contract.luck import Luck
from games.models import Match, Member, ProgramVersion, Room
from games.rooms import ladder, programs
from tests.kit.corpus import play_on
from tests.kit.factories import AccountFactory


def version_of(
    owner: User | None = None, name: str = "", state: str = "active"
) -> tuple[ProgramVersion, str]:
    """Return the first version of a new program, and its token."""
    owner = owner or AccountFactory()
    program = programs.make_program(owner.pk, name or f"Nemo {owner.pk}").result()
    version, token = programs.make_version(owner.pk, program.pk).result()
    ProgramVersion.objects.filter(pk=version.pk).update(state=state)
    version.refresh_from_db()
    return version, token


def available(
    version: ProgramVersion, games: Sequence[str] = ("mia",), tables: int = 1
) -> ProgramVersion:
    """Make a version available, and return it."""
    ladder.set_available(version.user_id, games, tables).result()
    version.refresh_from_db()
    return version


def open_tables(seed: int = 1) -> None:
    ladder.open_tables(Random(seed)).result()


def come(version: ProgramVersion) -> None:
    """Come to all tables that wait for this version."""
    found = Member.objects.filter(
        user=version.user, room__ladder=True, room__status="open", away_since__isnull=False
    )
    for code in list(found.values_list("room__code", flat=True)):
        rooms.join(code, version.user_id, plays=()).result()


def play_out(match: Match) -> Match:
    """Play a match to its end with random moves of all seats."""
    play_on(match.pk, Luck(b"ladder", match.pk))
    match.refresh_from_db()
    assert match.ended_at is not None
    return match


def tables() -> list[Room]:
    return list(Room.objects.filter(ladder=True).order_by("pk"))


def running() -> list[Match]:
    return list(Match.objects.filter(room__ladder=True, ended_at=None).order_by("pk"))
