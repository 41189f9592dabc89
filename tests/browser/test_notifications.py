"""Players in another window, or without an open page, are notified of their turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import CDPSession, Page, expect

from tests.kit.browser import open_panel, open_table
from tests.kit.served import Served

pytestmark = pytest.mark.slow

People = Callable[..., Page]
ELSEWHERE = """
  window.marks = [];
  window.elsewhere = true;
  Object.defineProperty(document, "hidden", { get: () => window.elsewhere });
  navigator.setAppBadge = async () => { marks.push("mark"); };
  navigator.clearAppBadge = async () => { marks.push("no mark"); };
  // What may be shown is denied to pages of a browser without a window, whatever it was granted.
  const given = () => localStorage.given ?? "default";
  Object.defineProperty(Notification, "permission", { get: given });
  Notification.requestPermission = async () => (localStorage.given = "granted");
"""
TURN = """mine =>
  document.dispatchEvent(new CustomEvent("parlour:turn", { detail: mine }))"""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const shown = await registration?.getNotifications() ?? [];
  return shown.map(({ title, data, tag }) => `${title} ${data.url} ${tag}`);
}"""


def shows(page: Page, *notifications: str) -> None:
    """Wait until exactly these notifications are shown."""
    page.wait_for_function(
        f"async wanted => String(await ({SHOWN})()) === wanted", arg=",".join(notifications)
    )


class Registrations:
    """The service worker of a site in the browser, to which pushes can be delivered."""

    def __init__(self, page: Page, origin: str) -> None:
        self.origin, self.numbers = origin, list[str]()
        self._devtools: CDPSession = page.context.new_cdp_session(page)
        self._devtools.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self._devtools.send("ServiceWorker.enable")

    def _note(self, told: dict[str, Any]) -> None:
        self.numbers += [one["registrationId"] for one in told["registrations"]]

    def deliver(self, data: str) -> None:
        said = {"origin": self.origin, "registrationId": self.numbers[-1], "data": data}
        self._devtools.send("ServiceWorker.deliverPushMessage", said)


def test_hidden_page_notifies_of_a_turn_and_withdraws_it_afterwards(person: People) -> None:
    page = person(own=True)
    page.context.grant_permissions(["notifications"])
    page.add_init_script(ELSEWHERE)
    code = open_table(page, "Ann", "mia", bots=1)
    page.evaluate(TURN, True)
    assert page.evaluate("marks") == ["mark"]
    shows(page)  # no notification without a subscription
    open_panel(page, "more")
    page.check("#notify")
    page.evaluate(TURN, False)
    assert page.evaluate("marks") == ["mark", "no mark"]
    page.evaluate(TURN, True)
    there = f"/t/{code}/"
    shows(page, f"Your turn {there} {there}")
    page.evaluate(TURN, False)
    shows(page)
    page.reload()
    expect(page.locator("#notify")).to_be_checked()


def test_push_notifications_are_shown_and_link_only_to_this_site(
    person: People, served: Served
) -> None:
    page = person(own=True)
    page.context.grant_permissions(["notifications"])
    code = open_table(page, "Ann", "mia", bots=1)
    open_panel(page, "more")
    page.check("#notify")
    page.evaluate("navigator.serviceWorker.register('/service-worker.js')")
    page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    registrations = Registrations(page, served.url)
    there = f"/t/{code}/"
    said = """{"title": "It's your turn", "body": "Mia", "url": "%s", "tag": "%s"}"""
    page.goto("/tables/")
    registrations.deliver(said % (there, there))
    shows(page, f"It's your turn {there} {there}")
    registrations.deliver(said % ("https://elsewhere.example/x", "odd"))
    shows(page, f"It's your turn {there} {there}", "It's your turn / odd")
