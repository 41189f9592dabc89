"""Commands of the UDP server. They run in the writer's thread."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Max

from accounts import reserved_names
from accounts.names import BadName
from accounts.words import is_unwanted
from games.contract.core import Ignored, Move, Refused
from games.contract.data import Seat, pack
from games.engine import acts, fairness, matches
from games.engine.options import read_options
from games.engine.snapshots import load_snapshot
from games.engine.writer import command
from games.models import Match, Member, Room, UdpName, UdpRound
from games.registry import GAMES
from games.rooms import members
from games.udp import standings
from games.udp.standings import Played


@dataclass(frozen=True)
class Seated:
    """A human player or a built-in bot at the UDP table, who plays without datagrams."""

    name: str
    user_id: int | None


@dataclass(frozen=True)
class Found:
    """The stored UDP table: its names, and the players without datagrams."""

    names: tuple[UdpName, ...]
    seated: tuple[Seated, ...]


def find(room_id: int) -> Found:
    """Read the UDP table from the database.

    Built-in bots are included only if a human player is seated.
    """
    room = Room.objects.get(pk=room_id)
    people = members.players_now(room) if room.options["humanMs"] else ()
    seated = tuple(Seated(member.name, member.user_id) for member in people)
    if not any(one.user_id for one in seated):
        seated = ()  # built-in bots play only if a human player has a seat
    return Found(tuple(UdpName.objects.all()), seated)


@command
def open_table() -> tuple[int, int]:
    """Return the id of the UDP room and its newest round number. Create the room if needed.

    If the process that owned the port died, its running round is void, but the round's number
    counts as used. The round may have existed only in memory, so the number is also raised if there
    are programs to invite.
    """
    room = Room.objects.filter(udp_round__isnull=False).select_for_update().first()
    programs = UdpName.objects.exclude(address=None).exists()
    may_have_run = room is not None and programs
    if room is None:
        options = read_options(GAMES["mia"], standings.UDP_OPTIONS)
        room = Room.objects.create(game="mia", options=pack(options), udp_round=0)
    running = Match.objects.filter(room=room, ended_at=None).first()
    if running is not None:
        acts.end_without_result(running)
        room.refresh_from_db()
    stored = UdpRound.objects.aggregate(newest=Max("number"))["newest"] or 0
    room.udp_round = max(room.udp_round or 0, stored) + may_have_run
    members.changed(room)
    return room.pk, room.udp_round


@command
def register(name: str, address: str, port: int, leaving: str | None = None) -> None:
    """Register a name at this address. If `leaving` is given, delete that unused name to make room.

    Raise Refused with code `names_full`, `name_taken` or `UsernameBlocked`.
    """
    if is_unwanted(name):
        raise Refused("UsernameBlocked")
    if UdpName.objects.filter(name=name).exists():
        raise Refused("name_taken")
    try:
        reserved_names.check(name)
    except BadName as bad:
        raise Refused("name_taken") from bad
    if not standings.make_room(leaving):
        raise Refused("names_full")
    UdpName.objects.create(name=name, address=address, port=port)


@command
def note(moved: Iterable[tuple[str, str, int | None, bool]]) -> None:
    """Store the current endpoints of programs: (name, address, port, paused)."""
    for name, address, port, paused in moved:
        UdpName.objects.filter(name=name).update(address=address, port=port, paused=paused)


@command
def count(room_id: int, number: int) -> None:
    """Store the number of a round that nobody joined."""
    Room.objects.filter(pk=room_id).update(udp_round=number)


@command
def keep(room_id: int, played: Played, shown: bool) -> None:
    """Store a finished round among programs. If `shown`, update the open pages of the table."""
    standings.store(played)
    if not shown:
        Room.objects.filter(pk=room_id).update(udp_round=played.number)
        return
    room = Room.objects.select_for_update().get(pk=room_id)
    room.udp_round, room.match, room.status = played.number, None, Room.Status.OPEN
    members.changed(room)


@command
def begin(room_id: int, number: int, programs: Sequence[str]) -> int:
    """Start a round that includes human players, as a match of the table. Return its id."""
    room = members.room_of(room_id)
    room.udp_round = number
    seated = list(members.players_now(room))
    standings.ensure_people((member.name, member.user_id) for member in seated)
    programs_seated = [Member(room=room, name=name) for name in programs]
    room.version += 1
    playing = [*programs_seated, *seated]
    patience = room.options["humanMs"] / 1000
    return matches.begin(room, playing, patience, mixed=fairness.silent(room, playing)).row.pk


@command
def act(match_id: int, seat: Seat, prompt: int, made: Move) -> int:
    """Make a program's move for this prompt. Raise Ignored if the prompt is over."""
    match = load_snapshot(match_id)
    if match.over or match.state.prompts[seat] != prompt:
        raise Ignored
    return matches.program_move(match, seat, made)


@command
def time_out(match_id: int, seat: Seat, prompt: int) -> None:
    """Time out a program that did not answer this prompt. Raise Ignored if the prompt is over."""
    match = load_snapshot(match_id)
    if match.over or match.state.prompts[seat] != prompt:
        raise Ignored
    matches.lapse(match)


@command
def free(pks: Sequence[int]) -> None:
    """Remove names from the standings, so that anybody may register them again."""
    UdpName.objects.filter(pk__in=pks).delete()
    for room in Room.objects.filter(udp_round__isnull=False).select_for_update():
        members.changed(room)


@command
def drop_unused_names() -> int:
    """Drop names that have not played for a long time, or that have never played."""
    return standings.drop_unused_names()
