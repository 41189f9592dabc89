"""Socket of a big screen. It sends what is public at a table, and ignores all input."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import Any

from games import rooms
from games.contract.core import Refused
from games.engine.reading import in_thread
from games.models import Room
from games.pages.page import moment
from games.pages.page_diff import Memo, page_diff
from games.rooms import screens
from games.rooms.finding import open_room
from games.sockets.announcements import Alert
from games.sockets.connections import connection_limiter
from games.sockets.hub import hub
from games.sockets.pages import accepted_language, say_on_page, seen_of, word_on_page
from games.sockets.room_socket import RoomConsumer
from games.tables.sentences import refusal
from games.tables.table import Table

log = logging.getLogger(__name__)


class ScreenConsumer(RoomConsumer):
    """The socket of a big screen."""

    is_page = True
    is_screen = True
    limit_code = "too_many_screens"
    language = "en"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shown: Table | None = None
        """The table as this screen shows it."""
        self.has_seen = ""
        """Version of the table when the page was loaded (`games.pages.page.moment`)."""
        self.shown_by: int | None = None
        """User id of the login in the browser.

        This user's permission decides whether the screen may show the room.
        """
        self.newest: Table | None = None
        """The current table, while the permission is being checked again."""
        self.rules: tuple[Any, ...] = ()
        """Facts on which the last permission check depended (`_rules`)."""
        self.check: asyncio.Task[None] | None = None

    @property
    def person(self) -> int | None:
        return self.shown_by

    async def greet(self) -> None:
        self.language, self.has_seen = accepted_language(self.scope), seen_of(self.scope)
        user = self.scope["user"]
        user_id = user.pk if user.is_authenticated and user.is_active else None
        code = self.scope["url_route"]["kwargs"]["code"]
        try:
            room_id, at_table = await in_thread(_let_in, code, user_id, self.scope["session"])
        except Refused as why:
            self._turn_away(why)
            return
        if not self._counted(room_id, user_id, at_table):
            self.too_many()
            return
        self.room_id, self.shown_by = room_id, user_id
        hub().credentials.register_login(self.scope, self)
        with contextlib.suppress(Refused):  # if the writer is busy, show the table anyway
            await rooms.screen_seen([room_id])
        await self.enter_room()
        self.start_heartbeat()

    def already_shows(self, now: Table) -> bool:
        return self.has_seen == moment(now)

    def show(self, before: Table | None, now: Table, memo: Memo) -> None:
        """Send all changes that this screen has not shown yet
        (`games.sockets.watched_room.Watcher`).
        """
        if now.room.status == Room.Status.CLOSED:
            self._turn_away(Refused("InvalidRoom"))
            return
        if any(gone.kicked_at and gone.user_id == self.shown_by for gone in now.gone):
            self._turn_away(Refused("Kicked"))
            return
        self.newest = now
        if (rules := _rules(now, self.shown_by)) != self.rules:
            self.rules = rules
            if self.check is None:
                self.check = asyncio.get_running_loop().create_task(self._look_again())
        if self.check is None:
            self._draw(now, memo)

    def _draw(self, now: Table, memo: Memo) -> None:
        shown, self.shown = self.shown, now
        if shown is None and self.already_shows(now):
            return  # the page contained this table when it was loaded
        if frames := page_diff(shown, now, None, self.language, memo):
            self.put_update(frames)

    def show_whole(self, now: Table) -> None:
        self.put_update(page_diff(None, now, None, self.language, {}))
        self.shown = now

    async def _look_again(self) -> None:
        """Check the permission again before showing more, because facts that it depends on have
        changed.
        """
        checked: tuple[Any, ...] = ()
        code, session = self.scope["url_route"]["kwargs"]["code"], self.scope["session"]
        while checked != self.rules:
            checked = self.rules
            try:
                room_id, at_table = await in_thread(_let_in, code, self.shown_by, session)
            except Refused as why:
                is_new = why.code == "WrongPassword"  # the password was set after the screen opened
                self._turn_away(Refused("screen_shut") if is_new else why)
                return
            except Exception:
                log.exception("the permissions of a screen could not be checked")
                self.close_for_reconnect()
                return
            if not self._counted(room_id, self.shown_by, at_table):
                self.too_many()
                return
        self.check = None
        if self.newest is not None and not self.ended:
            self._draw(self.newest, {})

    def _counted(self, room_id: int, user_id: int | None, at_table: bool) -> bool:
        """Count this screen towards the limits. Return False if a limit is reached.

        Screens of members do not count towards the room's limit.
        """
        screens_of = None if at_table else room_id
        return connection_limiter.acquire(self, person=user_id, screens_of=screens_of)

    async def closed(self) -> None:
        if self.check is not None:
            self.check.cancel()
        await super().closed()

    async def handle(self, text: str | None) -> None:
        """Ignore input. Screens never send any."""

    def on_announcement(self, alert: Alert) -> None:
        """Show announcements to the table or to everybody."""
        if not alert.own:
            self.put(word_on_page(alert, self.language))

    def on_ban(self, alert: Alert) -> None:
        """Close the screen, because its user was banned."""
        self.put(word_on_page(alert, self.language))
        self.forget_room()
        self._end(4003)

    def on_revoked(self) -> None:
        """Close the connection, because the login has ended. If the screen reconnects, its
        permission is checked again.
        """
        self.close_for_reconnect()

    def warn(self, code: str) -> None:
        self._say(Refused(code))

    def _turn_away(self, why: Refused) -> None:
        self.forget_room()
        self._say(why)
        self._end(4003)

    def _say(self, why: Refused) -> None:
        self.put(say_on_page(refusal(why, language=self.language)))


def _rules(table: Table, user_id: int | None) -> tuple[Any, ...]:
    """Return the facts about a table that decide whether this user may show it on a screen."""
    room = table.room
    return (
        room.visibility,
        room.password,
        room.options.get("spectators"),
        room.host_id,
        table.member(user_id) is not None,
        any(one.user_id == user_id for one in table.asked),
        user_id in table.blocked(room.host_id),
    )


def _let_in(code: str, user_id: int | None, session: Any) -> tuple[int, bool]:
    """Return the id of the room to show, and whether the user is a member.

    Raise Refused if the room must not be shown.
    """
    found = open_room(code)
    if found is None:
        raise Refused("InvalidRoom")
    return found.pk, screens.check(found, user_id, screens.noted_password(session, found))
