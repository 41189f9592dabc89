"""The sockets of pages."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.test import Client

from config.asgi import application
from tests.kit.factories import PersonFactory

OURS = "http://testserver"


def logged_in() -> tuple[Any, str]:
    """A person with a session; the cookie of it."""
    person, client = PersonFactory(name="Ann"), Client()
    client.force_login(person)
    return person, f"sessionid={client.cookies['sessionid'].value}"


def socket(path: str, cookie: str, origin: str | None = OURS) -> WebsocketCommunicator:
    headers = [(b"cookie", cookie.encode()), (b"host", b"testserver")]
    if origin:
        headers.append((b"origin", origin.encode()))
    return WebsocketCommunicator(application, path, headers=headers)


async def text(page: WebsocketCommunicator, part: str) -> str:
    """The first frame that holds this."""
    while True:
        frame = await page.receive_from(timeout=20)
        if part in frame:
            return str(frame)


async def guest() -> Any:
    return await sync_to_async(PersonFactory)()


async def closing(page: WebsocketCommunicator) -> int:
    """Reads on until the server closes the connection; the code it gives."""
    while True:
        output = await page.receive_output(timeout=20)
        if output["type"] == "websocket.close":
            return int(output["code"])
