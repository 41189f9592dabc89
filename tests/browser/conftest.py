"""Fixtures of browser tests: a running server, and Chromium."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, Literal

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    ViewportSize,
    expect,
)

from tests.kit.browser import DESKTOP
from tests.kit.page_pool import PagePool, new_page
from tests.kit.served import Served

PATIENCE = 60_000
"""Timeout in milliseconds, generous so that tests pass on a busy machine."""
expect.set_options(timeout=PATIENCE)

EXPECTED = re.compile(r"the server responded with a status of 4\d\d|net::ERR_|htmx:ws:error")
"""Intended console errors: missing pages, refused forms, cut connections."""


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Served]:
    """The server of the browser tests. Its bots are slow enough for tests to follow.

    The database of the tests comes first, because servers are prepared with a copy of it.
    """
    server = Served(
        tmp_path_factory.mktemp("served"),
        BOT_DELAY="0.05",
        HEARTBEAT_SECONDS="0.25",
        ALLOWED_HOSTS="127.0.0.1,localhost,parlour.test",
        WS_BURST="400",
    )
    server.prepare()
    server.start()
    yield server
    said = server.said()
    server.stop()
    assert "Traceback" not in said, said


@pytest.fixture(scope="session")
def showing(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that shows acts slowly, so that a test can click in the meantime."""
    server = Served(tmp_path_factory.mktemp("showing"), BEATS="3", BOT_DELAY="0", WS_BURST="400")
    server.prepare()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def shown_to(browser: Browser, showing: Served) -> Iterator[Callable[..., Page]]:
    """Create pages of that server. `script` runs before the page's own scripts."""
    contexts = []

    def make(script: str = "", **more: Any) -> Page:
        context = browser.new_context(base_url=showing.url, **{"viewport": DESKTOP, **more})
        contexts.append(context)
        context.add_init_script(script)
        page = context.new_page()
        page.set_default_timeout(15000)
        return page

    yield make
    for context in contexts:
        context.close()


def motion(animated: bool) -> Literal["no-preference", "reduce"]:
    """Allow all animations, which double a page's cost, or only a few."""
    return "no-preference" if animated else "reduce"


class Complaints(list[str]):
    """Collected console messages of pages."""

    def listen_to(self, page: Page) -> None:
        page.set_default_timeout(PATIENCE)
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.append(str(error)))

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not EXPECTED.search(message.text):
            self.append(message.text)


@pytest.fixture(scope="session")
def complaints() -> Complaints:
    return Complaints()


@pytest.fixture(scope="session")
def page_pool(browser: Browser, served: Served, complaints: Complaints) -> PagePool:
    return PagePool(browser, served.url, complaints.listen_to)


@pytest.fixture
def person(
    browser: Browser, served: Served, page_pool: PagePool, complaints: Complaints
) -> Iterator[Callable[..., Page]]:
    """Create people: each a page with its own cookies and storage. Any complaint in a console fails
    the test: script errors and violations of the content security policy.

    `animated`: do not request reduced motion, like most users. `own`: a fresh page that
    is never reused. Any other option implies it.
    """
    contexts: list[BrowserContext] = []
    taken: list[Page] = []
    complaints.clear()

    def make(
        viewport: ViewportSize = DESKTOP,
        base: str | None = None,
        animated: bool = False,
        own: bool = False,
        **more: object,
    ) -> Page:
        if not (base or own or more):
            taken.append(page_pool.take(viewport, motion(animated)))
            return taken[-1]
        where = {"viewport": viewport, "base_url": base or served.url}
        page = new_page(browser, **where, reduced_motion=motion(animated), **more)
        contexts.append(page.context)
        complaints.listen_to(page)
        return page

    yield make
    served.must_run()
    for context in contexts:
        context.close()
    for page in taken:
        page_pool.give_back(page)
    assert not complaints
