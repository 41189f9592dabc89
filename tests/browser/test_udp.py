"""The page of the table of UDP programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.kit.browser import CHANGE, PHONE, SMALLEST, act, look_all_round, open_panel
from tests.kit.served import Served, free_udp_port
from tests.kit.udp import Player
from tests.kit.waiting import patiently

pytestmark = pytest.mark.slow

People = Callable[..., Page]


@pytest.fixture(scope="module")
def udp_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, int]]:
    """A server whose UDP port is open."""
    port = free_udp_port()
    folder: Path = tmp_path_factory.mktemp("udp")
    server = Served(folder, MIA_UDP_PORT=str(port), MIA_ANSWER_MS="2000")
    server.prepare()
    server.start()
    yield server, port
    said = server.said()
    server.stop()
    assert "Traceback" not in said, said


@pytest.fixture
def visit(browser: Browser, udp_server: tuple[Served, int]) -> Iterator[Callable[..., Page]]:
    contexts = []

    def make(name: str, viewport: dict[str, int], watch: bool = True) -> Page:
        contexts.append(browser.new_context(viewport=viewport, base_url=udp_server[0].url))
        page: Page = contexts[-1].new_page()
        page.set_default_timeout(15000)
        page.goto("/")
        page.locator("#tables a", has_text="non-stop").click()
        page.fill("#id_name", name)
        page.click("main button[name=spectate]" if watch else "main button.main")
        open_panel(page, "more")
        page.wait_for_selector("#standings h2")
        return page

    yield make
    for context in contexts:
        context.close()


@pytest.fixture
def players(udp_server: tuple[Served, int]) -> Iterator[list[Player]]:
    made = [Player(name, udp_server[1]) for name in ("one", "two", "<b>&")]
    yield made
    for player in made:
        player.stop()


def test_anyone_may_watch(visit: Callable[..., Page], players: list[Player]) -> None:
    page = visit("Eve", SMALLEST)
    expect(page.locator("#standings tbody").first).to_contain_text("one")
    expect(page.locator("#standings .rounds li")).to_have_count(5)
    expect(page.locator("#standings polyline").first).to_be_attached()
    expect(page.locator("#board .ladder, #board .cup-place").first).to_be_visible()
    newest = page.locator("#standings .rounds .badge").first.inner_text()
    expect(page.locator("#standings .rounds .badge").first).not_to_have_text(newest)
    page.route("**/*", lambda route: route.abort())  # freeze the page for checks
    look_all_round(page)


def test_person_can_sit_down_play_and_stand_up(
    visit: Callable[..., Page], players: list[Player]
) -> None:
    page = visit("Ann", PHONE)
    page.get_by_role("button", name="Sit down").click()
    played = 0
    for _ in patiently("it is never Ann's turn"):
        if played > 2:
            break
        played += act(page, CHANGE)
    assert not page.locator("text=Give the round away").count()
    page.get_by_role("button", name="Stand up").click()
    expect(page.get_by_role("button", name="Sit down")).to_be_visible()
    expect(page.locator("#standings th", has_text="Ann").first).to_be_visible(timeout=60000)
