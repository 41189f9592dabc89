"""Socket of a table's page: sends the table, and what other pages get from a separate socket."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from urllib.parse import parse_qs

from games.models.rooms import read_code
from games.sockets.announcements import Alert
from games.sockets.pages import TableConsumer, word_on_page
from lobby.calls import calls
from lobby.parts import PageParts

log = logging.getLogger(__name__)


class TablePageConsumer(TableConsumer):
    """Socket of an open table page. For members it also sends announcements and the badge.

    The badge counts waiting tables. Pages loaded before an update have a separate socket. The query
    parameter `badge` says that the page has no such socket.
    """

    counted_as = "table"
    badge: asyncio.Task[None] | None = None
    stop_listening: Callable[[], None]

    async def greet(self) -> None:
        await super().greet()
        asked = self.scope["query_string"].decode("latin-1")
        seen = parse_qs(asked, keep_blank_values=True).get("badge")
        if self.room_id is None or self.ended or seen is None:
            return
        page = PageParts(self.scope["user"], self.language)
        page.at, page.at_room = read_code(self.scope["url_route"]["kwargs"]["code"]), self.room_id
        page.has_seen = seen[0]
        self.stop_listening = calls().listen(page)
        self.badge = asyncio.create_task(self._keep_sending(page))

    async def closed(self) -> None:
        if self.badge is not None:
            self.stop_listening()
            self.badge.cancel()
        await super().closed()
        if self.badge is not None:
            await asyncio.wait([self.badge])

    def on_announcement(self, alert: Alert) -> None:
        if self.badge is None:
            super().on_announcement(alert)
        else:
            self.put(word_on_page(alert, self.language))

    async def _keep_sending(self, page: PageParts) -> None:
        while True:
            await page.called()
            await self.outbox.caught_up()
            try:
                html = await page.html()
            except Exception:
                log.exception("the badge could not be read")
                continue
            if html and not self.ended:
                self.put(html)
