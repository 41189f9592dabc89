"""Requests that wait for a thread, and so for a database connection, are refused after a while."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

import pytest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import AsyncRequestFactory

from config import http
from config.busy import Busy
from config.http import KeptThreads
from tests.kit.waiting import wait_for_async


@pytest.fixture
def served(settings: object, monkeypatch: pytest.MonkeyPatch) -> Iterator[Pages]:
    monkeypatch.setattr(settings, "PAGE_THREADS", 1, raising=False)
    monkeypatch.setattr(http, "LONGEST_WAIT_S", 0.05)
    pages = Pages(monkeypatch)
    yield pages
    pages.free.set()


class Pages:
    """A handler with one thread. Its view waits until `free` is set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.handler, self.free = KeptThreads(), threading.Event()
        self.rendered: list[str] = []
        monkeypatch.setattr(self.handler, "get_response", Busy(self._view))

    def _view(self, request: HttpRequest) -> HttpResponseBase:
        self.rendered.append(request.path)
        self.free.wait()
        return HttpResponse("rendered")

    def ask(self, path: str) -> asyncio.Task[HttpResponseBase]:
        request = AsyncRequestFactory().get(path)
        return asyncio.ensure_future(self.handler.get_response_async(request))


async def test_request_is_refused_if_no_thread_becomes_free(served: Pages) -> None:
    slow = served.ask("/slow/")
    await wait_for_async(lambda: served.rendered == ["/slow/"])
    refused = [await served.ask(f"/{at}/") for at in range(3)]
    assert {answer.status_code for answer in refused} == {503}
    assert {answer["Retry-After"] for answer in refused} == {"5"}
    served.free.set()
    assert (await slow).status_code == 200, "a request that has begun is never refused"
    assert (await served.ask("/next/")).status_code == 200
    assert served.rendered == ["/slow/", "/next/"], "refused requests are never carried out"


async def test_request_that_waits_is_dropped_if_its_client_leaves(served: Pages) -> None:
    slow = served.ask("/slow/")
    await wait_for_async(lambda: served.rendered == ["/slow/"])
    gone = served.ask("/gone/")
    await asyncio.sleep(0)
    gone.cancel()
    served.free.set()
    await slow
    assert (await served.ask("/next/")).status_code == 200
    assert served.rendered == ["/slow/", "/next/"]
