"""The users of an evening: programs that choose from offers and send every command.

Commands are drawn from `games.wire.commands`, and their fields from the declared types. So a new
command is exercised without any change to this file.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Iterable
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING, Any

import msgspec.inspect as types
from msgspec import structs

from accounts import tokens
from accounts.models import User
from config.asgi import application
from games.engine import timing
from games.registry import GAMES
from games.rooms import programs
from games.wire.commands import (
    COMMANDS,
    AddBot,
    CastVote,
    CommitLuck,
    HostGame,
    JoinGame,
    Nudge,
    PlayAgain,
    Restart,
    Resume,
    RevealLuck,
    SetSpectating,
    SkipAhead,
    StartGame,
)
from games.wire.declaration import Command, When, Who
from parlour_client.luck import Luck
from tests.sim.checks import Told, offers_are_taken
from tests.sim.machine import machine
from tests.sim.server import OUTSIDE, Process

if TYPE_CHECKING:
    from tests.sim.evening import Evening

log = logging.getLogger(__name__)

Json = dict[str, Any]
REGISTERED = 0.5
"""Share of people who have an account."""
PROGRAMS = 0.3
"""Share of those who play as a program of the ladder."""
PACKETS = [one for one in COMMANDS if one.is_packet]
DRAWN = [one for one in PACKETS if one not in (HostGame, JoinGame)]
"""Packets that are drawn at random. The others lead to a table."""
TYPES = {one: types.type_info(one) for one in DRAWN}
"""The declared types of the fields of these packets."""
TEXTS = {field.encode_name for kind in COMMANDS for field in structs.fields(kind)}
"""Names of all fields of commands. Texts that programs receive under these names are sent again."""
IMPATIENT = 0.2
"""Probability of sending a command while the host should begin a match."""
NEW = 3.0
"""How much more often people send packets that have not been accepted in this evening yet."""
WATCHES = 0.2
"""Share of hosts' commands that let them watch, in evenings in which bots can be left alone."""
HURRIED = 0.6
"""Share of tables at which bots answer quickly and turns are short, so that more happens."""
UNTIMED = 0.3
"""Share of tables without a turn clock, in evenings in which people nudge."""
CATCHES_UP = 1.0
"""Seconds within which a stalled reader catches up."""
LINGERS = 8.0
"""Maximum seconds until the server notices that a user has gone."""


class Away(Exception):
    """The connection is over."""


class Line:
    """A connection to the server. Frames take some milliseconds in each direction."""

    def __init__(
        self, process: Process, evening: Evening, headers: Iterable[tuple[str, str]]
    ) -> None:
        self._dice, self._loop = evening.dice, asyncio.get_running_loop()
        self._process, self._faults = process, evening.faults
        self._scope = {
            "type": "websocket",
            "path": "/api/ws/",
            "query_string": b"",
            "headers": [(k.encode(), v.encode()) for k, v in headers],
            "subprotocols": [],
        }
        self._to_server: asyncio.Queue[Json] = asyncio.Queue()
        self._to_client: asyncio.Queue[Json] = asyncio.Queue()
        self._arrives = [machine.now, machine.now]
        self.is_cut = False
        self._is_read = asyncio.Event()
        self._is_read.set()
        self._read_since = machine.now
        process.lines.append(self)
        process.run(self._serve())
        self._up({"type": "websocket.connect"})

    def send(self, packet: Json) -> None:
        self._up({"type": "websocket.receive", "text": json.dumps(packet)})

    def cut(self, noticed: float = 0.0) -> None:
        """Close the connection. The server notices it after some seconds."""
        self.is_cut = True
        self._up({"type": "websocket.disconnect", "code": 1006}, noticed)
        self._loop.call_later(noticed, self._is_read.set)  # nothing waits for a closed connection

    def stall(self, seconds: float) -> None:
        """Read no frame for some time, so that the server cannot send more."""
        self._is_read.clear()
        self._read_since = machine.now + seconds
        self._loop.call_later(seconds, self._is_read.set)

    @property
    def holds(self) -> bool:
        """Whether neither side has ended the connection, and the client has read all frames."""
        is_read = machine.now > self._read_since + CATCHES_UP
        return self._process.lives and not self.is_cut and is_read

    def break_off(self) -> None:
        """End the connection after the frames that are already on their way."""
        self._down({"type": "websocket.close", "code": 1006})

    async def read(self, until: float) -> str | None:
        """Return the next frame, or None if none has arrived in time.

        Raise Away if the connection has ended.
        """
        try:
            async with asyncio.timeout_at(until):
                frame = await self._to_client.get()
        except TimeoutError:
            return None
        if frame["type"] == "websocket.close" or self.is_cut:
            self.is_cut = True
            raise Away
        text: str = frame["text"]
        return text

    async def _serve(self) -> None:
        try:
            await application(self._scope, self._to_server.get, self._send)
        except Exception:
            log.exception("a connection failed")
        self._process.lines.remove(self)
        self.break_off()

    async def _send(self, message: Json) -> None:
        await self._is_read.wait()
        self._faults.at("FRAME")
        if message["type"] in ("websocket.send", "websocket.close"):
            self._down(message)
        if message["type"] == "websocket.close":
            self._to_server.put_nowait(
                {"type": "websocket.disconnect", "code": message.get("code")}
            )

    def _up(self, message: Json, later: float = 0.0) -> None:
        self._loop.call_later(self._delay(0) + later, self._to_server.put_nowait, message)

    def _down(self, message: Json) -> None:
        """Send a frame, which arrives even if the process is killed in the meantime."""
        put, context = self._to_client.put_nowait, OUTSIDE.context
        self._loop.call_later(self._delay(1), put, message, context=context)

    def _delay(self, way: int) -> float:
        """Return a random time for a frame to arrive. No frame overtakes another."""
        at = max(machine.now + self._dice.uniform(0.001, 0.03), self._arrives[way] + 1e-6)
        self._arrives[way] = at
        return at - machine.now


