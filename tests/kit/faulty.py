"""A proxy between programs and a server that plants one fault for the conformance kit to find."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import websockets
from websockets.asyncio.client import ClientConnection
from websockets.asyncio.server import Server, ServerConnection, serve

Json = dict[str, Any]


class Pipe:
    """One proxied connection. `name` is the user it speaks for; `memo` is for the fault."""

    def __init__(self, proxy: Proxy, program: ServerConnection, server: ClientConnection) -> None:
        self.proxy, self.program, self.server = proxy, program, server
        self.name = ""
        self.memo: dict[str, Any] = {}

    async def upwards(self) -> None:
        """Forward from the program to the server."""
        async for frame in self.program:
            packet = as_packet(frame)
            if packet is not None and packet.get("type") in ("HostGame", "JoinGame"):
                self.name = str(packet.get("username", ""))
            for sent in self.proxy.fault.up(self, frame if packet is None else packet):
                await self.server.send(json.dumps(sent) if isinstance(sent, dict) else sent)

    async def downwards(self) -> None:
        """Forward from the server to the program."""
        async for frame in self.server:
            for sent in self.proxy.fault.down(self, json.loads(frame)):
                await self.tell(sent)

    async def tell(self, packet: Json | str) -> None:
        """Send a packet to the program."""
        await self.program.send(json.dumps(packet) if isinstance(packet, dict) else packet)


def as_packet(frame: str | bytes) -> Json | None:
    try:
        packet = json.loads(frame)
    except (ValueError, RecursionError):
        return None
    return packet if isinstance(packet, dict) and isinstance(frame, str) else None


Down = Callable[[Pipe, Json], list[Any]]
Up = Callable[[Pipe, Any], list[Any]]


@dataclass(frozen=True)
class Fault:
    """What a faulty server does, and the check that must notice it."""

    check: str
    down: Down = lambda pipe, packet: [packet]
    up: Up = lambda pipe, frame: [frame]
    close: Callable[[int], int] = lambda code: code


@dataclass
class Proxy:
    """Listen on a free port for programs of a server at `url`, with a fault in between."""

    url: str
    fault: Fault = field(default_factory=lambda: Fault("none"))
    pipes: list[Pipe] = field(default_factory=list)
    listening: Server | None = None

    async def __aenter__(self) -> Proxy:
        self.listening = await serve(self._serve, "127.0.0.1", 0, max_size=None)
        return self

    async def __aexit__(self, *error: object) -> None:
        assert self.listening is not None
        self.listening.close()
        await self.listening.wait_closed()

    @property
    def address(self) -> str:
        assert self.listening is not None
        port = next(iter(self.listening.sockets)).getsockname()[1]
        return f"ws://127.0.0.1:{port}/api/ws/"

    async def _serve(self, program: ServerConnection) -> None:
        bearer = program.request.headers.get("Authorization") if program.request else None
        headers = {"Authorization": bearer} if bearer else {}
        async with websockets.connect(self.url, additional_headers=headers) as server:
            pipe = Pipe(self, program, server)
            self.pipes.append(pipe)
            ways = [asyncio.create_task(way()) for way in (pipe.upwards, pipe.downwards)]
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            self.pipes.remove(pipe)
            code = server.close_code if server.close_code is not None else 1000
            await program.close(self.fault.close(code if code != 1006 else 1011))


FAULTS: dict[str, Fault] = {}


def plant(check: str, way: str = "down") -> Callable[[Any], Any]:
    """Register a fault named after the function, to be found by this check."""

    def register(function: Any) -> Any:
        FAULTS[function.__name__] = Fault(check, **{way: function})
        return function

    return register


def told_of(packet: Json, *types: str) -> bool:
    return packet["type"] in types


def syncs(packet: Json) -> Iterator[Json]:
    """Return the data of a sync, or nothing for another packet."""
    if told_of(packet, "GameDataSync"):
        yield packet["data"]


@plant("once")
def an_event_comes_twice(pipe: Pipe, packet: Json) -> list[Json]:
    return [packet, packet] if told_of(packet, "PlayerRolls") and pipe.name == "p1" else [packet]


@plant("versions")
def an_event_comes_after_its_sync(pipe: Pipe, packet: Json) -> list[Json]:
    if told_of(packet, "PlayerRolls"):
        pipe.memo["late"] = packet
        return []
    late = pipe.memo.pop("late", None) if told_of(packet, "GameDataSync") else None
    return [packet, late] if late else [packet]


@plant("syncs")
def the_last_sync_is_lost(pipe: Pipe, packet: Json) -> list[Json]:
    lost = any(data["status"] == "finished" for data in syncs(packet)) and "id" not in packet
    return [] if lost and pipe.name == "gallery" else [packet]


@plant("turns")
def no_turn_ends(pipe: Pipe, packet: Json) -> list[Json]:
    return [] if told_of(packet, "TurnEnd") else [packet]


@plant("ending")
def the_end_comes_twice(pipe: Pipe, packet: Json) -> list[Json]:
    return [packet, packet] if told_of(packet, "GameEnd") else [packet]


@plant("fairness")
def a_nonce_is_another(pipe: Pipe, packet: Json) -> list[Json]:
    if told_of(packet, "GameEnd"):
        packet["fairness"]["nonces"][0]["nonce"] = "mine"
    return [packet]


@plant("secrets")
def the_other_seat_hears_a_roll(pipe: Pipe, packet: Json) -> list[Json]:
    other = next((p for p in pipe.proxy.pipes if p.name == "p1"), None)
    if told_of(packet, "Rolled") and pipe.name == "p0" and other is not None:
        asyncio.get_running_loop().create_task(other.tell(packet))
    return [packet]


@plant("views")
def one_sees_other_lives(pipe: Pipe, packet: Json) -> list[Json]:
    for data in syncs(packet):
        if pipe.name == "p1" and data["status"] == "playing":
            data["players"][0]["lives"] = 9
    return [packet]


@plant("changes")
def a_change_is_left_out(pipe: Pipe, packet: Json) -> list[Json]:
    if told_of(packet, "GameDataChanged"):
        packet["data"].pop("awaited", None)
    return [packet]


@plant("offers")
def something_illegal_is_offered(pipe: Pipe, packet: Json) -> list[Json]:
    if told_of(packet, "GameDataSync", "GameDataChanged"):
        for offer in packet["data"].get("offers", ()):
            if offer["move"] == "Announce":
                dice = offer["args"]["dice"]
                dice["oneOf"] = ["7,7", *dice["oneOf"][:1]]
    return [packet]


def a_prompt_never_changes(pipe: Pipe, packet: Json) -> list[Json]:
    for data in syncs(packet):
        if data["prompt"] is not None:
            data["prompt"] = 1
    return [packet]


def prompts_are_not_looked_at(pipe: Pipe, packet: Any) -> list[Any]:
    if isinstance(packet, dict):
        packet.pop("prompt", None)
    return [packet]


FAULTS["a_prompt_never_changes"] = Fault(
    "prompt-numbers", a_prompt_never_changes, prompts_are_not_looked_at
)
FAULTS["prompts_are_not_looked_at"] = Fault("prompts", up=prompts_are_not_looked_at)


@plant("logs")
def the_log_forgets(pipe: Pipe, packet: Json) -> list[Json]:
    if told_of(packet, "Log") and packet["acts"]:
        packet["acts"][-1]["events"] = packet["acts"][-1]["events"][1:]
    return [packet]


@plant("shapes")
def a_stray_field_is_sent(pipe: Pipe, packet: Json) -> list[Json]:
    for data in syncs(packet):
        data["secret"] = 7
    return [packet]


@plant("answers")
def answers_come_twice(pipe: Pipe, packet: Json) -> list[Json]:
    return [packet, packet] if told_of(packet, "Done") else [packet]


@plant("ids")
def answers_are_lost(pipe: Pipe, packet: Json) -> list[Json]:
    return [] if told_of(packet, "Done") else [packet]


@plant("bad-packets", "up")
def unknown_fields_are_taken(pipe: Pipe, packet: Any) -> list[Any]:
    if isinstance(packet, dict):
        packet.pop("more", None)
    return [packet]


@plant("in-a-row", "up")
def junk_is_borne_for_ever(pipe: Pipe, packet: Any) -> list[Any]:
    return [packet] if isinstance(packet, dict) else []


@plant("flood", "up")
def a_flood_is_borne(pipe: Pipe, packet: Any) -> list[Any]:
    pipe.memo["n"] = pipe.memo.get("n", 0) + 1
    return [packet] if pipe.memo["n"] < 30 else []


@plant("too-big", "up")
def big_messages_are_borne(pipe: Pipe, packet: Any) -> list[Any]:
    return [packet] if isinstance(packet, dict) else []


@plant("ignored-packets")
def what_is_ignored_is_said(pipe: Pipe, packet: Json) -> list[Json]:
    if packet.get("code") == "ignored":
        return [{k: v for k, v in packet.items() if k != "id"}, packet]
    return [packet]


@plant("welcome")
def another_protocol(pipe: Pipe, packet: Json) -> list[Json]:
    return [{**packet, "protocol": 2}] if told_of(packet, "Welcome") else [packet]


FAULTS["any_token_will_do"] = Fault("bearer", close=lambda code: 1000 if code == 4001 else code)
FAULTS["the_kicked_are_closed_as_usual"] = Fault(
    "kicking", close=lambda code: 1000 if code == 4003 else code
)


@plant("joining")
def who_joins_is_not_told_to_the_others(pipe: Pipe, packet: Json) -> list[Json]:
    hidden = told_of(packet, "PlayerJoined") and packet["player"]["username"] != pipe.name
    return [] if hidden else [packet]


@plant("rejections")
def another_reason_is_given(pipe: Pipe, packet: Json) -> list[Json]:
    if packet.get("reason") == "WrongPassword":
        packet["reason"] = "InvalidRoom"
    return [packet]


@plant("rejoining")
def who_comes_back_is_somebody_new(pipe: Pipe, packet: Json) -> list[Json]:
    return [{**packet, "type": "GameJoined"}] if told_of(packet, "GameRejoined") else [packet]


@plant("leaving")
def nobody_follows_the_host(pipe: Pipe, packet: Json) -> list[Json]:
    return [] if told_of(packet, "HostSet") else [packet]


@plant("options")
def a_refusal_names_no_option(pipe: Pipe, packet: Json) -> list[Json]:
    return [{**packet, "reason": "No."}] if packet.get("code") == "bad_options" else [packet]


@plant("room-settings")
def settings_are_not_told(pipe: Pipe, packet: Json) -> list[Json]:
    return [] if told_of(packet, "RoomSet") else [packet]


@plant("bots")
def there_is_always_room_for_a_bot(pipe: Pipe, packet: Json) -> list[Json]:
    if packet.get("code") == "table_full":
        return [{"type": "Done", "id": packet["id"]}]
    return [packet]


@plant("spectators")
def spectators_stand_as_players(pipe: Pipe, packet: Json) -> list[Json]:
    for data in syncs(packet):
        for player in data["players"]:
            player["isSpectator"] = False
    return [packet]


@plant("chat")
def the_table_hears_the_gallery(pipe: Pipe, packet: Json) -> list[Json]:
    if packet.get("audience") == "gallery":
        for other in pipe.proxy.pipes:
            if other is not pipe:
                asyncio.get_running_loop().create_task(other.tell(packet))
    return [packet]


@plant("nonces", "up")
def nonces_are_cut_to_fit(pipe: Pipe, packet: Any) -> list[Any]:
    if isinstance(packet, dict) and "nonce" in packet:
        packet["nonce"] = packet["nonce"][:64] or "x"
    return [packet]


@plant("nudging")
def a_nudge_gives_no_time(pipe: Pipe, packet: Json) -> list[Json]:
    for data in syncs(packet):
        data["deadline"] = data["secondsLeft"] = None
    return [packet]


@plant("again")
def standings_are_forgotten(pipe: Pipe, packet: Json) -> list[Json]:
    for data in syncs(packet):
        data["standings"] = {}
    return [packet]
