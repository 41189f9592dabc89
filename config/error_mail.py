"""Email errors to ADMINS, each kind at most once an hour and without personal data."""

from __future__ import annotations

import logging
import threading
import traceback

from django.conf import settings
from django.core.mail import mail_admins

from config.once_an_hour import OnceAnHour


class ErrorMail(logging.Handler):
    """Log handler that emails errors from a separate thread.

    Errors are of the same kind if they have the same logger, exception and line.
    """

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self._told = OnceAnHour()

    def emit(self, record: logging.LogRecord) -> None:
        kind = _kind(record)
        if not settings.ADMINS or not self._told.is_due(kind):
            return
        about = " ".join(f"{name}={value}" for name, value in getattr(record, "ids", {}).items())
        text = f"{kind}\n{about}\n\n{_where(record)}\nSee the log. Sent at most once an hour.\n"
        send = threading.Thread(target=_send, args=(kind[:80], text), name="error mail")
        send.daemon = True
        send.start()


def _kind(record: logging.LogRecord) -> str:
    """Return the kind of error, without the message text, which may contain personal data."""
    failed = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
    return f"{record.name}: {failed or str(record.msg).splitlines()[0]} ({record.lineno})"


def _where(record: logging.LogRecord) -> str:
    """Return the code lines of the traceback, without values."""
    if not record.exc_info:
        return f"{record.pathname}, line {record.lineno}\n"
    return "".join(traceback.format_tb(record.exc_info[2]))


def _send(subject: str, text: str) -> None:
    mail_admins(subject, text, fail_silently=True)
