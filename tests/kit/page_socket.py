"""WebSocket connections of pages."""

from __future__ import annotations

import asyncio
from typing import Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client

from accounts.models import User
from config.asgi import application
from tests.kit.factories import PersonFactory
from tests.kit.waiting import PATIENCE

OURS = "http://testserver"


class Connection(WebsocketCommunicator):
    """A socket of the real application that allows for a busy machine and fails fast on errors."""

    async def connect(self, timeout: float = PATIENCE) -> tuple[bool, Any]:
        return await super().connect(timeout)  # type: ignore[no-any-return]

    async def receive_from(self, timeout: float = PATIENCE) -> Any:
        return await super().receive_from(timeout)

    async def disconnect(self, code: int = 1000, timeout: float = PATIENCE) -> None:
        await super().disconnect(code, timeout)

    async def receive_output(self, timeout: float = PATIENCE) -> Any:
        """Return the next frame. If the application fails, raise its error at once."""
        if self.output_queue.empty() and not self.future.done():
            output = asyncio.ensure_future(self.output_queue.get())
            first = asyncio.FIRST_COMPLETED
            await asyncio.wait({output, self.future}, timeout=timeout, return_when=first)
            if output.done():
                return output.result()
            output.cancel()
        if self.output_queue.empty():
            if not self.future.done():
                raise TimeoutError("nothing comes")
            self.future.result()
        return self.output_queue.get_nowait()


def logged_in() -> tuple[Any, str]:
    """Create a user with a session and return the session's cookie."""
    person = PersonFactory(name="Ann")
    return person, cookie_of(person)


def cookie_of(person: User) -> str:
    """Return the cookie of a new session of this user."""
    client = Client()
    client.force_login(person, backend="django.contrib.auth.backends.ModelBackend")
    return f"sessionid={client.cookies['sessionid'].value}"


def socket(path: str, cookie: str, origin: str | None = OURS) -> Connection:
    headers = [(b"cookie", cookie.encode()), (b"host", b"testserver")]
    if origin:
        headers.append((b"origin", origin.encode()))
    return Connection(application, path, headers=headers)


async def text(page: Connection, part: str) -> str:
    """Return the first frame that contains this text. Raise TimeoutError if none arrives."""
    async with asyncio.timeout(PATIENCE):  # heartbeats never stop
        while True:
            frame = await page.receive_from()
            if part in frame:
                return str(frame)


async def guest() -> Any:
    return await sync_to_async(PersonFactory)()


async def closing(page: Connection) -> int:
    """Read until the server closes the connection, and return the close code.

    Raise TimeoutError if the connection stays open.
    """
    async with asyncio.timeout(PATIENCE):
        while True:
            output = await page.receive_output()
            if output["type"] == "websocket.close":
                return int(output["code"])
