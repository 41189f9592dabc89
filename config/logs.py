"""Log filters that keep personal data and noise out of the log."""

from __future__ import annotations

import asyncio
import logging
import sys

from websockets.exceptions import InvalidState


class ByRoute(logging.Filter):
    """Log filter that replaces paths with their routes. Paths may contain names, codes and keys."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if request is not None and isinstance(record.args, tuple):
            match = getattr(request, "resolver_match", None)
            page = f"/{match.route}" if match else "(unknown page)"
            paths = {request.path, getattr(request, "path_info", "")}
            paths |= {path.encode("unicode_escape").decode() for path in paths}  # as Django may log
            record.args = tuple(page if arg in paths else arg for arg in record.args)
        return True


class NoVisitors(logging.Filter):
    """Log filter that drops uvicorn's line for each socket, which contains the client's address."""

    def filter(self, record: logging.LogRecord) -> bool:
        return '"WebSocket' not in str(record.msg)


class StorageFaults(logging.Filter):
    """Log filter that reports an unreachable database or Redis, a lock that lasts, or a timeout
    once a minute, without a traceback.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        from games.engine.storage import (  # the models are not loaded yet
            is_fault,
            is_locked,
            storage,
        )

        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True
        known = is_fault(error) or is_locked(error) or _is_redis_fault(error)
        if not (known or isinstance(error, TimeoutError)):
            return True
        fault = f"{type(error).__name__}: {error}".splitlines()[0]
        if not storage.is_new(fault):
            return False
        record.msg, record.args = "%s: %s", (record.getMessage(), fault)
        record.exc_info = record.exc_text = None
        return True


def _is_redis_fault(error: BaseException) -> bool:
    """Whether Redis failed. If its client is not imported, Redis is not in use."""
    loaded = sys.modules.get("redis.exceptions")
    return loaded is not None and isinstance(error, loaded.RedisError)


class NoJunk(logging.Filter):
    """Log filter that removes the traceback from errors caused by clients."""

    def filter(self, record: logging.LogRecord) -> bool:
        kind = record.exc_info[0] if record.exc_info else None
        if kind is not None and _is_junk(record, kind):
            record.exc_info = record.exc_text = None
        return True


def _is_junk(record: logging.LogRecord, kind: type[BaseException]) -> bool:
    """Whether the client caused the error with a refused request, invalid text, or a disconnect."""
    refused = 400 <= getattr(record, "status_code", 500) < 500
    no_text = str(record.msg).startswith("Invalid UTF-8")
    # Uvicorn fails on invalid text if the socket is already closing.
    return refused or no_text or issubclass(kind, asyncio.CancelledError | InvalidState)
