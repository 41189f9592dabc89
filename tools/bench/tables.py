"""Tables of Mia for programs or pages: up to six players, and spectators.

Each player acts as soon as it can, or after a pause (`pace`). A move counts when the server has
accepted and stored it, and has shown it to everybody.
"""

from __future__ import annotations

import asyncio
import json
import random
import re
import time
from dataclasses import dataclass, field
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from tools.bench import sockets
from tools.bench.sockets import Socket

PLAYERS, VIEWERS = 6, 10
"""Maximum players at a table, and its usual number of viewers. All others are spectators."""
OPTIONS = {"lives": 9, "pace": "none", "idleKick": 0}
AGAIN_S = 5.0
"""Seconds after which a move is repeated."""
CONTINUE = "Continue"
"""A move that is not measured. It shows nothing until all other players have sent it too."""
AFTER = 1.5
"""Seconds to wait until the last moves are shown to everybody."""

MARKS = (b"hx-ws:send", b'id="actions"')
"""Strings that mark a frame as one that asks a question or withdraws one."""
FORM = re.compile(r'<form hx-ws:send class="act [^>]*?id="(act|sure)-(\d+)-.*?</form>', re.DOTALL)
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
SELECT = re.compile(r'<select name="([^"]+)".*?>(.*?)</select>', re.DOTALL)
OPTION = re.compile(r'<option value="([^"]*)"')
BUTTON = re.compile(r'<button name="([^"]+)" value="([^"]*)"')


class Offer(msgspec.Struct, frozen=True):
    """An allowed move."""

    move: str
    risky: bool
    args: dict[str, Any]


class Data(msgspec.Struct, rename="camel", frozen=True):
    """The data a player needs. Other fields are ignored, and unchanged ones are UNSET."""

    match_id: int | UnsetType | None = UNSET
    version: int | None = None
    prompt: int | UnsetType | None = UNSET
    offers: tuple[Offer, ...] | UnsetType = UNSET


class Packet(msgspec.Struct, frozen=True):
    """A packet from the server."""

    type: str
    data: Data = Data()


PACKETS = msgspec.json.Decoder(Packet)
SYNCS = ("GameDataSync", "GameDataChanged")
SYNC = b'"type":"GameData'
"""String that marks a frame as one of SYNCS."""


@dataclass
class Counted:
    """Totals of what the viewers of a table received."""

    frames: int = 0
    size: int = 0
    took: list[float] = field(default_factory=list)
    """Seconds from each move until its player was shown the result."""


class Viewer:
    """One socket at a table. If it has a seat, it plays."""

    def __init__(self, socket: Socket, counted: Counted) -> None:
        self.socket, self.counted = socket, counted
        self.question: str | None = None
        """The last question that was answered."""
        self.moved_at: float | None = None
        """When the last move was sent, until its result is shown."""
        self.held: list[dict[str, Any]] = []
        self.until = self.pace = 0.0

    def play(self, seconds: float, pace: float = 0.0) -> None:
        """Answer questions for this number of seconds, each after `pace` seconds on average.

        Questions that arrive later are answered on the next call.
        """
        self.until, self.pace = time.monotonic() + seconds, pace
        held, self.held = self.held, []
        self.socket.listen(self._take)
        for reply in held:
            self._after_a_pause(reply)

    def _take(self, frame: bytes) -> None:
        self.counted.frames += 1
        self.counted.size += len(frame)
        if self.moved_at is not None and self.shows_result(frame):
            self.counted.took.append(time.monotonic() - self.moved_at)
            self.moved_at = None
        for reply in self.answers(frame):
            self._after_a_pause(reply)

    def _after_a_pause(self, reply: dict[str, Any]) -> None:
        """Send a reply. Pauses are random, so that the moves of many tables spread evenly.

        CONTINUE is sent at once: at many tables, pauses are so long that it would time out.
        """
        if self.pace and not _continues(reply):
            pause = random.expovariate(1 / self.pace)
            asyncio.get_running_loop().call_later(pause, self._reply, reply)
        else:
            self._reply(reply)

    def _reply(self, reply: dict[str, Any]) -> None:
        if time.monotonic() > self.until:
            self.held.append(reply)
            return
        if _continues(reply):
            self.say(reply)
            return
        self.moved_at = time.monotonic()
        self._send(reply, self.moved_at)

    def _send(self, reply: dict[str, Any], moved_at: float) -> None:
        """Send a move. Repeat it until its result is shown: an overloaded server is `busy`."""
        if self.moved_at == moved_at:
            self.say(reply)
            asyncio.get_running_loop().call_later(AGAIN_S, self._send, reply, moved_at)

    def say(self, packet: dict[str, Any]) -> None:
        """Send a packet now."""
        self.socket.say(msgspec.json.encode(packet))

    def answers(self, frame: bytes) -> list[dict[str, Any]]:
        """Return the replies to a frame."""
        raise NotImplementedError

    def shows_result(self, frame: bytes) -> bool:
        """Whether a frame after a move shows its result."""
        raise NotImplementedError

    def asked(self, question: str) -> bool:
        """Whether this question is new."""
        is_new = question != self.question
        self.question = question
        return is_new


def _continues(reply: dict[str, Any]) -> bool:
    return CONTINUE in (reply.get("type"), reply.get("body", {}).get("move"))


