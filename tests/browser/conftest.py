"""A served Parlour and a Chromium to look at it with."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect

from tests.kit.browser import DESKTOP
from tests.kit.served import Served

PATIENCE = 60_000
"""Milliseconds: so that a busy machine fails no test."""
expect.set_options(timeout=PATIENCE)

LISTEN = """document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});"""
EXPECTED = re.compile(r"the server responded with a status of 4\d\d|net::ERR_|htmx:ws:error")
"""What is wrong on purpose: pages not there, forms refused, lines cut."""


@pytest.fixture(scope="session", params=["uvicorn"])
def served(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Served]:
    """The server of the browser tests. Bots take a moment, so that people can watch them."""
    server = Served(
        tmp_path_factory.mktemp("served"),
        request.param,
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


def motion(animated: bool) -> dict[str, str]:
    """For a context: with all motion, which costs as much as the rest of a page, or with little."""
    return {"reduced_motion": "no-preference" if animated else "reduce"}


@pytest.fixture
def person(browser: Browser, served: Served) -> Iterator[Callable[..., Page]]:
    """Make people: each a page in a browser of its own. Whatever is complained about in a console
    fails the test: errors of scripts, and what the policy forbids.

    `animated`: one of those who have not asked for little motion, as most people.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def note(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not EXPECTED.search(message.text):
            complaints.append(message.text)

    def make(
        viewport: dict[str, int] = DESKTOP,
        base: str | None = None,
        animated: bool = False,
        **more: object,
    ) -> Page:
        where = {"viewport": viewport, "base_url": base or served.url}
        context = browser.new_context(**where, **motion(animated), **more)
        contexts.append(context)
        context.add_init_script(LISTEN)
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.on("console", note)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert not complaints
