"""Sockets of pages beside the table: one's own tables on every page, the live list on the front."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.utils.translation import override

from accounts import addresses, sanctions
from accounts.guests import may_come_in
from accounts.models import User
from games.engine.reading import in_thread
from games.sockets.announcements import Alert
from games.sockets.connections import Socket, connection_limiter
from games.sockets.hub import hub
from games.sockets.outbox import GONE
from games.sockets.pages import accepted_language, word_on_page
from lobby.calls import calls
from lobby.listing import mine, public_tables

AT_MOST_EVERY = 1.0
AT_LEAST_EVERY = 60.0
"""The net below the notifications, which may be lost between processes."""


class PartsConsumer(Socket):
    """Sends parts of a page, at most once a second, and each only when it differs."""

    parts: tuple[str, ...] = ()
    at = ""
    rooms: frozenset[int] = frozenset()
    user_id = 0

    room_id = None

    ending = 0

    async def connect(self) -> None:
        self.changed = asyncio.Event()
        self.changed.set()
        await self.accept()
        if not self.is_welcome():
            await self.close(4001)
            return
        user, address = self.scope["user"], addresses.of_scope(self.scope)
        if not connection_limiter.acquire(self, address, user.pk):
            await self.close(4008)
            return
        if await in_thread(sanctions.lock_of, self.person) is not None:
            await self.close(4003)
            return
        self.words: list[str] = []
        self.language = accepted_language(self.scope)
        self.user_id = self.scope["user"].pk or 0
        self.sent: dict[str, str] = {}
        self.stop_listening = self.listen()
        hub().broadcaster.listen(self)
        hub().credentials.register_login(self.scope, self)
        self.listing = asyncio.create_task(self._keep_sending())
        self.start_heartbeat()

    async def disconnect(self, code: int) -> None:
        if hasattr(self, "listing"):
            self.stop_listening()
            hub().broadcaster.drop(self)
            hub().credentials.drop(self)
            self.listing.cancel()
            with contextlib.suppress(asyncio.CancelledError, *GONE):
                await self.listing

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is asked for over this socket."""

    def flooded(self) -> None:
        """End the connection (`games.sockets.inbox`)."""
        self.ending = 4008
        self.changed.set()

    @property
    def person(self) -> int | None:
        """Whose page this is (`games.sockets.announcements.Listener`)."""
        pk: int | None = self.scope["user"].pk
        return pk

    def on_announcement(self, alert: Alert) -> None:
        """Take what a moderator says."""
        self.words.append(word_on_page(alert, self.language))
        self.changed.set()

    def on_ban(self, alert: Alert) -> None:
        """The person is locked out: a sentence, and the end of the connection."""
        self.ending = 4003
        self.on_announcement(alert)

    def on_revoked(self) -> None:
        """The login has ended: whoever is there comes back by another socket."""
        self.ending = 1001
        self.changed.set()

    def is_welcome(self) -> bool:
        """Whether there is anything here for whoever comes."""
        return may_come_in(self.scope["user"])

    def listen(self) -> Callable[[], None]:
        """Call `call` when something may have changed; return what ends that."""
        raise NotImplementedError

    def call(self) -> None:
        """Something may have changed (`lobby.calls.Listener`)."""
        self.changed.set()

    async def _keep_sending(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self.changed.wait(), AT_LEAST_EVERY)
            self.changed.clear()
            words, self.words = self.words, []
            for word in words:
                await self.send(text_data=word)
            if self.ending:
                await self.close(self.ending)
                return
            if html := await in_thread(self._html):
                await self.send(text_data=html)
            await asyncio.sleep(AT_MOST_EVERY)

    def _html(self) -> str:
        """The parts that differ from what this page has."""
        found = mine(_as_of_now(self.scope["user"]), self.at)
        self.rooms = found.rooms
        context: dict[str, Any] = {"mine": found}
        if "tables" in self.parts:
            context["tables"] = public_tables()
        html = []
        with override(self.language):
            for part in self.parts:
                body = render_to_string(f"lobby/{part}.html", context)
                if self.sent.get(part) != body:
                    self.sent[part] = body
                    html.append(_partial(part, body))
        return "".join(html)


class LobbyConsumer(PartsConsumer):
    """The front page: everything is in a list there, so every change may matter."""

    parts = ("badge", "invited", "own", "tables")

    def listen(self) -> Callable[[], None]:
        return hub().on_any_change(lambda room_id: self.call())


class YouConsumer(PartsConsumer):
    """Every other page of somebody: the badge; with `?lists` also the lists it leads to.

    `?at=` names the table that is looked at, which does not have to call.
    """

    parts: tuple[str, ...] = ("badge",)

    def is_welcome(self) -> bool:
        return bool(self.scope["user"].is_authenticated) and super().is_welcome()

    def listen(self) -> Callable[[], None]:
        asked = self.scope["query_string"].decode("latin-1")
        self.at = asked[3:].upper() if asked.startswith("at=") else ""
        if asked == "lists":
            self.parts = ("badge", "invited", "own")
        return calls().listen(self)


def _as_of_now(user: Any) -> Any:
    """This person as the database has them; a stranger where they are no more, or locked out."""
    known = User.objects.filter(pk=user.pk, is_active=True).first() if user.pk else None
    return known or AnonymousUser()


def _partial(part: str, body: str) -> str:
    return f'<hx-partial hx-target="#{part}" hx-swap="outerMorph">{body}</hx-partial>'