class Person:
    """A user's program, which plays fast or slowly, and stays or leaves."""

    def __init__(self, evening: Evening, name: str) -> None:
        self.evening, self.name = evening, name
        self.dice = Random(f"{evening.shape.seed} {name}")
        self.token = _registered(name, self.dice) if self.dice.random() < REGISTERED else None
        self.called = name
        """The name given at tables. Another one is tried if it is taken."""
        self.room: str | None = None
        self.pace = self.dice.choice((0.05, 0.1, 0.2, 0.5))
        self.stays = self.dice.choice((15.0, 60.0, 600.0, 600.0))
        self.silent = self.dice.choice((0.0, 0.0, 0.0, 0.02, 0.2))
        self.stalls = self.dice.choice((0.0, 0.0, 0.01, 0.1))
        """Probability of reading nothing for a while."""
        self.bold = self.dice.choice((0.01, 0.02, 0.1))
        """Probability of sending a command instead of a move, or while others must move."""
        self.seeks = self.dice.choice((0.0, 0.1, 0.5))
        """Probability of sending a command instead of going to a table."""
        self.syncs = self.dice.choice(("whole", "changes"))
        self.likes = {one: self.dice.random() ** 3 + 0.01 for one in DRAWN}
        self.luck = Luck() if self.dice.random() < 0.5 else None
        """Adds shares to the luck, as our library does. None for programs that add none."""
        self.seen: dict[str, list[str]] = {}
        self.here: dict[str, list[str]] = {}
        """Texts of the last sync, by the names of their fields."""
        self.told = Told(self.name)
        self.number = 0
        self.answered = (0, 0)
        """The match and version at which the last offer was chosen."""
        self._is_known = False
        """Whether the server has answered on this connection."""
        self.gone_at = 0.0
        """When the server notices that the last connection is over."""

    async def spend_the_evening(self) -> None:
        await self.evening.rest(self.dice.uniform(0, 2))
        while not self.evening.is_over:
            with suppress(Away):
                await self._visit()
            if not self._is_known and self.dice.random() < 0.3:
                self.token = None  # the account was locked or erased
            await self.evening.rest(self.dice.choice((0.05, 1.0, 9.0)))

    async def _visit(self) -> None:
        if (process := self.evening.server.pick()) is None:
            return
        headers = [("authorization", f"Bearer {self.token}")] if self.token else []
        self.evening.tell(f"{self.name} comes")
        self.line, self._is_known = Line(process, self.evening, headers), False
        self.told = Told(self.name)
        if self.luck is not None:
            self.luck.reconnected()
        self.sent: dict[int, Json] = {}
        self.act_at = machine.now + 0.3
        leaves_at = machine.now + self.dice.expovariate(1 / self.stays)
        leaves_at = min(leaves_at, self.evening.ends_at)
        while machine.now < leaves_at and not self.evening.is_over:
            until = min(self.act_at, leaves_at)
            if (frame := await self.line.read(until)) is not None:
                self._note(frame)
            elif until == leaves_at:
                break
            else:
                if self.dice.random() < self.stalls:
                    self.line.stall(self.dice.choice((0.5, 5.0, 30.0)))
                self._act()
        self._go()

    def _go(self) -> None:
        """Cut the connection, which the server may notice only later."""
        lingers = self.evening.ends_late or machine.now < self.evening.ends_at
        noticed = self.dice.choice((0.0, 0.0, LINGERS)) if lingers else 0.0
        self.gone_at = max(self.gone_at, machine.now + noticed)
        self.line.cut(noticed)

    def _note(self, frame: str) -> None:
        self.evening.note(self.name, frame)
        packet = json.loads(frame)
        self.told.note(packet)
        self._is_known = True
        _gather(packet, "", self.seen)
        kind, asked = packet["type"], self.sent.pop(packet.get("id", 0), None)
        if asked is not None and kind not in ("ActionFailed", "PlayerJoinRejected"):
            self.evening.accepted.add(asked["type"])
        elif asked is not None and "prompt" in asked:
            offers_are_taken(self.name, asked, packet["code"], *self.answered)
        if kind in ("GameCreated", "GameJoined", "GameRejoined"):
            self.room, self.token = packet["room"], packet.get("token", self.token)
            if self.room not in self.evening.rooms:
                self.evening.rooms.append(self.room)
        elif kind == "PlayerLeft" and packet["username"] == self.told.data.get("you"):
            self.room, self.told = None, Told(self.name)
        elif kind == "PlayerJoinRejected":
            self.act_at = max(self.act_at, machine.now + self.dice.choice((0.1, 1.0, 5.0)))
            if packet["reason"] in ("Kicked", "InvalidRoom", "RoomFull"):
                self.room = None
            elif packet["reason"] == "UsernameTaken":
                self.called = f"{self.name}{self.dice.randrange(100)}"
            elif self.dice.random() < 0.3:
                self.room = self.token = None
        elif kind in ("Invited", "Matched", "TableStart") and self.room is None:
            self.room, self.token = packet["room"], packet.get("token", self.token)
        elif kind == "Done" and "version" in packet and asked is not None:
            done = (self.room, self.name, asked["prompt"], packet["version"])
            self.evening.acknowledged.append(done)
        if self.told.data.get("offers"):
            self.act_at = min(self.act_at, machine.now + self.dice.expovariate(1 / self.pace))

    def _act(self) -> None:
        self.act_at = machine.now + self.dice.expovariate(1 / (self.pace * 1.5))
        offers = self.told.data.get("offers")
        if not self.told.data:
            if not self.sent or self.dice.random() < self.bold:
                self._go_to_a_table()
        elif self.dice.random() < self.silent:
            self.act_at += 10
        elif self._add_luck():
            pass
        elif (called := self._called_for()) and self.dice.random() < 0.3:
            self._send(self.dice.choice(called))
        elif offers and self.dice.random() > self.bold:
            self._move(offers)
        elif self.dice.random() < self._urge():
            self._command()

    def _urge(self) -> float:
        """Return the probability of sending a command while there is no move to make."""
        if self.told.data["status"] == "playing":
            return self.bold
        return 1.0 if self._hosts else IMPATIENT

    def _go_to_a_table(self) -> None:
        if self.dice.random() < self.seeks and self._command():
            return
        rooms = self.evening.rooms
        if self.room is None and len(rooms) >= self.evening.shape.tables:
            self.room = self.dice.choice(rooms)
        about = {"username": self.called, "syncs": self.syncs}
        if self.room is not None:
            self._ask("JoinGame", room=self.room, **about)
            return
        game = self.dice.choice(self.evening.games)
        rooms_options = self._options(game) if self.dice.random() < 0.5 else {}
        if self.dice.random() < HURRIED:
            rooms_options["pace"] = "bullet"
        if Nudge in self.evening.commands and self.dice.random() < UNTIMED:
            rooms_options["pace"] = timing.NO_CLOCK
        self._ask("HostGame", game=game["slug"], options=rooms_options, **about)

    def _move(self, offers: list[Json]) -> None:
        """Make an offered move, sometimes twice, sometimes with the previous question's prompt."""
        offer = self.dice.choice([one for one in offers if not one["risky"]] or offers)
        fields = {name: _chosen(self.dice, of) for name, of in offer["args"].items()}
        self.answered = self.told.data["matchId"], self.told.data["version"]
        prompt = self.told.data["prompt"]
        prompt -= self.dice.random() < 0.1 and prompt > 0
        for _ in range(self.dice.choice((1,) * 9 + (2,))):
            self._ask(offer["move"], prompt=prompt, **fields)

    def _command(self) -> bool:
        """Send a random command. Return False if this evening has no suitable one.

        Hosts mostly start matches. Commands that are not allowed now are rarely sent.
        """
        data = self.told.data
        if data and self._hosts and data["status"] != "playing" and self.dice.random() < 0.7:
            if {Restart, SkipAhead} & self.evening.commands and self.dice.random() < WATCHES:
                self._ask(SetSpectating.__name__, spectating=True)
            else:
                self._ask(self._to_begin().__name__)
            return True
        kinds = [one for one in DRAWN if one in self.evening.commands]
        if self.dice.random() < 0.9:
            kinds = [one for one in kinds if self._may_send(one)]
        if kinds:
            weights = [self.likes[one] * (1 if self._is_old(one) else NEW) for one in kinds]
            (kind,) = self.dice.choices(kinds, weights)
            self._send(kind)
        return bool(kinds)

    def _to_begin(self) -> type[Command]:
        """Return a command that leads to a match: mostly another bot while players are missing."""
        seated = [one for one in self.told.data["players"] if not one["isSpectator"]]
        least, _ = GAMES[self.told.data["game"]].seats
        if len(seated) < least and self.dice.random() < 0.8:
            return AddBot
        return self.dice.choice((StartGame, StartGame, AddBot, PlayAgain))

    @property
    def _hosts(self) -> bool:
        return bool(self.told.data["gameHost"] == self.told.data["you"])

    def _may_send(self, kind: type[Command]) -> bool:
        """Whether a command is allowed now, according to its declaration."""
        if not (data := self.told.data):
            return kind.who is Who.ANYBODY
        me = next((one for one in data["players"] if one["username"] == data["you"]), None)
        watches = me is None or me["isSpectator"]
        runs, is_paused = data["status"] == "playing", "paused" in data
        allowed = {
            Who.ANYBODY: False,
            Who.MEMBER: True,
            Who.PLAYER: not watches,
            Who.HOST: self._hosts,
            Who.HOST_OR_SEATED: self._hosts or not watches,
            Who.SPECTATOR: watches or not runs,
            When.ANY: True,
            When.OPEN: not runs,
            When.PLAYING: runs and not is_paused,
            When.PAUSED: is_paused,
            When.RUNNING: runs,
        }
        return allowed[kind.who] and allowed[kind.when]

    def _called_for(self) -> list[type[Command]]:
        """Return commands of this evening that are accepted only in rare states like this one."""
        data = self.told.data
        hosts, plays = self._hosts, data["status"] == "playing"
        left = [one for one in data["players"] if one["inGame"] and not one["isSpectator"]]
        paused, only_bots = "paused" in data, plays and all(one["isBot"] for one in left)
        called = {
            CastVote: data["you"] in data.get("vote", {}).get("voters", ()),
            Resume: hosts and paused,
            Nudge: hosts and plays and not paused and data["deadline"] is None,
            SkipAhead: only_bots and not paused,
            Restart: hosts and only_bots,
        }
        return [
            one for one, is_called in called.items() if is_called and one in self.evening.commands
        ]

    def _is_old(self, kind: type[Command]) -> bool:
        return kind.__name__ in self.evening.accepted

    def _add_luck(self) -> bool:
        """Commit to a secret, or open it, if the table asks for that now."""
        if self.luck is None or not {CommitLuck, RevealLuck} <= self.evening.commands:
            return False
        packets = list(self.luck.answers(self.told.data, self.told.data["you"]))
        for packet in packets:
            self._ask(packet.pop("type"), **packet)
        return bool(packets)

    def _send(self, kind: type[Command]) -> None:
        """Send a command with random field values."""
        self.here = {}
        _gather(self.told.data, "", self.here)
        self._ask(kind.__name__, **self._fields(TYPES[kind]))

    def _ask(self, kind: str, **fields: Any) -> None:
        self.number += 1
        packet = {"type": kind, "id": self.number, **fields}
        self.sent[self.number] = packet
        told = " ".join(f"{name} {of}" for name, of in fields.items())
        self.evening.tell(f"{self.name} {kind} {told}"[:160])
        self.line.send(packet)

    def _fields(self, of: Any) -> Json:
        drawn: Json = {}
        for field in of.fields:
            if field.required or self.dice.random() < 0.6:
                drawn[field.encode_name] = self._value(field.type, field.encode_name, drawn)
        return drawn

    def _value(self, kind: Any, name: str, drawn: Json) -> Any:
        """Draw a value of a declared type. `drawn` holds the other fields, as far as drawn."""
        dice = self.dice
        match kind:
            case types.Metadata(type=inner, extra_json_schema=about):
                examples = (about or {}).get("examples", [])
                if isinstance(inner, types.StrType) and dice.random() < 0.9:
                    if (here := self.here.get(name)) and dice.random() < 0.5:
                        return dice.choice(here)
                    return dice.choice([*self.seen.get(name, []), *examples] or [""])
                return self._value(inner, name, drawn)
            case types.UnionType(types=among):
                return self._value(dice.choice(among), name, drawn)
            case types.StructType():
                return self._fields(kind)
            case types.LiteralType(values=among):
                return dice.choice(among)
            case types.BoolType():
                return dice.random() < 0.5
            case types.IntType(ge=least, le=most):
                least = least or 0
                return dice.choice((least, least + 1, dice.randint(least, most or 60)))
            case types.VarTupleType(item_type=item):
                return [self._value(item, name, drawn) for _ in range(dice.randrange(3))]
            case types.DictType():
                slug = drawn.get("game", self.told.data.get("game"))
                games = self.evening.games
                return self._options(next((one for one in games if one["slug"] == slug), games[0]))
            case types.StrType():
                known = self.seen.get(name) or [of for all_ in self.seen.values() for of in all_]
                return dice.choice(known or [""])[:200]
        return None

    def _options(self, game: Json) -> Json:
        """Draw some options of a game from their JSON Schema.

        Most numbers are small, so that more matches end.
        """
        drawn: Json = {}
        for name, schema in game["options"]["properties"].items():
            if self.dice.random() < 0.8:
                continue
            if "enum" in schema:
                drawn[name] = self.dice.choice(schema["enum"])
            elif schema["type"] == "integer":
                least, most = schema["minimum"], schema["maximum"]
                drawn[name] = least + int((most - least + 1) * self.dice.random() ** 4)
            elif schema["type"] == "boolean":
                drawn[name] = self.dice.random() < 0.5
        return drawn


def _registered(name: str, dice: Random) -> str:
    """Register a user, who can be invited. Return a token for their programs."""
    user = User.objects.create(username=name, name=name)
    if dice.random() > PROGRAMS:
        return tokens.make(user)
    program = programs.make_program(user.pk, f"{name} plays").result()
    _, token = programs.make_version(user.pk, program.pk).result()
    return token


def _chosen(dice: Random, of: Json) -> Any:
    if "oneOf" in of:
        return dice.choice(of["oneOf"])
    return dice.sample(of["some"], dice.randint(of["least"], of["most"]))


def _gather(packet: Any, name: str, seen: dict[str, list[str]]) -> None:
    """Record the texts of a packet that fit a field of a command, keyed by field name."""
    if type(packet) is dict:
        for key, value in packet.items():
            _gather(value, key, seen)
    elif type(packet) is list:
        for value in packet:
            _gather(value, name, seen)
    elif (
        name in TEXTS
        and type(packet) is str
        and packet not in (known := seen.setdefault(name, []))[-60:]
    ):
        known.append(packet)
