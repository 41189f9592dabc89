"""Serve pages from a thread pool. Each request is one job that runs in one thread.

Django would start a new thread with a new database connection for each request. It would also
switch between that thread and the event loop at every boundary between synchronous and asynchronous
code.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from typing import Any

from asgiref.sync import sync_to_async
from django import setup
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.db import close_old_connections
from django.http import HttpRequest
from django.http.response import HttpResponseBase


class KeptThreads(ASGIHandler):
    """Django's handler, except that each request is processed entirely in one thread.

    At most PAGE_THREADS requests are processed at once, and others wait. Threads are started on
    demand.
    """

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(settings.PAGE_THREADS, thread_name_prefix="page")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request without the thread that Django would start for it."""
        await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Run the request in a thread of the pool. Stale database connections are replaced."""
        answer = sync_to_async(
            self._answer,
            thread_sensitive=False,
            executor=self._threads,
            context=copy_context(),  # changes are not copied back (docs/decisions/0137)
        )
        return await answer(request)

    def _answer(self, request: HttpRequest) -> HttpResponseBase:
        close_old_connections()
        return self.get_response(request)


def get_application() -> KeptThreads:
    """Return the application, like Django's `get_asgi_application`."""
    setup(set_prefix=False)
    return KeptThreads()
