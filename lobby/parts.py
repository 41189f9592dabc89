"""Parts of an open page that show the user's tables. They are sent again whenever they change."""

from __future__ import annotations

import asyncio
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.template.loader import render_to_string
from django.utils.translation import override

from accounts import following
from accounts.models import User
from games.engine.reading import in_thread
from games.rooms.seeking import Waiting
from lobby.friends import Friends, friends_here, friends_of
from lobby.listing import mine

AT_MOST_EVERY = 1.0
AT_LEAST_EVERY = 60.0
"""Seconds after which parts are checked even without a notification: notifications between
processes may be lost.
"""
SELDOM = 600.0
"""The same for a page that shows nothing, and whose user nobody sees."""

FRIENDS = {"here": ("friends_here", friends_here), "friends": ("friends", friends_of)}
"""Parts that show friends, with the template variable and the function that reads it."""


class PageParts:
    """The parts shown by one page (`lobby.calls.Listener`)."""

    def __init__(self, user: Any, language: str, parts: tuple[str, ...] = ("badge",)) -> None:
        self.user, self.user_id = user, user.pk or 0
        self.language, self.parts = language, parts
        self.at = ""
        """Code of the table on the page, which needs no badge."""
        self.at_room: int | None = None
        """Id of that table's room, if known."""
        self.seeks: tuple[Waiting, ...] = ()
        """The quick matches that the user waits for, as shown."""
        self.has_seen = ""
        """The `mark` of the page as it was loaded (`lobby.listing.Mine`)."""
        self.rooms: frozenset[int] = frozenset()
        self.friends = Friends()
        self.is_shown = False
        """Whether others may see that the user is here."""
        self.has_come = False
        """Whether the user was absent before this page reported them as here."""
        self._sent: dict[str, str] = {}
        self._changed = asyncio.Event()
        self._changed.set()
        self._rests_until = 0.0
        self._is_behind = True

    def call(self) -> None:
        """Record that something may have changed."""
        self._is_behind = True
        self._changed.set()

    @property
    def is_seeking(self) -> bool:
        """Whether the user waits for a quick match (`games.sockets.seekers.Seeker`)."""
        return bool(self.seeks)

    def show_seeks(self, found: tuple[Waiting, ...]) -> None:
        """Update the parts if the user's waits have changed."""
        if found != self.seeks:
            self.call()

    def wake(self) -> None:
        """Wake the sender because something outside these parts has changed."""
        self._changed.set()

    async def called(self) -> None:
        """Wait for a change, and for AT_MOST_EVERY seconds since the last one."""
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._rests_until - loop.time()))
        try:
            async with asyncio.timeout(SELDOM if self._is_idle else AT_LEAST_EVERY):
                await self._changed.wait()
        except TimeoutError:
            self._is_behind = True
        self._changed.clear()
        self._rests_until = loop.time() + AT_MOST_EVERY

    @property
    def _is_idle(self) -> bool:
        """Whether the page shows only an empty badge, and nobody sees that its user is here."""
        return self.parts == ("badge",) and not (self.rooms or self.seeks or self.is_shown)

    async def html(self) -> str:
        """Return the changed parts. Query nothing if no change was noted."""
        if not self._is_behind:
            return ""
        self._is_behind = False
        try:
            return await in_thread(self._html)
        except Exception:
            self._is_behind = True
            raise

    def _html(self) -> str:
        user = _as_of_now(self.user)
        self.is_shown = bool(getattr(user, "seen_by", ""))
        self.has_come = following.come(user) or self.has_come
        found = mine(user, self.at)
        self.rooms, self.seeks = found.rooms, tuple(found.seeks)
        context: dict[str, Any] = {"mine": found, "user": user}
        for part in FRIENDS.keys() & set(self.parts):
            name, read = FRIENDS[part]
            self.friends = context[name] = read(user, found)
        has_seen, self.has_seen = self.has_seen, ""
        html = []
        with override(self.language):
            for part in self.parts:
                body = render_to_string(f"lobby/{part}.html", context)
                new = self.differs(part, body)
                html += [new] if has_seen != found.mark else []
        return "".join(html)

    def differs(self, part: str, body: str) -> str:
        """Return the HTML that updates this part, or "" if the page already shows it."""
        if self._sent.get(part) == body:
            return ""
        self._sent[part] = body
        return _partial(part, body)


def _as_of_now(user: Any) -> Any:
    """Reload the user. If the user was deleted or is inactive, return an anonymous one."""
    known = User.objects.filter(pk=user.pk, is_active=True).first() if user.pk else None
    return known or AnonymousUser()


def _partial(part: str, body: str) -> str:
    return f'<hx-partial hx-target="#{part}" hx-swap="outerMorph">{body}</hx-partial>'
