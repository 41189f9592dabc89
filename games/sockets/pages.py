"""Socket of a table page: receives forms and sends rendered regions."""

from __future__ import annotations

import contextlib
import logging
from typing import Any
from urllib.parse import parse_qs

import msgspec
from django.conf import settings
from django.http import HttpRequest
from django.utils.html import escape, format_html
from django.utils.translation import get_language_from_request, gettext, override

from accounts import addresses
from accounts.guests import may_come_in
from accounts.handoff import has_moved
from games import rooms
from games.contract.core import Ignored, Refused
from games.engine import figures, matches
from games.engine.pauses import TooSoon
from games.engine.reading import in_thread
from games.engine.storage import is_fault
from games.models import Member
from games.pages.page import moment
from games.pages.page_diff import Memo, page_diff, partial
from games.rooms.finding import member_at
from games.sockets.announcements import Alert, link_text
from games.sockets.command_forms import NOT_READABLE, TOO_LONG, read_command, sentence
from games.sockets.connections import connection_limiter
from games.sockets.dispatch import carry_out
from games.sockets.hub import hub
from games.sockets.room_socket import RoomConsumer
from games.tables.diff import is_somebody_else, left, warning
from games.tables.sentences import notice, refusal
from games.tables.table import Json, Table
from games.tables.terms import in_words
from games.wire.client import ESCAPE, holds_half, holds_nul, is_too_long, lenient
from games.wire.wire import BadPacket

log = logging.getLogger(__name__)


class TableConsumer(RoomConsumer):
    """The socket of one member's open page."""

    is_page = True
    language = "en"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.shown: Table | None = None
        """The table as this page shows it."""
        self.has_seen = ""
        """Version of the table when the page was loaded (`games.pages.page.moment`)."""

    async def greet(self) -> None:
        user = self.scope["user"]
        found = await in_thread(_membership, user, self.scope["url_route"]["kwargs"]["code"])
        self.language = accepted_language(self.scope)
        if found is None:
            await self._stay_out(user)
            return
        self.has_seen = seen_of(self.scope)
        if not connection_limiter.acquire(self, person=user.pk):
            self.too_many()
            return
        self.user_id, self.room_id = user.pk, found.room_id
        hub().credentials.register_login(self.scope, self)
        is_in = hub().enter_from_memory(found.room_id, self)
        with contextlib.suppress(Refused):  # if the writer is busy, show the table anyway
            await rooms.seen([found.pk])
            if not found.at_page:
                await rooms.opened_page(found.pk)
        if not is_in:
            await self.enter_room()
        self.start_heartbeat()

    async def _stay_out(self, user: Any) -> None:
        """Close the page of a user who is not a member.

        If they have moved to another browser, say so.
        """
        session = self.scope.get("cookies", {}).get(settings.SESSION_COOKIE_NAME)
        if not user.is_authenticated and await in_thread(has_moved, session):
            self._say(notice("moved_on", self.language))
            await self.drained()
        await self.close(4003 if user.is_authenticated else 4001)

    def on_revoked(self) -> None:
        """Close the connection, because the login has ended
        (`games.sockets.credentials.CredentialHolder`).
        """
        self.close_for_reconnect()

    def already_shows(self, now: Table) -> bool:
        return self.has_seen == moment(now)

    def show(self, before: Table | None, now: Table, memo: Memo) -> None:
        """Send all changes that this page has not shown yet
        (`games.sockets.watched_room.Watcher`).
        """
        shown = self.shown
        acts_only = shown is not None and shown.loading is now.loading
        if not acts_only and (gone := left(now, self.user_id)) is not None:
            self._remove_member(gone)
            return
        if not acts_only and is_somebody_else(now, self.user_id):
            self.close_for_reconnect()
            return
        if shown is None and self.already_shows(now):
            self.shown = now  # the page contained this table when it was loaded
            return
        frames = page_diff(shown, now, self.user_id, self.language, memo)
        warned = warning(before, now, self.user_id) if before is not None else None
        if warned is not None and not now.parked:  # if parked, the page's status already says so
            self._say(refusal(warned, language=self.language))
        if frames:
            self.put_update(frames)
        self.shown = now

    def show_whole(self, now: Table) -> None:
        if now.member(self.user_id) is not None:
            frames = page_diff(None, now, self.user_id, self.language, {})
            self.put_update(frames)
            self.shown = now

    async def handle(self, text: str | None) -> None:
        body: Json = {}
        field = ""
        try:
            body = _body(text)
            if text and ESCAPE in text and (holds_nul(body) or holds_half(body)):
                raise BadPacket(NOT_READABLE)
            await self._do(body)
            return
        except Ignored:
            figures.refusals.labels("ignored").inc()
            why = notice("ignored", self.language)
        except BadPacket as bad:
            figures.refusals.labels("bad_packet").inc()
            with override(self.language):
                why = sentence(bad)
        except TooSoon as soon:
            if self.hold(text, soon.seconds):
                self._say(notice("goes_on_soon", self.language))
                return
            why = notice("busy", self.language)
        except Refused as refused:
            why, field = self._sentence(refused), str(refused.facts.get("option", ""))
        except Exception as error:
            log.exception("a form failed")
            why = notice("busy" if is_fault(error) else "error", self.language)
        if not self.ended:  # if ended, keep the reason that the page shows
            do = _text(body, "do")
            self._say(why, refused="" if holds_half(do) else do, field=field)

    async def _do(self, body: Json) -> None:
        """Carry out the command in a form sent by the page. The field `do` names the command."""
        if self.room_id is None:  # the connection is about to close
            raise Ignored
        if body.get("do") == "move":
            await self._move(body)
            return
        table = hub().table(self.room_id)
        if table is None:
            raise Ignored
        command = read_command(body, table.room.game)
        try:
            address = addresses.of_scope(self.scope)
            await carry_out(self.room_id, self.user_id, command, address)
        except (Ignored, Refused):
            if not command.is_unasked:
                raise
        if command.said:
            done = notice(command.said, self.language, **msgspec.structs.asdict(command))
            self.put(say_on_page(done, done=True))

    async def _move(self, body: Json) -> None:
        prompt = _text(body, "prompt")
        packet = {key: value for key, value in body.items() if key not in ("do", "prompt")}
        packet["type"] = packet.pop("move", "")
        number = int(prompt) if prompt.isdecimal() and len(prompt) < 10 else None
        assert self.room_id is not None
        await matches.move(self.room_id, self.user_id, packet, number, form=True)

    def on_announcement(self, alert: Alert) -> None:
        """Show an announcement if it is addressed to the table or has a link.

        The badge shows all others. It uses this socket or another one (`lobby.table_page`).
        """
        if alert.to_table or alert.link:
            self.put(word_on_page(alert, self.language))

    def _say(self, sentence: str, refused: str = "", field: str = "") -> None:
        """Show a short message next to the actions, in the polite live region.

        `refused` is the `do` of a refused form, whose input the page restores. `field` is the
        invalid option.
        """
        self.put(say_on_page(sentence, refused, field=field))

    def warn(self, code: str) -> None:
        self._say(notice(code, self.language))

    def _sentence(self, refused: Refused) -> str:
        table = hub().table(self.room_id) if self.room_id is not None else None
        words = table.words if table else None
        if words:
            with override(self.language):
                refused = in_words(refused, words)
        return refusal(refused, words, table.names if table else (), self.language)

    def _remove_member(self, gone: Member) -> None:
        self.forget_room()
        if gone.left_because != "left":
            why = Refused(f"gone_{gone.left_because}", reason=gone.left_note)
            self._say(refusal(why, language=self.language))
        code = 4003 if gone.left_because in ("kicked", "banned", "closed") else 4000
        self._end(code)


