"""The client: joins a table, sends requests, receives packets and makes decisions."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Self

from parlour_client.address import read_address
from parlour_client.commands import Commands
from parlour_client.conversation import Closed
from parlour_client.decision import Decision, read_decision
from parlour_client.errors import ConnectionLost, Misused, ParlourError, Refused
from parlour_client.faults import Bot, Faults, answer_of
from parlour_client.offers import Dice, Json, Move
from parlour_client.pace import RATE, Pace
from parlour_client.seat import Seat

log = logging.getLogger("parlour_client")

PATIENCE = 600.0
"""Seconds for which a client tries to reconnect before it gives up."""
BUSY = 0.5
TOO_LATE = ("stale", "ignored")
"""Refusals of a move that only mean that the question has changed."""
NOT_YET = ("busy", "paused")
"""Refusals of a move that can be retried a little later."""
Question = tuple[int | None, int | None]
"""A match, and the number of our question in that match (`prompt`)."""


class Client(Commands):
    """A connection to a Parlour server, at one table at a time. Use it with `async with`.

    `url`: `http://host:port`, or a table's link.
    `token`: from a user's profile page, or a guest's (`client.token`), to return as the same user.
    `lang`: language of the server's sentences, or English if it is not available.
    `rate`: packets per second, 0 for no limit.
    `patience`: seconds to keep trying to reconnect.
    `dice`: source of randomness.
    `syncs`: `changes` to receive only what an act has changed. `data` is complete in either case.

    Raise Misused for a bad `url`. Entering the block raises Unreachable, or Ended for a bad token.
    """

    def __init__(
        self,
        url: str,
        *,
        token: str | None = None,
        lang: str = "en",
        syncs: str | None = None,
        rate: float = RATE,
        patience: float = PATIENCE,
        dice: Dice | None = None,
    ) -> None:
        self.address = read_address(url)
        self.dice = dice or random.Random()
        wishes = {"lang": lang, **({"syncs": syncs} if syncs else {})}
        self._seat = Seat(self.address, token, Pace(rate), patience, wishes)
        self._settled: Question | None = None
        self._told: tuple[int | None, int] = (None, 0)
        self._last_end: Json = {}

    # State

    @property
    def room(self) -> str | None:
        """The code of our table."""
        return self._seat.room

    @property
    def me(self) -> str | None:
        """Our username."""
        return self._seat.me

    @property
    def data(self) -> Json:
        """The newest `GameDataSync.data`. Empty outside a room."""
        return self._seat.memory.data

    @property
    def heard(self) -> list[Json]:
        """All events of the running or last match, as we received them."""
        return self._seat.memory.heard

    @property
    def games(self) -> dict[str, Json]:
        """The server's games by slug: name, minPlayers, maxPlayers, botLevels, options."""
        return {game["slug"]: game for game in self._seat.talk.welcome["games"]}

    @property
    def token(self) -> str | None:
        """Our token. Keep it to return to the same seat later."""
        return self._seat.talk.token

    # Joining and leaving

    async def host(self, game: str, name: str | None = None, **fields: Any) -> str:
        """Open a room and join it. Return its code.

        Further fields: options, visibility, password, invite, plays. Raise Rejected if the name is
        not accepted, or Refused for any other reason.
        """
        return await self._enter("HostGame", game=game, username=name, **fields)

    async def join(self, room: str | None = None, name: str | None = None, **fields: Any) -> str:
        """Join a table, or return to it. Return its code.

        `room` defaults to the table of the link given as `url`. Further fields: password, spectate,
        plays. Raise Rejected (`InvalidRoom`, `UsernameTaken`, `WrongPassword`, …).
        """
        code = room or self.address.room
        if code is None:
            raise Misused("Say which table to join, by its code or its link, or host one.")
        return await self._enter("JoinGame", room=code, username=name, **fields)

    async def seek(self, game: str, name: str | None = None, **fields: Any) -> str:
        """Wait for others who look for a quick match, and join their table. Return its code.

        Further fields: seats ([fewest, most] players), pace, rated, programs (whether others may be
        programs). Cancel the task to stop waiting. Raise Refused or Rejected.
        """
        wanted = {"lang": self._seat.wishes["lang"], "game": game, "username": name, **fields}
        self._seat.seeks = {key: value for key, value in wanted.items() if value is not None}
        self._seat.found = None
        try:
            await self.request("Seek", **wanted)
            await self._seat.talk.until(lambda: self._seat.found is not None)
        except asyncio.CancelledError:
            with contextlib.suppress(ParlourError):
                await self.request("CancelSeek", game=game)
            raise
        finally:
            self._seat.seeks = None
        return await self.join(self._seat.found)

    async def leave(self) -> None:
        """Leave the table, and give up the seat in a running match."""
        self._seat.is_leaving = True
        await self.request("LeaveGame")
        self._seat.forget()

    async def leave_for_new_game(self, room: str | None = None) -> str:
        """Leave a match that we only watch, for a new game with others. Return its room's code.

        `room` comes from a `NewGameOpened`. Without it, join the first such room, or open one.
        """
        self._seat.is_leaving = True
        try:
            answer = await self.request("LeaveForNewGame", room=room)
        finally:
            self._seat.is_leaving = False
        return str(answer["room"])

    async def act(self, move: Move, prompt: int | None = None) -> bool:
        """Make a move for the question `prompt` (default: the newest one).

        Return True if the move was made, or False if the question has changed. Raise Refused if the
        move is not allowed, or ConnectionLost if it is unknown whether it was made.
        """
        data = await self.until(lambda data: True)
        number = data["prompt"] if prompt is None else prompt
        made = number == data["prompt"] and await self._sent(move, number)
        self._settled = (data["matchId"], number)
        return made

    # Requests and packets

    async def request(self, packet_type: str, /, **fields: Any) -> Json:
        """Send a packet. Return the response, which comes after the change is stored.

        Fields that are None are left out. Raise Refused, Rejected, Ended, or ConnectionLost. After
        ConnectionLost, it is unknown whether the request was carried out.
        """
        given = {name: value for name, value in fields.items() if value is not None}
        return await self._seat.talk.request({"type": packet_type, **given})

    async def packets(self) -> AsyncIterator[Json]:
        """Yield all packets except responses to our requests, in order, until the client is closed.

        Raise Ended if the server ends the connection, or Unreachable if reconnecting fails.
        """
        while True:
            while self._seat.inbox:
                yield self._seat.inbox.popleft()
            try:
                await self._seat.talk.until(lambda: bool(self._seat.inbox))
            except Closed:
                return

    def __aiter__(self) -> AsyncIterator[Json]:
        return self.packets()

    async def until(self, holds: Callable[[Json], bool]) -> Json:
        """Wait until `holds` is true for the newest data of the table. Return the data."""
        await self._seat.until(lambda: holds(self.data))
        return self.data

    async def decisions(self) -> AsyncIterator[Decision]:
        """Yield each question to us in the running (or next) match until the match is over.

        Only the newest question is yielded, and only once. After a lost connection it is yielded
        again if it is still open. Answer with `client.act(move, decision.prompt)`.
        """
        passed: Question | None = None
        while (decision := await self._next_decision(passed)) is not None:
            losses = self._seat.talk.losses
            yield decision
            asked = (int(decision.data["matchId"]), decision.prompt)
            passed = asked if losses == self._seat.talk.losses else None

    async def play(self, bot: Bot, *, strict: bool = False) -> Json:
        """Let a bot play the running (or next) match. Return the match's `outcome`.

        If the bot raises an exception or returns a move that is not offered, log the first error of
        each kind and make a random move instead. Raise the 20th error of a match. If `strict` is
        set, raise the first one. The error is a ValueError for a move that is not offered.
        """
        faults = Faults()
        async for decision in self.decisions():
            try:
                move = await answer_of(bot, decision)
            except Exception as error:
                if strict:
                    raise
                faults.note(error)
                move = decision.random()
            if move is not None:
                await self._answer(decision, move)
        outcome: Json = self._last_end["outcome"]
        return outcome

    async def __aenter__(self) -> Self:
        await self._seat.talk.open()
        self._seat.me = self._seat.talk.welcome["username"]
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Disconnect without leaving the table. The token gives access to the same seat again."""
        await self._seat.talk.close()

    async def _enter(self, packet_type: str, **fields: Any) -> str:
        answer = await self.request(packet_type, **self._seat.wishes, **fields)
        await self._seat.until(lambda: True)
        return str(answer["room"])

    async def _next_decision(self, passed: Question | None) -> Decision | None:
        await self._seat.until(lambda: self._is_up_to_us(passed))
        if self._seat.memory.ended:
            self._last_end = self._seat.memory.ended.popleft()
            return None
        match_id, heard = self.data["matchId"], self.heard
        told = self._told[1] if self._told[0] == match_id else 0
        self._told = (match_id, len(heard))
        return read_decision(self.data, heard, heard[told:], self.dice)

    def _is_up_to_us(self, passed: Question | None) -> bool:
        """Whether a match has ended, or there is a question that we have neither answered nor
        skipped.
        """
        data = self.data
        if self._seat.memory.ended:
            return True
        question = (data["matchId"], data["prompt"])
        return bool(data["offers"]) and question not in (passed, self._settled)

    async def _answer(self, decision: Decision, move: Move) -> None:
        try:
            await self._until_free(move, decision.prompt)
        except ConnectionLost:
            log.info("connection lost, %s may not have arrived", move)

    async def _until_free(self, move: Move, prompt: int) -> None:
        """Make a move. Retry while the server is busy or the match is paused."""
        while True:
            try:
                await self.act(move, prompt)
                return
            except Refused as refused:
                if refused.code not in NOT_YET:
                    raise
            await asyncio.sleep(BUSY)
            await self.until(lambda data: "paused" not in data)

    async def _sent(self, move: Move, prompt: int | None) -> bool:
        """Send a move. Return True if the server accepted it, or False if it came too late."""
        try:
            await self.request(move.name, prompt=prompt, **move.args)
        except Refused as refused:
            if refused.code not in TOO_LATE:
                raise
            log.info("too late for %s: %s", move, refused.reason)
            return False
        return True
