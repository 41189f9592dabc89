"""A proxy between programs and a server. It plants one fault for the conformance kit to find."""

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
    """One proxied connection of the user `name`. Each fault can store data in `memo`."""

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
    """A fault of a server, and the check that must notice it."""

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


def told_of(packet: Json, *types: str) -> bool:
    return packet["type"] in types


def syncs(packet: Json) -> Iterator[Json]:
    """Return the data of a sync, or nothing for another packet."""
    if told_of(packet, "GameDataSync"):
        yield packet["data"]


def lost(type_: str) -> Down:
    return lambda pipe, packet: [] if told_of(packet, type_) else [packet]


def twice(type_: str, name: str = "") -> Down:
    """Send packets of this type twice, to all or to the user of this name."""

    def down(pipe: Pipe, packet: Json) -> list[Any]:
        return [packet] * (1 + (told_of(packet, type_) and name in ("", pipe.name)))

    return down


def in_place_of(old: Json, **new: Any) -> Down:
    """Replace fields of packets that have these fields."""
    return lambda pipe, packet: [packet | new if old.items() <= packet.items() else packet]


def synced(change: Callable[[Json], Any], name: str = "") -> Down:
    """Change the data of every sync, for all or for the user of this name."""

    def down(pipe: Pipe, packet: Json) -> list[Any]:
        for data in syncs(packet):
            if name in ("", pipe.name):
                change(data)
        return [packet]

    return down


def without(field: str) -> Up:
    """Drop this field from packets of programs."""

    def up(pipe: Pipe, frame: Any) -> list[Any]:
        if isinstance(frame, dict):
            frame.pop(field, None)
        return [frame]

    return up


def only_packets(pipe: Pipe, frame: Any) -> list[Any]:
    return [frame] if isinstance(frame, dict) else []


def closed_as_usual(code: int) -> Callable[[int], int]:
    return lambda given: 1000 if given == code else given


def to_others(pipe: Pipe, packet: Json, *names: str) -> None:
    """Send packets to all other programs as well, or to those of these users."""
    for other in pipe.proxy.pipes:
        if other is not pipe and (not names or other.name in names):
            asyncio.get_running_loop().create_task(other.tell(packet))


def event_after_its_sync(pipe: Pipe, packet: Json) -> list[Any]:
    if told_of(packet, "PlayerRolls"):
        pipe.memo["late"] = packet
        return []
    late = pipe.memo.pop("late", None) if told_of(packet, "GameDataSync") else None
    return [packet, late] if late else [packet]


def last_sync_lost(pipe: Pipe, packet: Json) -> list[Any]:
    is_last = any(data["status"] == "finished" for data in syncs(packet)) and "id" not in packet
    return [] if is_last and pipe.name == "gallery" else [packet]


def another_secret(pipe: Pipe, packet: Json) -> list[Any]:
    if told_of(packet, "GameEnd"):
        packet["fairness"]["seats"][0]["secret"] = "0" * 64
    return [packet]


def roll_heard_by_another(pipe: Pipe, packet: Json) -> list[Any]:
    if told_of(packet, "Rolled") and pipe.name == "p0":
        to_others(pipe, packet, "p1")
    return [packet]


def other_lives(data: Json) -> None:
    if data["status"] == "playing":
        data["players"][0]["lives"] = 9


def change_left_out(pipe: Pipe, packet: Json) -> list[Any]:
    if told_of(packet, "GameDataChanged"):
        packet["data"].pop("awaited", None)
    return [packet]


def illegal_offer(pipe: Pipe, packet: Json) -> list[Any]:
    if told_of(packet, "GameDataSync", "GameDataChanged"):
        for offer in packet["data"].get("offers", ()):
            if offer["move"] == "Announce":
                dice = offer["args"]["dice"]
                dice["oneOf"] = ["7,7", *dice["oneOf"][:1]]
    return [packet]


def same_prompt(data: Json) -> None:
    data["prompt"] = None if data["prompt"] is None else 1


def log_forgets(pipe: Pipe, packet: Json) -> list[Any]:
    if told_of(packet, "Log") and packet["acts"]:
        packet["acts"][-1]["events"] = packet["acts"][-1]["events"][1:]
    return [packet]