class Program(Viewer):
    """Viewer that plays with JSON packets, and receives changes instead of complete syncs."""

    syncs = "changes"
    seen: tuple[int, int] = (0, 0)
    """Match and version of the last sync."""
    prompt: int | None = None
    offers: tuple[Offer, ...] = ()

    async def enter(self, code: str | None, watches: bool) -> str:
        """Host or join a table. Return its code."""
        await self.socket.next()
        if code is None:
            asked = {"type": "HostGame", "game": "mia", "options": OPTIONS}
        else:
            asked = {"type": "JoinGame", "room": code, "spectate": watches}
        self.say(asked | {"syncs": self.syncs})
        while "room" not in (packet := json.loads(await self.socket.next())):
            pass
        return str(packet["room"])

    def answers(self, frame: bytes) -> list[dict[str, Any]]:
        packet = PACKETS.decode(frame)
        if packet.type == "GameEnd":
            self.say({"type": "StartGame"})  # ignored unless it comes from the host
            return []
        if packet.type not in SYNCS:
            return []
        data = packet.data
        match_id = self.seen[0] if data.match_id is UNSET else data.match_id or 0
        self.seen = (match_id, data.version or 0)
        self.prompt = self.prompt if data.prompt is UNSET else data.prompt
        self.offers = self.offers if data.offers is UNSET else data.offers
        if not self.offers or not self.asked(f"{match_id}-{self.prompt}"):
            return []
        return [self._move()]

    def shows_result(self, frame: bytes) -> bool:
        return SYNC in frame

    def _move(self) -> dict[str, Any]:
        """Return a random move. Avoid risky moves if possible."""
        offer = random.choice([one for one in self.offers if not one.risky] or self.offers)
        args = {name: random.choice(of["oneOf"]) for name, of in offer.args.items()}
        return {"type": offer.move, "prompt": self.prompt, **args}


class Page(Viewer):
    """Viewer that plays with the forms of its page."""

    def answers(self, frame: bytes) -> list[dict[str, Any]]:
        if not any(mark in frame for mark in MARKS):
            return []
        html = frame.decode()
        if '<input type="hidden" name="do" value="StartGame">' in html:
            self.say({"headers": {}, "body": {"do": "StartGame"}})
            return []
        forms = list(FORM.finditer(html))
        if '<section id="actions"' in html and not forms:
            self.question = None  # the next match reuses prompt numbers
        if not forms or not self.asked(f"{forms[0][2]}"):
            return []
        form = random.choice([one for one in forms if one[1] == "act"] or forms)
        body = dict(HIDDEN.findall(form[0]))
        if choices := BUTTON.findall(form[0]):
            name, value = random.choice(choices)
            body[name] = value
        for name, options in SELECT.findall(form[0]):
            body[name] = random.choice(OPTION.findall(options))
        return [{"headers": {}, "body": body}]

    def shows_result(self, frame: bytes) -> bool:
        return any(mark in frame for mark in MARKS)


class Room:
    """One table and its sockets."""

    def __init__(self, url: str, kind: type[Viewer], people: list[str]) -> None:
        self.url, self.kind, self.people = url, kind, people
        self.viewers: list[Viewer] = []
        self.counted = Counted()
        self.code = ""

    async def open(self) -> None:
        """Let all viewers join as programs. If pages are measured, reconnect them as pages."""
        host = Program(await self.connect("/api/ws/", self.people[0]), Counted())
        self.code = await host.enter(None, False)
        await host.socket.close()  # nobody would read from this socket
        path = f"/api/ws/?room={self.code}"  # selects the worker
        programs = [Program(await self.connect(path, of), self.counted) for of in self.people]
        for at, program in enumerate(programs):
            await program.enter(self.code, at >= PLAYERS)
        self.viewers = list(programs)
        await programs[0].socket.send(json.dumps({"type": "StartGame"}))
        if self.kind is Page:
            while json.loads(await programs[0].socket.next())["type"] != "GameStarted":
                pass
            path = f"/ws/table/{self.code}/?badge="
            self.viewers = [Page(await self.connect(path, of), self.counted) for of in self.people]
            for program in programs:
                await program.socket.close()

    @property
    def behind(self) -> int:
        """Number of acts by which the slowest program is behind the fastest."""
        seen = [viewer.seen for viewer in self.viewers if isinstance(viewer, Program)]
        newest = max(seen, default=(0, 0))
        return max(
            (newest[1] - version for match, version in seen if match == newest[0]), default=0
        )

    async def play(self, seconds: float, pace: float = 0.0) -> None:
        """Reset the totals, play for this number of seconds, and wait until all acts are shown."""
        self.counted.frames = self.counted.size = 0
        self.counted.took.clear()
        for viewer in self.viewers:
            viewer.play(seconds, pace)
        await asyncio.sleep(seconds + AFTER)

    async def close(self) -> None:
        for viewer in self.viewers:
            viewer.moved_at = None  # no move is repeated
        await asyncio.gather(*(viewer.socket.close() for viewer in self.viewers))

    async def connect(self, path: str, session: str | None = None) -> Socket:
        """Open a socket for the user with this session, or for an anonymous visitor."""
        headers = {"Origin": self.url}
        if session is not None:
            headers["Cookie"] = f"sessionid={session}"
        return await sockets.opened(self.url.replace("http", "ws") + path, headers)
