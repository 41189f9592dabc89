"""Pages on connections that are slow, idle for a while, or silently dead."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Page, WebSocket, WebSocketRoute, expect

from tests.kit.browser import DESKTOP, PHONE, join, open_panel, open_table, start
from tests.kit.served import Served
from tests.kit.slow_line import SlowLine

pytestmark = pytest.mark.slow

People = Callable[..., Page]
SILENCE_MS = 46_000  # more than a page tolerates
PAUSE_MS = 30_000  # less than that
LONGEST_WAIT_MS = 7_000
SHORTEST_WAIT_MS = 700
COUNT_ATTEMPTS = """window.attempts = [];
document.addEventListener("htmx:ws:close", ({ target, detail }) => {
  if (target.id === "table") window.attempts.push(detail.connection.attempt);
});"""
LISTEN = """() => {
  window.heard = false;
  document.addEventListener("htmx:before:ws:message", ({ target }) => {
    if (target.id === "table") window.heard = true;
  });
}"""


def sockets(page: Page, line: SlowLine) -> list[WebSocket]:
    """Return every socket the page opens over this line. A previous page's may be reported late."""
    opened: list[WebSocket] = []
    here = line.url.replace("http:", "ws:")
    page.on("websocket", lambda one: opened.append(one) if one.url.startswith(here) else None)
    return opened


@pytest.fixture
def line(served: Served) -> Iterator[SlowLine]:
    with SlowLine(served.port) as line:
        yield line


def hears(page: Page) -> None:
    """Wait for any frame on the table's connection, even a heartbeat."""
    page.evaluate(LISTEN)
    page.wait_for_function("() => window.heard")


def says(page: Page, text: str) -> None:
    """Send a chat message and wait to see it: the connection works both ways."""
    expect(page.locator("#offline")).to_be_hidden()
    open_panel(page, "chat")
    page.fill("#message", text)
    page.click("#say button")
    expect(page.locator("#chat-lines")).to_contain_text(text)


def at_a_waiting_table(page: Page) -> str:
    return open_table(page, "Ann")


def at_a_question_of_90_seconds(page: Page) -> str:
    code = open_table(page, "Ann", "cards", bots=2)
    start(page)
    expect(page.locator("#actions form").first).to_be_visible()
    return code


TABLES = pytest.mark.parametrize("sit_down", [at_a_waiting_table, at_a_question_of_90_seconds])


@TABLES
def test_heartbeat_keeps_the_connection_and_silence_reopens_it(
    person: People, line: SlowLine, sit_down: Callable[[Page], str]
) -> None:
    page = person(PHONE, own=True)
    page.clock.install()
    table = f"{line.url}/t/{sit_down(page)}/"
    opened = sockets(page, line)
    page.goto(table)
    for _ in range(3):
        hears(page)
        page.clock.fast_forward(PAUSE_MS)
    says(page, "still here")
    assert len(opened) == 1
    page.clock.fast_forward(SILENCE_MS)
    says(page, "here again")
    assert len(opened) == 2


def test_silently_dead_connection_is_replaced(person: People, line: SlowLine) -> None:
    page, other = person(PHONE, own=True), person(DESKTOP)
    page.clock.install()
    code = open_table(page, "Ann")
    page.goto(f"{line.url}/t/{code}/")
    hears(page)
    join(other, code, "Bob")
    line.go_dead()
    says(other, "are you there?")
    page.clock.fast_forward(SILENCE_MS)
    says(page, "here again")
    expect(page.locator("#chat-lines")).to_contain_text("are you there?")


def test_page_recovers_when_the_network_comes_back(person: People) -> None:
    page = person(PHONE)
    open_table(page, "Ann")
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    expect(page.locator("#offline")).to_be_visible()
    page.evaluate("window.dispatchEvent(new Event('online'))")
    says(page, "here again")


def test_failed_reconnects_are_retried_at_growing_intervals(person: People) -> None:
    page = person(PHONE, own=True)
    page.clock.install()
    open_table(page, "Ann")
    page.route_web_socket("**/ws/table/**", lambda socket: socket.close(code=1013))
    page.evaluate(COUNT_ATTEMPTS)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    for closed in range(1, 5):
        page.wait_for_function("closed => window.attempts.length >= closed", arg=closed)
        page.clock.fast_forward(LONGEST_WAIT_MS)
    first, *later = page.evaluate("window.attempts.slice(0, 4)")
    assert later == [first + 1, first + 2, first + 3]


def test_pending_reconnect_happens_soon_after_the_network_returns(
    person: People,
) -> None:
    page, tunnel = person(PHONE, own=True), {"dark": True}
    page.clock.install()
    open_table(page, "Ann")

    def pass_on(socket: WebSocketRoute) -> None:
        if tunnel["dark"]:
            socket.close(code=1013)
        else:
            socket.connect_to_server()

    page.route_web_socket("**/ws/table/**", pass_on)
    page.evaluate(COUNT_ATTEMPTS)
    page.evaluate("window.dispatchEvent(new Event('online'))")
    for closed in range(1, 6):
        page.wait_for_function("closed => window.attempts.length >= closed", arg=closed)
        page.clock.fast_forward(LONGEST_WAIT_MS)
    page.wait_for_function("window.attempts.length >= 6")
    page.clock.pause_at(page.evaluate("Date.now()") + 10)
    tunnel["dark"] = False
    page.evaluate("window.dispatchEvent(new Event('online'))")
    page.clock.run_for(SHORTEST_WAIT_MS)
    expect(page.locator("#offline")).to_be_hidden()
