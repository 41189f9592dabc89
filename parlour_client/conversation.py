"""A persistent connection to a server: sends requests, returns responses, and reconnects."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from itertools import count
from typing import Any

from websockets.asyncio.client import ClientConnection

from parlour_client import link
from parlour_client.address import Address
from parlour_client.errors import ConnectionLost, ParlourError, Refused, Rejected, Unreachable
from parlour_client.offers import Json
from parlour_client.pace import Pace, back_off

log = logging.getLogger("parlour_client")

Ask = Callable[[Json], Awaitable[Json]]
"""Sends a packet over a particular connection. Returns the response."""


class Closed(ParlourError):
    """The client was closed."""


class Conversation:
    """A connection that reconnects when it is lost.

    `hear` is called with every packet, and with whether the packet responds to a request. `again`
    is awaited on every new connection before other requests, to rejoin the table. `token` is sent
    as Bearer. `patience` is the number of seconds to keep trying.
    """

    def __init__(
        self,
        address: Address,
        token: str | None,
        pace: Pace,
        patience: float,
        hear: Callable[[Json, bool], None],
        again: Callable[[Ask], Awaitable[None]],
    ) -> None:
        self.address, self.token, self.patience = address, token, patience
        self.welcome: Json = {}
        self.losses = 0
        self._pace, self._hear, self._again = pace, hear, again
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._socket: ClientConnection | None = None
        self._over: ParlourError | None = None
        self._arrived = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_open(self) -> bool:
        """Whether requests can be sent."""
        return self._socket is not None

    @property
    def is_over(self) -> bool:
        return self._over is not None

    async def open(self) -> None:
        """Open the first connection. Raise Unreachable if that fails, or Ended for a bad token."""
        try:
            socket, self.welcome = await link.open_link(self.address, self.token)
        except ConnectionLost as lost:
            raise Unreachable(str(lost)) from lost
        self._socket = socket
        self.keep(self._live(socket))

    async def close(self) -> None:
        """Cancel all tasks and waiting requests, and disconnect."""
        self.end(Closed("The client was closed."))
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    async def request(self, packet: Json) -> Json:
        """Send a packet as soon as there is a connection. Return the response.

        Raise Refused, Rejected, ConnectionLost, or the error that ended the conversation. After
        ConnectionLost, it is unknown whether the request was carried out.
        """
        await self.until(lambda: self.is_open)
        assert self._socket is not None
        return await self._ask(self._socket, packet)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until `holds` is true. It is checked after every packet.

        Raise the error that ended the conversation if it has ended.
        """
        while not holds():
            if self._over is not None:
                raise self._over
            await self._arrived.wait()

    def end(self, error: ParlourError) -> None:
        """End the conversation with this error, which all waiting callers get.

        If the conversation has already ended, the first error is kept.
        """
        if self._over is None:
            self._over = error
            self._fail_waiting(error)
            self.wake()

    def wake(self) -> None:
        """Let all waiting tasks check their conditions again."""
        self._arrived.set()
        self._arrived = asyncio.Event()

    def keep(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Run a background task. It is cancelled at the end of the conversation."""
        task = asyncio.get_running_loop().create_task(coroutine)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _live(self, socket: ClientConnection) -> None:
        try:
            while True:
                try:
                    await self._read_on(socket)
                except ConnectionLost as lost:
                    self._lose(lost)
                    await socket.close()
                    socket = await self._come_back(lost)
        except ParlourError as error:
            self.end(error)
        except Exception as error:
            log.exception("a packet could not be understood")
            self.end(ParlourError(f"A packet could not be understood: {error!r}."))

    async def _read_on(self, socket: ClientConnection) -> None:
        while True:
            packet = await link.read(socket)
            log.debug("<- %s", packet)
            asked = self._waiting.get(packet.pop("id", None))
            self._hear(packet, asked is not None)
            if asked is not None and not asked.done():
                _settle(asked, packet)
            self.wake()

    async def _come_back(self, lost: ConnectionLost) -> ClientConnection:
        """Reconnect. Raise Unreachable if that takes too long, or Ended for a bad token."""
        loop = asyncio.get_running_loop()
        give_up = loop.time() + self.patience
        for pause in back_off():
            log.warning("%s Trying again in %.1f s.", lost, pause)
            await asyncio.sleep(pause)
            try:
                socket, self.welcome = await link.open_link(self.address, self.token)
                self.keep(self._resume(socket))
                return socket
            except ConnectionLost as again:
                lost = again
            if loop.time() >= give_up:
                break
        raise Unreachable(f"{lost} Giving up.")

    async def _resume(self, socket: ClientConnection) -> None:
        """Rejoin the table before sending other requests. A rejection ends the conversation."""
        try:
            await self._again(lambda packet: self._ask(socket, packet))
        except Rejected as rejected:
            self.end(rejected)
        except ParlourError as error:
            log.warning("reconnecting failed: %s", error)
            await socket.close(1001)
        else:
            self._socket = socket
            self.wake()

    async def _ask(self, socket: ClientConnection, packet: Json) -> Json:
        await self._pace.take()
        number = next(self._numbers)
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        log.debug("-> %s", packet)
        try:
            await link.write(socket, {**packet, "id": number})
            return await answer
        finally:
            del self._waiting[number]
            with contextlib.suppress(asyncio.CancelledError, asyncio.InvalidStateError):
                answer.exception()  # prevents asyncio's warning if the write failed

    def _lose(self, lost: ConnectionLost) -> None:
        self.losses += 1
        self._socket = None
        self._fail_waiting(lost)

    def _fail_waiting(self, error: ParlourError) -> None:
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(error)


def _settle(asked: asyncio.Future[Json], answer: Json) -> None:
    match answer["type"]:
        case "ActionFailed":
            asked.set_exception(Refused(answer["code"], answer["reason"]))
        case "PlayerJoinRejected":
            asked.set_exception(Rejected(answer["reason"], answer["message"]))
        case _:
            asked.set_result(answer)
