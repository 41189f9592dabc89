"""Serve pages from a thread pool. Each request is one job that runs in one thread.

Django would start a new thread with a new database connection for each request. It would also
switch between that thread and the event loop at every boundary between synchronous and asynchronous
code.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from django import setup
from django.conf import settings
from django.core.handlers.asgi import ASGIHandler
from django.core.handlers.base import BaseHandler
from django.http import HttpRequest
from django.http.response import HttpResponseBase

LONGEST_WAIT_S = 2.0
"""Maximum seconds a request waits for a thread. Then the response is status 503."""
WAITED = "parlour.waited"
"""Key in the scope that marks a request that has waited too long, for `config.busy`."""


class KeptThreads(ASGIHandler):
    """Django's handler, except that each request is processed entirely in one thread.

    At most PAGE_THREADS requests are processed at once, because each needs a database connection.
    Others wait for LONGEST_WAIT_S at most. Threads are started on demand.
    """

    def __init__(self) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self._threads = ThreadPoolExecutor(settings.PAGE_THREADS, thread_name_prefix="page")
        self._refusing = ThreadPoolExecutor(1, thread_name_prefix="busy")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Handle a request without the thread that Django would start for it."""
        await self.handle(scope, receive, send)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Run the request in a thread of the pool.

        If no thread becomes free in time, the middleware refuses the request in a separate thread.
        """
        from games.engine.reading import NoThread, run_in  # the apps are not loaded yet

        try:
            return await run_in(self._threads, LONGEST_WAIT_S, self.get_response, request)
        except NoThread:
            request.scope[WAITED] = True  # type: ignore[attr-defined]
            return await run_in(self._refusing, None, self.get_response, request)


def get_application() -> KeptThreads:
    """Return the application, like Django's `get_asgi_application`."""
    setup(set_prefix=False)
    return KeptThreads()
