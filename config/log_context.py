"""Log context: ids of the request, room and match, set at the start of the work."""

from __future__ import annotations

import json
import logging
import os
import secrets
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from typing import Any

from accounts.isolation import escaped
from games.engine.log_ids import ids

App = Callable[[Any, Any, Any], Awaitable[None]]


class RequestIds:
    """ASGI middleware that gives each request and socket an id for the log.

    Clients cannot choose the id. They find it in the response (`X-Request-ID`) and can include it
    in reports.
    """

    def __init__(self, inner: App) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        name = secrets.token_hex(4)

        async def told(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", ()), (b"x-request-id", name.encode())]
                message = {**message, "headers": headers}
            await send(message)

        ids.set({"request": name})
        await self._inner(scope, receive, told if scope["type"] == "http" else send)


class WithIds(logging.Filter):
    """Log filter that adds the current ids to each record."""

    def filter(self, record: logging.LogRecord) -> bool:
        record.ids = ids.get()
        return True


class Text(logging.Formatter):
    """Log formatter that writes the message and the ids.

    `timed`: also write time and level, if no journal adds them.
    """

    def __init__(self, timed: bool = False) -> None:
        super().__init__()
        self._timed = timed

    def format(self, record: logging.LogRecord) -> str:
        known = getattr(record, "ids", {})
        about = " ".join(f"{name}={value}" for name, value in known.items())
        # A line break in a message could forge another line of the log.
        message = escaped(record.getMessage(), keep="\t")
        plain = logging.makeLogRecord({**record.__dict__, "msg": message, "args": ()})
        first, *rest = escaped(super().format(plain), keep="\n\t").split("\n")
        if self._timed:
            at = datetime.fromtimestamp(record.created, UTC).isoformat(" ", "seconds")
            first = f"{at.removesuffix('+00:00')} {record.levelname} {first}"
        return "\n".join([f"{first} [{about}]" if about else first, *rest])


def is_in_journal() -> bool:
    """Whether systemd's journal receives the log, which adds time and level (systemd.exec(5))."""
    stderr = os.fstat(2)
    return os.environ.get("JOURNAL_STREAM") == f"{stderr.st_dev}:{stderr.st_ino}"


class Json(logging.Formatter):
    """Log formatter that writes a line of JSON: time, level, logger, message and ids."""

    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        line = {"at": at, "level": record.levelname, "logger": record.name}
        line |= {"message": record.getMessage(), **getattr(record, "ids", {})}
        if record.exc_info:
            line["traceback"] = self.formatException(record.exc_info)
        return escaped(json.dumps(line, ensure_ascii=False, default=str))
