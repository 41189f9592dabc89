"""The ASGI application: HTTP, WebSockets, and a lifespan for background work."""

import asyncio
import os

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

from typing import Any, cast

from config.http import get_application

http = get_application()

from channels.auth import AuthMiddlewareStack
from channels.routing import ProtocolTypeRouter, URLRouter
from django.db import DatabaseError
from django.urls import path, re_path

from config.body_limit import BodyLimit
from config.log_context import RequestIds
from config.probes import Probes
from games.engine.reachable import reading
from games.engine.reading import LONGEST_WAIT_S
from games.runtime.lifespan import lifespan
from games.sockets.api_consumer import ApiConsumer
from games.sockets.origins import is_our_origin
from games.sockets.screens import ScreenConsumer
from lobby.consumers import LobbyConsumer, YouConsumer
from lobby.reference import build_documents
from lobby.storage_away import RETRY_AFTER
from lobby.table_page import TablePageConsumer
from operations.metrics import Metrics


async def nowhere(scope: Any, receive: Any, send: Any) -> None:
    """Refuse a socket with an unknown path or a foreign origin."""
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
    """Accept programs from any origin. Accept pages' sockets only from this site's own pages."""
    if scope["path"].startswith("/api/"):
        inner = programs
    else:
        inner = pages if is_our_origin(scope) else nowhere
    known = None
    try:
        if not reading.is_down():
            async with asyncio.timeout(LONGEST_WAIT_S):
                known = await _with_who_it_is(scope)
    except TimeoutError:
        pass  # other sockets wait for the database as well
    except DatabaseError as error:
        if not reading.failed(error):
            raise
    if known is None:
        await _refuse_for_now(receive, send)
        return
    await inner(known, receive, send)


async def _refuse_for_now(receive: Any, send: Any) -> None:
    """Reject the handshake with status 503, because the database is slow or cannot be reached."""
    await receive()
    headers = [(b"retry-after", str(RETRY_AFTER).encode())]
    await send({"type": "websocket.http.response.start", "status": 503, "headers": headers})
    await send({"type": "websocket.http.response.body", "body": b""})


async def _with_who_it_is(scope: Any) -> Any:
    """Return the scope with the cookies, session and user added by Channels.

    This function runs in a separate task, so that Channels' nested calls, copies of the scope and
    Django's context variables are freed while the socket is open.
    """
    known = [scope]

    async def note(scope: Any, receive: Any, send: Any) -> None:
        known[0] = scope

    await asyncio.create_task(AuthMiddlewareStack(note)(scope, None, None))
    return known[0]


build_documents()
application = ProtocolTypeRouter(
    {
        "http": Probes(RequestIds(Metrics(BodyLimit(http)))),
        "websocket": RequestIds(websocket),
        "lifespan": lifespan,
    }
)
