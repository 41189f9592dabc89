"""The list of public tables, queried and rendered once for all pages of this process."""

from __future__ import annotations

import asyncio
import logging
import weakref
from collections.abc import Callable, Collection

from django.template.loader import render_to_string
from django.utils.translation import override

from games.engine.reading import in_thread
from games.sockets.hub import Hub, hub
from lobby import parts
from lobby.listing import Listed, public_tables

log = logging.getLogger(__name__)


class LiveList:
    """The list of public tables, rendered once per language and refreshed at most once a second."""

    def __init__(self) -> None:
        self._pages: set[Callable[[], None]] = set()
        self._tables: Listed | None = None
        self._drawn: dict[str, str] = {}
        self._lock = asyncio.Lock()
        self._read_at = float("-inf")
        self._has_changed = False
        self._reading: asyncio.Task[None] | None = None
        hub().on_lists(self._note)

    def listen(self, call: Callable[[], None]) -> Callable[[], None]:
        """Register a page's callback for changes. Return a function that removes it."""
        self._pages.add(call)
        return lambda: self._pages.discard(call)

    async def html(self, language: str) -> str:
        """Return the HTML of the list in this language. All pages share one string."""
        async with self._lock:
            rested = asyncio.get_running_loop().time() - self._read_at
            if self._tables is None or rested > parts.AT_LEAST_EVERY:
                await self._read()
            if language not in self._drawn:
                self._drawn[language] = await in_thread(_drawn, self._tables or Listed(), language)
            return self._drawn[language]

    def _note(self, rooms: Collection[int]) -> None:
        if not self._pages:  # the next page will query the list
            self._tables = None
            return
        self._has_changed = True
        if self._reading is None or self._reading.done():
            self._reading = asyncio.get_running_loop().create_task(self._follow())

    async def _follow(self) -> None:
        """Refresh the list and notify the pages, until there are no more changes."""
        loop = asyncio.get_running_loop()
        while self._has_changed:
            await asyncio.sleep(max(0.0, self._read_at + parts.AT_MOST_EVERY - loop.time()))
            self._has_changed = False
            try:
                async with self._lock:
                    await self._read()
            except Exception:
                log.exception("the list of tables could not be read")
                continue
            for call in tuple(self._pages):
                call()

    async def _read(self) -> None:
        self._read_at = asyncio.get_running_loop().time()
        tables = await in_thread(public_tables)
        if tables != self._tables:
            self._tables, self._drawn = tables, {}


def _drawn(tables: Listed, language: str) -> str:
    with override(language):
        return render_to_string("lobby/tables.html", {"tables": tables})


_of: weakref.WeakKeyDictionary[Hub, LiveList] = weakref.WeakKeyDictionary()


def live_list() -> LiveList:
    """Return the `LiveList` for the running event loop. Create it on first use."""
    if hub() not in _of:
        _of[hub()] = LiveList()
    return _of[hub()]
