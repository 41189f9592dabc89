"""Pages are made by threads that are kept: each request is one job of one of them.

Django makes a new thread, and with it a new connection to the database, for each request, and goes
back and forth between it and the event loop at every change between what can wait and what cannot.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from asgiref.sync import sync_to_async
from django import setup
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase

THREADS = 16
"""So many requests are answered at a time; the others wait. Threads are made as they are needed."""


class KeptThreads(ASGIHandler):
    """Django's handler, with everything between a request and its answer in one thread."""

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="page")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request; Django would make a thread for it alone."""
        await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Have it answered; a connection that was lost meanwhile is made anew."""
        answer = sync_to_async(
            self._answer,
            thread_sensitive=False,
            executor=self._threads,
            context=copy_context(),  # nothing of it is wanted back (docs/decisions/0137)
        )
        return await answer(request)

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        close_old_connections()
        return self.get_response(request)


def get_application() -> KeptThreads:
    """As Django's `get_asgi_application`."""
    setup(set_prefix=False)
    return KeptThreads()