def flood_borne(pipe: Pipe, frame: Any) -> list[Any]:
    pipe.memo["n"] = pipe.memo.get("n", 0) + 1
    return [frame] if pipe.memo["n"] < 30 else []


def ignored_said(pipe: Pipe, packet: Json) -> list[Any]:
    if packet.get("code") == "ignored":
        return [{k: v for k, v in packet.items() if k != "id"}, packet]
    return [packet]


def joins_hidden(pipe: Pipe, packet: Json) -> list[Any]:
    hidden = told_of(packet, "PlayerJoined") and packet["player"]["username"] != pipe.name
    return [] if hidden else [packet]


def room_for_bots(pipe: Pipe, packet: Json) -> list[Any]:
    if packet.get("code") == "table_full":
        return [{"type": "Done", "id": packet["id"]}]
    return [packet]


def all_players(data: Json) -> None:
    for player in data["players"]:
        player["isSpectator"] = False


def gallery_heard(pipe: Pipe, packet: Json) -> list[Any]:
    if packet.get("audience") == "gallery":
        to_others(pipe, packet)
    return [packet]


FAULTS: dict[str, Fault] = {
    "an event comes twice": Fault("once", twice("PlayerRolls", "p1")),
    "an event comes after its sync": Fault("versions", event_after_its_sync),
    "the last sync is lost": Fault("syncs", last_sync_lost),
    "no turn ends": Fault("turns", lost("TurnEnd")),
    "the end comes twice": Fault("ending", twice("GameEnd")),
    "a secret is another": Fault("fairness", another_secret),
    "the other seat hears a roll": Fault("secrets", roll_heard_by_another),
    "one sees other lives": Fault("views", synced(other_lives, "p1")),
    "a change is left out": Fault("changes", change_left_out),
    "something illegal is offered": Fault("offers", illegal_offer),
    "a prompt never changes": Fault("prompt-numbers", synced(same_prompt), without("prompt")),
    "prompts are not looked at": Fault("prompts", up=without("prompt")),
    "the log forgets": Fault("logs", log_forgets),
    "a stray field is sent": Fault("shapes", synced(lambda data: data.update(secret=7))),
    "answers come twice": Fault("answers", twice("Done")),
    "answers are lost": Fault("ids", lost("Done")),
    "unknown fields are taken": Fault("bad-packets", up=without("more")),
    "junk is borne for ever": Fault("in-a-row", up=only_packets),
    "a flood is borne": Fault("flood", up=flood_borne),
    "big messages are borne": Fault("too-big", up=only_packets),
    "what is ignored is said": Fault("ignored-packets", ignored_said),
    "another protocol": Fault("welcome", in_place_of({"type": "Welcome"}, protocol=2)),
    "any token will do": Fault("bearer", close=closed_as_usual(4001)),
    "the kicked are closed as usual": Fault("kicking", close=closed_as_usual(4003)),
    "joins are not told": Fault("joining", joins_hidden),
    "another reason is given": Fault(
        "rejections", in_place_of({"reason": "WrongPassword"}, reason="InvalidRoom")
    ),
    "who comes back is new": Fault(
        "rejoining", in_place_of({"type": "GameRejoined"}, type="GameJoined")
    ),
    "nobody follows the host": Fault("leaving", lost("HostSet")),
    "a refusal names no option": Fault(
        "options", in_place_of({"code": "bad_options"}, reason="No.")
    ),
    "settings are not told": Fault("room-settings", lost("RoomSet")),
    "there is always room for a bot": Fault("bots", room_for_bots),
    "spectators stand as players": Fault("spectators", synced(all_players)),
    "the table hears the gallery": Fault("chat", gallery_heard),
    "wrong secrets are ignored": Fault(
        "shares", in_place_of({"code": "bad_secret"}, code="ignored")
    ),
    "voids are not told": Fault("voids", lost("LuckVoid")),
    "a nudge gives no time": Fault(
        "nudging", synced(lambda data: data.update(deadline=None, secondsLeft=None))
    ),
    "standings are forgotten": Fault("again", synced(lambda data: data.update(standings={}))),
}
"""All faults by their effect on the server, with the check that must find each."""
