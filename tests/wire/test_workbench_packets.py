"""In the workbench, programs get what a server would send them."""

from __future__ import annotations

import json
from contextlib import AsyncExitStack

import pytest
from channels.db import database_sync_to_async

from games.contract.data import Seat, unpack
from games.engine import time_source
from games.engine.mixed import mixed_of
from games.management.workbench import Listener
from games.models import Act, Room
from games.registry import GAMES
from games.tables.loading import load
from games.tables.unsaved import Sitter, UnsavedMatch
from parlour_client.commands import PLATFORM
from tests.kit.client import QUICK, Json, Program, seated, together
from tests.kit.quick import quick


class Recording(Program):
    """A program that keeps a copy of every packet, in `received`."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed=seed)
        self.received: list[Json] = []

    async def read(self) -> Json:
        packet = await super().read()
        self.received.append(json.loads(compact(packet)))
        return packet


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the server's clock, so that deadlines and seconds left are equal."""
    monkeypatch.setattr(time_source.source, "monotonic", lambda: 0.0)
    time_source.source.adopt()


@pytest.mark.usefixtures("frozen")
@pytest.mark.parametrize("slug", quick(GAMES, "cards", "coup"))
async def test_program_gets_byte_for_byte_what_the_server_would_send(slug: str) -> None:
    n = GAMES[slug].seats[0]
    async with AsyncExitStack() as stack:
        programs = [await stack.enter_async_context(Recording(seed=at)) for at in range(n)]
        await seated(*programs, game=slug, options=QUICK.get(slug, {}))
        await programs[0].send("StartGame")
        await together(*(program.play() for program in programs))
        for program in programs:
            await program.had("GameEnd")
        await database_sync_to_async(check_questions)(programs)


def check_questions(programs: list[Recording]) -> None:
    """Play the acts of the match again, unsaved, and compare every question with the server's."""
    room = Room.objects.get(code=programs[0].data["gameId"])
    stored = load(room.pk).match
    assert stored is not None
    sitters = [Sitter(player.name) for player in stored.players]
    secret = bytes.fromhex(stored.row.secret)
    mixed = mixed_of(stored.row)
    match = UnsavedMatch(stored.game, stored.options, sitters, stored.row.pk, secret, mixed=mixed)
    match.table.room.code = room.code
    for mine, theirs in zip(match.table.members, room.members.order_by("joined_at"), strict=True):
        mine.joined_at = theirs.joined_at
    listeners = [Listener(match, Seat(at), 0) for at in range(len(programs))]
    compared = 0
    for act in Act.objects.filter(match=stored.row, number__gt=1).order_by("number"):
        compared += sum(map(is_same, listeners, programs))
        assert act.kind == Act.Kind.MOVE
        match.move(Seat(act.seat), unpack(act.move, stored.game.rules.moves))
        for listener in listeners:
            listener.hear()
    assert compared > len(programs)
    for listener, program in zip(listeners, programs, strict=True):
        assert listener.rest()[-1] == text_of(program, "GameEnd")


def is_same(listener: Listener, program: Recording) -> bool:
    """Compare the question of this version, if the program was sent one."""
    version = listener.match.match.row.version
    sent = [
        packet
        for packet in program.received
        if packet["type"] == "GameDataSync" and packet["data"]["version"] == version
    ]
    if not sent or not sent[0]["data"]["prompt"] or listener.match.outcome:
        return False
    decision, packets = listener.ask()
    assert packets[-1] == compact(sent[0])
    heard = [
        packet
        for packet in program.received
        if packet["type"] not in PLATFORM and packet.get("version", version + 1) <= version
    ]
    assert list(map(compact, listener.heard)) == list(map(compact, heard))
    return decision is not None


def compact(packet: Json) -> str:
    return json.dumps(packet, separators=(",", ":"), ensure_ascii=False)


def text_of(program: Recording, kind: str) -> str:
    return compact(next(packet for packet in program.received if packet["type"] == kind))
