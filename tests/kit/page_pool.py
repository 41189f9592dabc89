"""Browser pages reused between users, because starting one is most of a short test's cost."""

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
"""Calls that cannot be undone. Pooled pages refuse these calls, so use your own page."""
FORGET = """async () => {
  localStorage.clear();
  sessionStorage.clear();
  const workers = await navigator.serviceWorker.getRegistrations();
  await Promise.all(workers.map((one) => one.unregister()));
  return "__pwClock" in window;
}"""
"""Clear all storage. Return whether this page has a fake clock, which cannot be removed."""
QUIET = "/healthz"
"""A URL without scripts, on which idle pages wait so that they keep their renderer process."""
MOST = 40
"""Number of users after whom a page is closed."""


def new_page(browser: Browser, **wishes: Any) -> Page:
    """A page in a new context that logs content security policy violations to its console."""
    context = browser.new_context(**wishes)
    context.add_init_script(LISTEN)
    return context.new_page()


class PagePool:
    """Pages of one server, handed out without cookies or stored data."""

    def __init__(self, browser: Browser, url: str, hear: Callable[[Page], None]) -> None:
        self._browser, self._url, self._hear = browser, url, hear
        self._free: list[Page] = []
        self._had: dict[Page, int] = {}

    def take(self, viewport: Any, reduced_motion: Any) -> Page:
        """Return an unused page in the state of a new one."""
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
        """Clear a page for its next user. A closed or worn-out page is not reused."""
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
    raise AssertionError(f"{name} persists in a page of the pool: use person(own=True)")
