"""Pages that one person after another has: starting one is most of what a short test costs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from playwright.sync_api import Browser, Page

LISTEN = """document.addEventListener("securitypolicyviolation", (event) => {
  console.error(`policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});"""
STAYS = ("add_init_script", "expose_function", "on", "route", "route_web_socket")
STAYS_IN_CONTEXT = (*STAYS, "grant_permissions", "new_cdp_session", "set_offline")
"""What cannot be undone: it is for those with a page of their own."""
FORGET = """async () => {
  localStorage.clear();
  sessionStorage.clear();
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((one) => one.unregister()));
  return "__pwClock" in window;
}"""
"""Forget everything; tells whether this page has another clock, which stays."""
QUIET = "/healthz"
"""An address of a server without scripts: a page stays with its process there."""
MOST = 40
"""People after whom a page is closed."""


def new_page(browser: Browser, **wishes: Any) -> Page:
    """A page in a context of its own, which says in its console what the policy forbids."""
    context = browser.new_context(**wishes)
    context.add_init_script(LISTEN)
    return context.new_page()


class PagePool:
    """Pages of one server, each without cookies or memories when somebody gets it."""

    def __init__(self, browser: Browser, url: str, hear: Callable[[Page], None]) -> None:
        self._browser, self._url, self._hear = browser, url, hear
        self._free: list[Page] = []
        self._had: dict[Page, int] = {}

    def take(self, viewport: Any, reduced_motion: Any) -> Page:
        """A page that nobody has, as a new one would be."""
        page = self._free.pop() if self._free else self._new()
        self._had[page] += 1
        page.set_viewport_size(viewport)
        page.emulate_media(
            color_scheme="light",
            reduced_motion=reduced_motion,
            forced_colors="none",
            media="screen",
        )
        return page

    def _new(self) -> Page:
        page = new_page(self._browser, base_url=self._url)
        self._hear(page)
        self._had[page] = 0
        for name in STAYS:
            setattr(page, name, partial(_refuse, name))
        for name in STAYS_IN_CONTEXT:
            setattr(page.context, name, partial(_refuse, name))
        return page

    def give_back(self, page: Page) -> None:
        """Forget who had it. One that was closed, or that many have had, is not given out again."""
        if page.is_closed() or self._had[page] >= MOST:
            page.context.close()
            return
        for other in page.context.pages:
            if other is not page:
                other.close()
        page.goto(QUIET)
        assert not page.evaluate(FORGET), "a clock stays in a page: person(own=True)"
        page.context.clear_cookies()
        self._free.append(page)


def _refuse(name: str, *_: object, **__: object) -> None:
    raise AssertionError(f"{name} stays with a page: ask for person(own=True)")
