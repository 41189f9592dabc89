"""Sockets of pages other than tables: the user's tables on every page, and the live list."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections import deque
from collections.abc import Callable

from accounts import addresses, sanctions
from accounts.guests import may_come_in
from games.engine.reading import in_thread
from games.models.rooms import read_code
from games.sockets.announcements import Alert
from games.sockets.connections import ParlourConsumer, connection_limiter
from games.sockets.hub import hub
from games.sockets.outbox import GONE
from games.sockets.pages import accepted_language, word_on_page
from lobby.calls import calls
from lobby.live_list import live_list
from lobby.parts import PageParts

log = logging.getLogger(__name__)

MOST_WORDS = 20
"""Maximum announcements queued for a page that does not read. Older ones are dropped."""


class PartsConsumer(ParlourConsumer):
    """Socket that sends parts of a page, at most once a second and only if they have changed."""

    parts: tuple[str, ...] = ()

    room_id = None

    ending = 0

    async def opened(self) -> None:
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
        self.words = deque[str](maxlen=MOST_WORDS)
        self.language = accepted_language(self.scope)
        self.page = PageParts(user, self.language, self.parts)
        self.stop_listening = self.listen()
        hub().broadcaster.listen(self)
        hub().credentials.register_login(self.scope, self)
        self.listing = asyncio.create_task(self._keep_sending())
        self.start_heartbeat()

    async def closed(self) -> None:
        if hasattr(self, "listing"):
            self.stop_listening()
            if self.page.is_shown:
                calls().has_closed(self.page.user_id)
            hub().broadcaster.drop(self)
            hub().credentials.drop(self)
            self.listing.cancel()
            await asyncio.wait([self.listing])

    async def handle(self, text: str | None) -> None:
        """Ignore incoming frames."""

    def flooded(self) -> None:
        """Close the connection of a page that sends too many frames."""
        self.ending = 4008
        self.call()

    @property
    def person(self) -> int | None:
        """Id of the page's user (`games.sockets.announcements.Listener`)."""
        pk: int | None = self.scope["user"].pk
        return pk

    def on_announcement(self, alert: Alert) -> None:
        """Queue an announcement from a moderator."""
        self.words.append(word_on_page(alert, self.language))
        self.call()

    def on_ban(self, alert: Alert) -> None:
        """Send the reason of a ban, then close the connection."""
        self.ending = 4003
        self.on_announcement(alert)

    def on_revoked(self) -> None:
        """Close the connection because the login has ended. The page then reconnects."""
        self.ending = 1001
        self.call()

    def is_welcome(self) -> bool:
        """Whether this user may connect."""
        return may_come_in(self.scope["user"])

    def listen(self) -> Callable[[], None]:
        """Register for changes. Return a function that unregisters."""
        raise NotImplementedError

    def call(self) -> None:
        """Record that something may have changed, and wake the sender."""
        if hasattr(self, "page"):
            self.page.call()

    async def _keep_sending(self) -> None:
        with contextlib.suppress(*GONE):
            while True:
                await self.page.called()
                while self.words:
                    await self.send(text_data=self.words.popleft())
                if self.ending:
                    await self.close(self.ending)
                    return
                try:
                    html = await self.html()
                except Exception:
                    log.exception("parts of a page could not be read")
                    continue
                if html:
                    await self.send(text_data=html)

    async def html(self) -> str:
        """Return the HTML of the parts to send. Tell friends if the user has just come."""
        html = await self.page.html()
        if self.page.has_come:
            self.page.has_come = False
            calls().has_moved(self.page.user_id)
        return html


class LobbyConsumer(PartsConsumer):
    """Socket of the front page: the list of public tables, and personal notices."""

    parts = ("badge", "invited", "own", "here")

    def listen(self) -> Callable[[], None]:
        ends = [live_list().listen(self.page.wake)]
        if self.scope["user"].is_authenticated:
            ends.append(calls().listen(self.page))

        def stop() -> None:
            for end in ends:
                end()

        return stop

    async def html(self) -> str:
        tables = await live_list().html(self.language)
        own = await super().html() if self.scope["user"].is_authenticated else ""
        return own + self.page.differs("tables", tables)


class YouConsumer(PartsConsumer):
    """Socket of pages other than the front page and tables.

    It sends the badge and, with `?lists`, also the lists that the badge links to, with `?friends`
    the people the user knows, or with `?seek` what the user waits for. `?at=` names the table on
    the page, which needs no badge.
    """

    parts: tuple[str, ...] = ("badge",)

    def is_welcome(self) -> bool:
        return bool(self.scope["user"].is_authenticated) and super().is_welcome()

    def listen(self) -> Callable[[], None]:
        asked = self.scope["query_string"].decode("latin-1")
        self.page.at = read_code(asked[3:]) if asked.startswith("at=") else ""
        if asked == "lists":
            self.page.parts = ("badge", "invited", "own")
        if asked == "friends":
            self.page.parts = ("badge", "friends")
        if asked == "seek":
            self.page.parts = ("badge", "seek")
        return calls().listen(self.page)
