"""Tables of Mia with six players and four who watch, in a closed loop: by programs, or by pages.

Each player acts as soon as there is something to do. What is counted is what the
server has accepted and stored, once it has been shown to everybody.
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
from tools.bench.house import House
from tools.bench.sockets import Socket

PLAYERS, WATCHERS = 6, 4
VIEWERS = PLAYERS + WATCHERS
OPTIONS = {"lives": 9, "pace": "none", "idleKick": 0}
AFTER = 1.5
"""Seconds in which what was sent last is shown to everybody."""

MARKS = (b"hx-ws:send", b'id="actions"')
"""What a frame has in it that asks for something, or takes back what was asked."""
FORM = re.compile(r'<form hx-ws:send class="act [^>]*?id="(act|sure)-(\d+)-.*?</form>', re.DOTALL)
HIDDEN = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)"')
SELECT = re.compile(r'<select name="([^"]+)".*?>(.*?)</select>', re.DOTALL)
OPTION = re.compile(r'<option value="([^"]*)"')
BUTTON = re.compile(r'<button name="([^"]+)" value="([^"]*)"')


class Offer(msgspec.Struct, frozen=True):
    """A move that can be made."""

    move: str
    risky: bool
    args: dict[str, Any]


class Data(msgspec.Struct, rename="camel", frozen=True):
    """Of a table, what a player looks at; the rest is passed over, and so is what has not
    changed."""

    match_id: int | UnsetType | None = UNSET
    version: int | None = None
    prompt: int | UnsetType | None = UNSET
    offers: tuple[Offer, ...] | UnsetType = UNSET


class Packet(msgspec.Struct, frozen=True):
    """What comes from the server."""

    type: str
    data: Data = Data()


PACKETS = msgspec.json.Decoder(Packet)
SYNCS = ("GameDataSync", "GameDataChanged")


@dataclass
class Counted:
    """What was sent to the viewers of the tables, while they played."""

    frames: int = 0
    size: int = 0
    own: list[float] = field(default_factory=list)


class Viewer:
    """One socket at a table; plays where it has a seat."""

    def __init__(self, socket: Socket, counted: Counted) -> None:
        self.socket, self.counted = socket, counted
        self.sent: tuple[str, float] | None = None
        self.held: list[dict[str, Any]] = []
        self.until = 0.0

    def play(self, seconds: float) -> None:
        """Answer whatever is asked for so long; what is asked last is answered the next time."""
        self.until = time.monotonic() + seconds
        if self.sent is not None:  # what it has waited for meanwhile is not counted
            self.sent = (self.sent[0], time.monotonic())
        held, self.held = self.held, []
        self.socket.listen(self._take)
        for reply in held:
            self._reply(reply)

    def _take(self, frame: bytes) -> None:
        self.counted.frames += 1
        self.counted.size += len(frame)
        for reply in self.answers(frame):
            if time.monotonic() < self.until:
                self._reply(reply)
            else:
                self.held.append(reply)

    def _reply(self, reply: dict[str, Any]) -> None:
        self.socket.say(msgspec.json.encode(reply))

    def answers(self, frame: bytes) -> list[dict[str, Any]]:
        """What is to be sent after this frame."""
        raise NotImplementedError

    def asked(self, question: str) -> bool:
        """Whether this question is new; what was answered before it has been shown by now."""
        if self.sent is not None and self.sent[0] == question:
            return False
        if self.sent is not None:
            self.counted.own.append(time.monotonic() - self.sent[1])
        self.sent = (question, time.monotonic())
        return True


class Program(Viewer):
    """Plays by JSON packets, and is sent after an act what it has changed."""

    syncs = "changes"
    seen: tuple[int, int] = (0, 0)
    """The match and the version it was shown last."""
    prompt: int | None = None
    offers: tuple[Offer, ...] = ()

    async def enter(self, code: str | None, watches: bool) -> str:
        """Host a table, or join one; return its code."""
        await self.socket.next()
        if code is None:
            asked = {"type": "HostGame", "game": "mia", "options": OPTIONS}
        else:
            asked = {"type": "JoinGame", "room": code, "spectate": watches}
        self._reply(asked | {"syncs": self.syncs})
        while "room" not in (packet := json.loads(await self.socket.next())):
            pass
        return str(packet["room"])

    def answers(self, frame: bytes) -> list[dict[str, Any]]:
        packet = PACKETS.decode(frame)
        if packet.type == "GameEnd":
            return [{"type": "StartGame"}]  # (the host's alone; of others it is ignored)
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

    def _move(self) -> dict[str, Any]:
        """A random move, none that is risky while there is another."""
        offer = random.choice([one for one in self.offers if not one.risky] or self.offers)
        args = {name: random.choice(of["oneOf"]) for name, of in offer.args.items()}
        return {"type": offer.move, "prompt": self.prompt, **args}


class Page(Viewer):
    """Plays by the forms of its page."""

    def answers(self, frame: bytes) -> list[dict[str, Any]]:
        if not any(mark in frame for mark in MARKS):
            return []
        html = frame.decode()
        if '<input type="hidden" name="do" value="StartGame">' in html:
            return [{"headers": {}, "body": {"do": "StartGame"}}]
        forms = list(FORM.finditer(html))
        if '<section id="actions"' in html and not forms:
            self.sent = None  # (the next match asks by the same numbers)
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


class Room:
    """One table and its ten sockets."""

    def __init__(self, house: House, kind: type[Viewer], people: list[str]) -> None:
        self.house, self.kind, self.people = house, kind, people
        self.viewers: list[Viewer] = []
        self.counted = Counted()
        self.code = ""

    async def open(self) -> None:
        """Everybody comes in as a program; where pages are wanted, by a page afterwards."""
        host = Program(await self.connect("/api/ws/", self.people[0]), Counted())
        self.code = await host.enter(None, False)
        await host.socket.close()  # (who does not read any more would wait for it)
        path = f"/api/ws/?room={self.code}"  # which says where there are several workers
        programs = [Program(await self.connect(path, of), self.counted) for of in self.people]
        for at, program in enumerate(programs):
            await program.enter(self.code, at >= PLAYERS)
        self.viewers = list(programs)
        if self.kind is Page:
            path = f"/ws/table/{self.code}/?badge="
            self.viewers = [Page(await self.connect(path, of), self.counted) for of in self.people]
            for program in programs:
                await program.socket.close()
        else:
            await programs[0].socket.send(json.dumps({"type": "StartGame"}))

    @property
    def behind(self) -> int:
        """How many acts were shown to some programs, and not to the last."""
        seen = [viewer.seen for viewer in self.viewers if isinstance(viewer, Program)]
        newest = max(seen, default=(0, 0))
        return max(
            (newest[1] - version for match, version in seen if match == newest[0]), default=0
        )

    async def play(self, seconds: float) -> None:
        """Play for so long, and wait until everything is shown; what is counted begins anew."""
        self.counted.frames = self.counted.size = 0
        self.counted.own.clear()
        for viewer in self.viewers:
            viewer.play(seconds)
        await asyncio.sleep(seconds + AFTER)

    async def close(self) -> None:
        await asyncio.gather(*(viewer.socket.close() for viewer in self.viewers))

    async def connect(self, path: str, session: str | None = None) -> Socket:
        """A socket of the person who has this session, or of a stranger."""
        headers = {"Origin": self.house.served.url}
        if session is not None:
            headers["Cookie"] = f"sessionid={session}"
        url = self.house.served.url.replace("http", "ws") + path
        return await sockets.opened(url, headers)
