"""Requests and packets that wait for a thread, and so for a database connection, are refused after
a while.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import AsyncRequestFactory

from config import asgi, http
from config.busy import Busy
from config.http import KeptThreads
from games.engine import reading
from games.engine.reading import NoThread, in_thread
from tests.kit.client import Program
from tests.kit.page_socket import Connection
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
    await asyncio.wait({gone})
    served.free.set()
    await slow
    assert (await served.ask("/next/")).status_code == 200
    assert served.rendered == ["/slow/", "/next/"]


class Threads:
    """The only thread for reads. It can be kept busy."""

    def __init__(self) -> None:
        self.pool = ThreadPoolExecutor(1)
        self.free = threading.Event()
        self.begun: list[str] = []

    async def keep_busy(self) -> asyncio.Task[None]:
        """Begin a read that waits until `free` is set."""
        slow = asyncio.ensure_future(in_thread(self._wait))
        await wait_for_async(lambda: self.begun == ["slow"])
        return slow

    def _wait(self) -> None:
        self.begun.append("slow")
        self.free.wait()


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[Threads]:
    found = Threads()
    monkeypatch.setattr(reading, "_threads", lambda: found.pool)
    monkeypatch.setattr(reading, "LONGEST_WAIT_S", 0.05)
    yield found
    found.free.set()
    found.pool.shutdown()


async def test_read_that_finds_no_thread_is_never_carried_out(threads: Threads) -> None:
    slow = await threads.keep_busy()
    for _ in range(3):
        with pytest.raises(NoThread):
            await in_thread(threads.begun.append, "refused")
    threads.free.set()
    await slow
    await in_thread(threads.begun.append, "next")
    assert threads.begun == ["slow", "next"]


@pytest.mark.django_db(transaction=True)
async def test_packet_that_finds_no_thread_is_refused_as_busy(threads: Threads) -> None:
    async with Program() as program:
        await program.host()
        slow = await threads.keep_busy()
        refused = await program.ask("GameDataRequest")
        assert (refused["type"], refused["code"]) == ("ActionFailed", "busy")
        threads.free.set()
        await slow
        assert (await program.ask("GameDataRequest"))["type"] == "GameDataSync"


async def test_socket_is_refused_if_its_user_is_not_found_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def endless(scope: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(asgi, "_with_who_it_is", endless)
    monkeypatch.setattr(asgi, "LONGEST_WAIT_S", 0.05)
    socket = Connection(asgi.application, "/api/ws/")
    await socket.send_input({"type": "websocket.connect"})
    assert (await socket.receive_output())["status"] == 503
