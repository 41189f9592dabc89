"""The front page's socket: the live list, again whenever a room has changed."""

from __future__ import annotations

import asyncio
import contextlib

from asgiref.sync import sync_to_async
from channels.generic.websocket import AsyncWebsocketConsumer
from django.template.loader import render_to_string
from django.utils.translation import override

from accounts import addresses, sanctions
from accounts.guests import may_come_in
from games.consumers import GONE
from games.crier import Alert
from games.crowd import crowd
from games.hub import hub
from games.pages import accepted_language, word_on_page
from lobby.listing import own_tables, public_tables

AT_MOST_EVERY = 1.0


class LobbyConsumer(AsyncWebsocketConsumer):
    """Sends the list of tables, at most once a second, and only when it differs."""

    room_id = None

    async def connect(self) -> None:
        await self.accept()
        if not may_come_in(self.scope["user"]):
            await self.close(4001)
            return
        user, address = self.scope["user"], addresses.of_scope(self.scope)
        if not crowd.come(self, address, user.pk):
            await self.close(4008)
            return
        lock = sync_to_async(sanctions.lock_of, thread_sensitive=False)
        if await lock(self.person) is not None:
            await self.close(4003)
            return
        self.words: list[str] = []
        self.shutting = False
        self.language = accepted_language(self.scope)
        self.changed = asyncio.Event()
        self.changed.set()
        self.forget = hub().on_any_change(lambda room_id: self.changed.set())
        hub().crier.listen(self)
        self.listing = asyncio.create_task(self._keep_sending())

    async def disconnect(self, code: int) -> None:
        crowd.go(self)
        if hasattr(self, "listing"):
            self.forget()
            hub().crier.drop(self)
            self.listing.cancel()
            with contextlib.suppress(asyncio.CancelledError, *GONE):
                await self.listing

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is asked for over this socket."""

    @property
    def person(self) -> int | None:
        """Whose page this is (`games.crier.Listener`)."""
        pk: int | None = self.scope["user"].pk
        return pk

    def hear(self, alert: Alert) -> None:
        """Takes what a moderator says."""
        self.words.append(word_on_page(alert, self.language))
        self.changed.set()

    def shut(self, alert: Alert) -> None:
        """The person is locked out: a sentence, and the end of the connection."""
        self.shutting = True
        self.hear(alert)

    async def _keep_sending(self) -> None:
        sent = None
        while True:
            await self.changed.wait()
            self.changed.clear()
            words, self.words = self.words, []
            for word in words:
                await self.send(text_data=word)
            if self.shutting:
                await self.close(4003)
                return
            html = await sync_to_async(self._html, thread_sensitive=False)()
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
