"""A big screen's socket: what is public of a table goes out, and nothing comes in."""

from __future__ import annotations

import contextlib
from typing import Any

from games import rooms
from games.engine.reading import in_thread
from games.language.sentences import refusal
from games.models import Room
from games.regions.page import moment
from games.regions.page_diff import Memo, page_diff
from games.rooms import screens
from games.rooms.finding import open_room
from games.rules.core import Refused
from games.sockets.announcements import Alert
from games.sockets.connections import connection_limiter
from games.sockets.hub import hub
from games.sockets.pages import accepted_language, say_on_page, seen_of, word_on_page
from games.sockets.room_socket import RoomConsumer
from games.tables.table import Table


class ScreenConsumer(RoomConsumer):
    """One television."""

    is_page = True
    is_screen = True
    one_too_many = "too_many_screens"
    language = "en"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shown: Table | None = None
        """The table as this screen shows it."""
        self.has_seen = ""
        """The moment of the table that came with the page (`games.regions.page.moment`)."""
        self.shown_by: int | None = None
        """Who is logged in in the browser: nobody's seat, but the door has looked at them."""

    @property
    def person(self) -> int | None:
        return self.shown_by

    async def greet(self) -> None:
        self.language, self.has_seen = accepted_language(self.scope), seen_of(self.scope)
        user = self.scope["user"]
        user_id = user.pk if user.is_authenticated and user.is_active else None
        code = self.scope["url_route"]["kwargs"]["code"]
        try:
            room_id = await in_thread(_let_in, code, user_id, self.scope["session"])
        except Refused as why:
            self._turn_away(why)
            return
        if not connection_limiter.acquire(self, person=user_id, screens_of=room_id):
            self.too_many()
            return
        self.room_id, self.shown_by = room_id, user_id
        hub().credentials.register_login(self.scope, self)
        with contextlib.suppress(Refused):  # busy: one can look all the same
            await rooms.screen_seen([room_id])
        await hub().enter(room_id, self)
        self.start_heartbeat()

    def came_with(self, now: Table) -> bool:
        return self.has_seen == moment(now)

    def show(self, before: Table | None, now: Table, memo: Memo) -> None:
        """Send what this screen does not show yet (`games.sockets.watched_room.Watcher`)."""
        shown, self.shown = self.shown, now
        if now.room.status == Room.Status.CLOSED:
            self._turn_away(Refused("InvalidRoom"))
            return
        if any(gone.kicked_at and gone.user_id == self.shown_by for gone in now.gone):
            self._turn_away(Refused("Kicked"))
            return
        if shown is None and self.came_with(now):
            return  # the page came with all of this
        if html := page_diff(shown, now, None, self.language, memo):
            self.put(html)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """Nothing is asked of a screen, and nothing it says is heard."""

    def on_announcement(self, alert: Alert) -> None:
        """What a moderator says to the table, or to everybody, is read by everybody."""
        if not alert.own:
            self.put(word_on_page(alert, self.language))

    def on_ban(self, alert: Alert) -> None:
        """Who shows it is locked out."""
        self.put(word_on_page(alert, self.language))
        self.forget_room()
        self._end(4003)

    def on_revoked(self) -> None:
        """The login has ended: the door looks again, at who is there now."""
        self.close_for_reconnect()

    def warn(self, code: str) -> None:
        self._say(Refused(code))

    def _turn_away(self, why: Refused) -> None:
        self.forget_room()
        self._say(why)
        self._end(4003)

    def _say(self, why: Refused) -> None:
        self.put(say_on_page(refusal(why, language=self.language)))


def _let_in(code: str, user_id: int | None, session: Any) -> int:
    """The room a screen may show. Raise Rejected."""
    found = open_room(code)
    if found is None:
        raise Refused("InvalidRoom")
    screens.check(found, user_id, screens.noted_password(session, found))
    return found.pk
