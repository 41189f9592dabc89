"""The entries of `players`: seated players with their facts, and other members without facts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from games.engine.snapshots import MatchSnapshot
from games.models import Member, Player
from games.tables.table import Table, per_loading, per_table
from games.tables.views import view_of
from games.wire import parts
from games.wire.games import vocabulary
from games.wire.wire import iso


@per_table
def players(table: Table) -> tuple[parts.Player, ...]:
    """Return players by seat, then spectators by time of joining, cached because few acts change
    them.
    """
    match = table.match if table.playing else None
    held = match.players if match else None
    facts = view_of(table, None).players if match else None
    known = table.carried.get("players")
    if known is None or known[0] is not held or known[1] != facts:
        known = table.carried["players"] = (held, facts, tuple(_players(table)))
    listed: tuple[parts.Player, ...] = known[2]
    return listed


def player(table: Table, member: Member) -> parts.Player:
    """Return the entry of `players` for this member."""
    return named(table, member.name) or _member(table, member)


def watches(table: Table, member: Member) -> bool:
    """Whether a member will watch the next match, by choice or because there is no seat."""
    return member.spectator or member.pk in table.surplus


def _players(table: Table) -> Iterator[parts.Player]:
    seated = set()
    if table.match is not None and table.playing:
        for held in seats_of(table, table.match):
            seated.add(held.username)
            yield held
    for member in table.members:
        if member.name not in seated:
            yield _member(table, member)


def seats_of(table: Table, match: MatchSnapshot) -> Iterator[parts.Player]:
    """Yield an entry for each seat of a running or finished match."""
    facts = view_of(table, None).players
    by_name = {member.name: member for member in table.members}
    for held in match.players:
        yield _seated(table, held, by_name.get(held.name), facts[held.seat])


def _seated(table: Table, held: Player, member: Member | None, facts: Any) -> parts.Player:
    """Return the entry of a seat. If the player is unchanged, return the same object."""
    known = table.carried.get(("seated", held.seat))
    if known is None or known[0] is not held or known[1] != facts:
        known = (held, facts, _new_entry(table, held, member, facts))
        table.carried["seated", held.seat] = known
    found: parts.Player = known[2]
    return found


def _new_entry(table: Table, held: Player, member: Member | None, facts: Any) -> parts.Player:
    is_program = table.policy.programs and held.user_id is None
    is_here = member is not None and member.away_since is None
    return vocabulary(table.game).seated(
        facts,
        table.names,
        username=held.name,
        join_time=iso(member.joined_at) if member else None,
        seat=held.seat,
        in_game=not held.gone or held.substitute,
        is_spectator=held.out,
        is_bot=bool(held.bot),
        is_guest=held.name in _guests(table),
        connected=bool(held.bot) or is_program or is_here,
    )


@per_loading
def _member(table: Table, member: Member) -> parts.Member:
    return parts.Member(
        username=member.name,
        join_time=iso(member.joined_at),
        seat=None,
        in_game=False,
        is_spectator=watches(table, member) or (table.playing and not table.parked),
        is_bot=bool(member.bot),
        is_guest=member.name in _guests(table),
        connected=bool(member.bot) or member.away_since is None,
    )


def named(table: Table, name: str) -> parts.Player | None:
    """Return the entry of `players` with this name, if any."""
    return next((found for found in players(table) if found.username == name), None)


@per_loading
def _guests(table: Table) -> frozenset[str]:
    return frozenset(m.name for m in table.members if m.user is not None and m.user.is_guest)
