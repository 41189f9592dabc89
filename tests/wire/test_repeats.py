"""A client that lost an answer sends the packet again, and nothing happens twice.

The repeat uses a new connection. Every packet is listed here, and the test fails for a new packet
without an entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from chat.models import Message
from games import rooms
from games.contract.choices import move_types
from games.contract.core import Change, Move, State, answered
from games.contract.data import Seat
from games.contract.luck import Luck
from games.engine.snapshots import load_snapshot
from games.models import Act, Match, Member, Room, Seek
from games.registry import GAMES
from games.rooms import table_pause
from games.wire.client import PLATFORM
from games.wire.examples import example
from tests.kit.acting import change_rules, put_out
from tests.kit.client import Json, Program, answer_of, program_of
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import account
from tests.kit.vocabulary import published

DEFS = published()["$defs"]


@dataclass(frozen=True)
class Case:
    """A packet from the host, the answer to it, and the answer when it is repeated."""

    first: str
    again: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    playing: bool = False
    paused: bool = False
    watching: bool = False
    """The sender is a spectator, and not the host."""
    out: bool = False
    """Everybody is out."""
    another: str = ""
    """The objects that a repeat creates again, for packets that exist to do so (decision 31)."""


LUCK = {"commitment": "0" * 64, "share": "0" * 64}
PACKETS = {
    "HostGame": Case("GameCreated", "GameCreated", {"game": "mia"}, another="rooms"),
    "JoinGame": Case("GameJoined", "GameRejoined", {"room": "CODE"}),
    "Seek": Case("Seeking", "Seeking", {"game": "mia"}),
    "CancelSeek": Case("Done", "Done", {"game": "mia"}),
    "SetAvailable": Case(  # see also tests/wire/test_ladder.py
        "programs_only", "programs_only", {"games": ["mia"]}
    ),
    "LeaveGame": Case("Done", "ignored"),
    "LeaveForNewGame": Case("GameCreated", "ignored", playing=True, watching=True),
    "GameDataRequest": Case("GameDataSync", "GameDataSync"),
    "LogRequest": Case("Log", "Log", {"since": 0}, playing=True),
    "SetOptions": Case("Done", "Done", {"options": {"lives": 3}}),
    "SetGame": Case("Done", "Done", {"game": "coup"}),
    "SetRoom": Case("Done", "Done", {"visibility": "unlisted"}),
    "Invite": Case("Done", "Done", {"username": "Cleo"}),
    "SetHost": Case("Done", "ignored", {"username": "bob"}),
    "SetSpectating": Case("Done", "Done", {"spectating": True}),
    "KickPlayer": Case("Done", "bad_target", {"username": "bob"}),
    "AddBot": Case("Done", "Done", another="members"),
    "StartGame": Case("Done", "not_allowed_now"),
    "PlayAgain": Case("Done", "not_allowed_now"),
    "Nudge": Case("Done", "not_allowed_now", playing=True),
    "Pause": Case("Done", "paused", playing=True),
    "Resume": Case("Done", "not_allowed_now", playing=True, paused=True),
    "SkipAhead": Case("Done", "Done", playing=True, out=True),
    "Restart": Case("Done", "not_allowed_now", playing=True, out=True),
    "CallVote": Case("Done", "vote_running", {"about": "pause"}, playing=True),
    "CastVote": Case("no_vote", "no_vote", {"yes": True}),
    "React": Case("Done", "Done", {"reaction": "laugh"}, another="reactions"),
    "CommitLuck": Case("stale", "stale", LUCK),  # tests/games/test_mixing.py repeats it
    "RevealLuck": Case("ignored", "ignored", {"list": "0" * 64, "secret": "0" * 64}),
    "SetNonce": Case("Done", "Done", {"nonce": "mine"}),
    "SendNewChatMessage": Case("Done", "Done", {"message": "hello"}, another="messages"),
}
NO_ROOM = ("HostGame", "JoinGame", "Seek", "CancelSeek", "SetAvailable")


def test_every_platform_packet_has_a_repeat_case() -> None:
    assert set(PACKETS) == PLATFORM


def table(game: str, playing: bool, **options: Any) -> tuple[Room, list[User]]:
    """A room with the players the game needs, the first as its host."""
    names = ["ann", "bob", *(f"more {at}" for at in range(GAMES[game].seats[0] - 2))]
    people = [PersonFactory(name=name) for name in names]
    room = open_table(*people, game=game, **options)
    if playing:
        start_match(room)
    return room, people


def watcher(room: Room) -> User:
    """A user who joins during the match."""
    person = PersonFactory(name="cid")
    rooms.join(room.code, person.pk, "cid").result()
    return person


def there(room: Room) -> Json:
    """Return everything a packet could create, by kind."""
    present = Member.objects.filter(room=room, left_at=None)
    known = Room.objects.values("host_id", "options", "visibility", "status", "match_id")
    return {
        "rooms": Room.objects.count(),
        "room": known.get(pk=room.pk),
        "members": present.count(),
        "people": list(present.filter(bot="").order_by("pk").values("pk", "spectator", "nonce")),
        "messages": Message.objects.count(),
        "reactions": len(Room.objects.get(pk=room.pk).reactions),
        "asked": list(room.invitations.values("user", "at")),
        "seeks": list(Seek.objects.values("user", "game", "since")),
        "matches": list(Match.objects.values("pk", "version", "deadline", "paused")),
        "acts": Act.objects.count(),
    }


@pytest.mark.parametrize("packet", PACKETS)
async def test_packet_repeated_after_a_lost_answer_has_no_further_effect(packet: str) -> None:
    case = PACKETS[packet]
    await sync_to_async(account)("Cleo")
    room, people = await sync_to_async(table)("mia", case.playing, pace="none")
    people = [await sync_to_async(watcher)(room)] if case.watching else people
    if case.out:
        await sync_to_async(put_out)(room)
    if case.paused:
        await table_pause.pause(room.pk, people[0].pk)
    sender = await sync_to_async(PersonFactory)(name="cid") if packet in NO_ROOM else people[0]
    fields = {name: room.code if of == "CODE" else of for name, of in case.fields.items()}
    lost = await program_of(sender, None if packet in NO_ROOM else room)
    assert answer_of(await lost.ask(packet, **fields)) == case.first
    await lost.__aexit__()
    before = await sync_to_async(there)(room)
    is_in = packet not in (*NO_ROOM, "LeaveGame", "LeaveForNewGame")
    again = await program_of(sender, room if is_in else None)
    again.number = lost.number - 1
    assert answer_of(await again.ask(packet, **fields)) == case.again
    await again.__aexit__()
    after = await sync_to_async(there)(room)
    if case.another:
        assert after.pop(case.another) == before.pop(case.another) + 1
    assert after == before


def whatever(state: State, seat: Seat, made: Move, luck: Luck) -> Change[State]:
    """Rules that accept every move."""
    return Change(answered(state, seat), ())


def arguments(game: str, move: str) -> Json:
    """Return sample arguments for this move. A list gets two entries."""
    packet = example(DEFS, f"{game}.moves.{move}")
    given = {name: of for name, of in packet.items() if name not in ("type", "id", "prompt")}
    return {name: of * 2 if isinstance(of, list) else of for name, of in given.items()}


@pytest.mark.parametrize("game", GAMES)
async def test_move_repeated_after_a_lost_answer_is_executed_once(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_rules(monkeypatch, game, apply=whatever)
    room, people = await sync_to_async(table)(game, playing=True)
    assert room.match_id is None  # the match has begun in the meantime
    match = await Match.objects.aget(room=room)
    program = await program_of(people[0], room)
    for move in move_types(GAMES[game].rules.moves):
        packet = {
            "id": move,
            "prompt": (await sync_to_async(load_snapshot)(match.pk)).state.prompts[0],
            **arguments(game, move),
        }
        done = await answer(program, move, packet)
        await program.__aexit__()
        program = await program_of(people[0], room)
        assert await answer(program, move, packet) == done, move
        assert await acts(match, move) == 1
        for name in (name for name, of in packet.items() if isinstance(of, list)):
            other = await answer(program, move, {**packet, name: packet[name][1:]})
            assert other["code"] == "stale", move
            assert await acts(match, move) == 1
    await program.__aexit__()


async def answer(program: Program, move: str, packet: Json) -> Json:
    await program.send(move, **packet)
    return await program.until(lambda p: p.get("id") == packet["id"])


async def acts(match: Match, move: str) -> int:
    return await Act.objects.filter(match=match, kind="move", move__type=move).acount()
