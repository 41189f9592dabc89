"""The ASGI application: HTTP, WebSockets, and a lifespan for what runs beside them."""

import asyncio
import os
from contextlib import suppress

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from typing import Any, cast

from config.http import get_application

http = get_application()

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from channels.security.websocket import AllowedHostsOriginValidator
from django.urls import path, re_path

from config.log_context import RequestIds
from config.probes import Probes
from games.runtime import stopping
from games.runtime.background import background
from games.sockets.consumers import ApiConsumer, is_readable
from games.sockets.hub import close_hub
from games.sockets.screens import ScreenConsumer
from lobby.consumers import LobbyConsumer, YouConsumer
from lobby.reference import build_documents
from lobby.table_page import TablePageConsumer
from operations.metrics import Metrics


async def lifespan(scope: Any, receive: Any, send: Any) -> None:
    """Start the clock and Mia over UDP with the server and stop them with it."""
    while True:
        message = await receive()
        if message["type"] == "lifespan.startup":
            background.start()
            await send({"type": "lifespan.startup.complete"})
        elif message["type"] == "lifespan.shutdown":
            stopping.within(stopping.share(0.3), "the clock", background.stop)
            with suppress(TimeoutError):
                async with asyncio.timeout(stopping.share(0.1)):
                    await close_hub()
            await send({"type": "lifespan.shutdown.complete"})
            return


async def nowhere(scope: Any, receive: Any, send: Any) -> None:
    """Turn away requests for sockets that do not exist here; the router would raise."""
    await receive()
    await send({"type": "websocket.close"})


pages = URLRouter(
    [
        path("ws/table/<str:code>/", TablePageConsumer.as_asgi()),
        path("ws/screen/<str:code>/", ScreenConsumer.as_asgi()),
        path("ws/lobby/", LobbyConsumer.as_asgi()),
        path("ws/you/", YouConsumer.as_asgi()),
        re_path("", cast(Any, nowhere)),
    ]
)
programs = URLRouter([path("api/ws/", ApiConsumer.as_asgi()), re_path("", cast(Any, nowhere))])


async def websocket(scope: Any, receive: Any, send: Any) -> None:
    """Programs may come from anywhere; sockets that speak for a page only from our own."""
    headers = [pair for pair in scope["headers"] if not _is_junk(*pair)]
    known = await _with_who_it_is({**scope, "headers": headers})
    inner = programs if scope["path"].startswith("/api/") else AllowedHostsOriginValidator(pages)
    await inner(known, receive, send)


async def _with_who_it_is(scope: Any) -> Any:
    """The scope as Channels completes it: cookies, session, user. What it leaves behind for that
    (a call in a call, a copy of the scope for each, and a context full of what Django keeps there)
    is not kept as long as the socket is."""
    known = [scope]

    async def note(scope: Any, receive: Any, send: Any) -> None:
        known[0] = scope

    await asyncio.create_task(AuthMiddlewareStack(note)(scope, None, None))
    return known[0]


def _is_junk(name: bytes, value: bytes) -> bool:
    """An Origin that is no address counts as none."""
    return name == b"origin" and not is_readable(value.decode("latin-1"))


build_documents()
application = ProtocolTypeRouter(
    {
        "http": Probes(RequestIds(Metrics(http))),
        "websocket": RequestIds(websocket),
        "lifespan": lifespan,
    }
)