def seen_of(scope: Any) -> str:
    """Return the identifier of the table's state when the page was loaded
    (`games.pages.page.moment`).
    """
    fields: dict[str, list[str]] = parse_qs(scope["query_string"].decode("latin-1"))
    return fields.get("seen", [""])[0]


def _body(text: str | None) -> Json:
    if text is None or is_too_long(text):
        raise BadPacket(TOO_LONG)
    try:
        frame = msgspec.json.decode(text)
    except (ValueError, RecursionError):
        frame = lenient(text)
    body = frame.get("body") if isinstance(frame, dict) else None
    if not isinstance(body, dict):
        raise BadPacket(NOT_READABLE)
    return body


def _text(body: Json, name: str) -> str:
    value = body.get(name, "")
    return value if isinstance(value, str) else ""


def word_on_page(alert: Alert, language: str) -> str:
    """Render an announcement for an open page.

    If it must be confirmed, it links to the user's page.
    """
    with override(language):
        to_read = f' <a href="/you/">{gettext("Please read and confirm")}</a>' if alert.own else ""
        if alert.link:
            to_read = format_html(' <a href="{}">{}</a>', alert.link, link_text(alert.keeps_seat))
    text = f'<span dir="auto">{escape(alert.sentence(language))}</span>'
    looks = f"message {alert.level}{' passing' if alert.passing else ''}"
    return partial("#words", "beforeend", f'<p class="{looks}" role="alert">{text}{to_read}</p>')


def say_on_page(sentence: str, refused: str = "", done: bool = False, field: str = "") -> str:
    """Render a short message for an open page (`TableConsumer._say`). `done` marks a success."""
    look = "good" if done else ""
    at = format_html(' data-option="{}"', field) if field else ""
    html = format_html('<p class="{}" data-refused="{}"{}>{}</p>', look, refused, at, sentence)
    return partial("#notice", "innerHTML", html)


def _membership(user: Any, code: str) -> Member | None:
    if not getattr(user, "is_authenticated", False) or not may_come_in(user):
        return None
    return member_at(code, user.pk) if user.is_active else None


def accepted_language(scope: Any) -> str:
    """Return the supported language that the cookie selects, or else the one that the browser
    prefers.
    """
    request = HttpRequest()
    request.COOKIES = scope.get("cookies", {})
    asked = dict(scope["headers"]).get(b"accept-language", b"")
    request.META["HTTP_ACCEPT_LANGUAGE"] = asked.decode("latin-1")
    return get_language_from_request(request)
