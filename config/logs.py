"""What is kept out of the log: who asked, and what they typed into an address."""

from __future__ import annotations

import logging


class ByRoute(logging.Filter):
    """A request is told by the page it was for; its path may hold names, codes and keys."""

    def filter(self, record: logging.LogRecord) -> bool:
        request = getattr(record, "request", None)
        if request is not None and isinstance(record.args, tuple):
            match = getattr(request, "resolver_match", None)
            page = f"/{match.route}" if match else "(no page of ours)"
            paths = (request.path, getattr(request, "path_info", None))
            record.args = tuple(page if arg in paths else arg for arg in record.args)
        return True


class NoVisitors(logging.Filter):
    """Not a line for each socket, which would name an address."""

    def filter(self, record: logging.LogRecord) -> bool:
        return '"WebSocket' not in str(record.msg)
