"""The front page's socket: the live list, again whenever a room has changed."""

from __future__ import annotations

import asyncio
import contextlib

from channels.generic.websocket import AsyncWebsocketConsumer
from django.template.loader import render_to_string
from django.utils.translation import override

from accounts.guests import may_come_in
from games.consumers import GONE
from games.hub import hub
from games.pages import accepted_language
from games.reading import in_thread
from lobby.listing import own_tables, public_tables

AT_MOST_EVERY = 1.0


class LobbyConsumer(AsyncWebsocketConsumer):
    """Sends the list of tables, at most once a second, and only when it differs."""

    async def connect(self) -> None:
        await self.accept()
        if not may_come_in(self.scope["user"]):
            await self.close(4001)
            return
        self.language = accepted_language(self.scope)
        self.changed = asyncio.Event()
        self.changed.set()
        self.forget = hub().on_any_change(lambda room_id: self.changed.set())
        self.listing = asyncio.create_task(self._keep_sending())

    async def disconnect(self, code: int) -> None:
        if hasattr(self, "listing"):
            self.forget()
            self.listing.cancel()
            with contextlib.suppress(asyncio.CancelledError, *GONE):
                await self.listing

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is asked for over this socket."""

    async def _keep_sending(self) -> None:
        sent = None
        while True:
            await self.changed.wait()
            self.changed.clear()
            html = await in_thread(self._html)
            if html != sent:
                sent = html
                await self.send(text_data=html)
            await asyncio.sleep(AT_MOST_EVERY)

    def _html(self) -> str:
        with override(self.language):
            context = {"tables": public_tables(), "own": own_tables(self.scope["user"])}
            return "".join(
                f'<hx-partial hx-target="#{name}" hx-swap="outerMorph">'
                f"{render_to_string(f'lobby/{name}.html', context)}</hx-partial>"
                for name in ("own", "tables")
            )
