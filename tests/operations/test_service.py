"""A process as systemd runs it: the port stays open during restarts."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.browser import act_and_wait, open_table, play_on, start, until_mine
from tests.kit.service import Service
from tests.kit.sitting import is_back, own, sit_down
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.slow


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path)
    made.prepare()
    yield made
    made.close()


def status(url: str) -> int:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return int(answer.status)


def figure(service: Service, name: str) -> str:
    """Return one metric."""
    headers = {"Authorization": f"Bearer {service.env['METRICS_TOKEN']}"}
    asked = urllib.request.Request(f"{service.url}/metrics", headers=headers)
    with urllib.request.urlopen(asked, timeout=60) as answer:
        lines = answer.read().decode().splitlines()
    return next((line for line in lines if line.startswith(name)), f"{name} 0")


def test_request_during_a_restart_waits_and_is_answered(service: Service) -> None:
    with ThreadPoolExecutor() as people:
        early = people.submit(status, f"{service.url}/healthz")
        service.start()
        assert early.result() == 200
        service.stop()
        meanwhile = people.submit(status, f"{service.url}/healthz")
        service.start()
        assert meanwhile.result() == 200
    wait_for(lambda: float(figure(service, "parlour_group_size_count").split()[-1]) > 0)


def test_pages_reconnect_after_a_restart_and_play_on(service: Service, browser: Browser) -> None:
    service.start()
    context = browser.new_context(base_url=service.url)
    page = context.new_page()
    page.set_default_timeout(30000)
    open_table(page, "Ann", bots=2, lives="3")
    start(page)
    until_mine(page)
    other = sit_down(browser, service.url, "secret_hitler")
    seen = own(other)
    service.restart()
    expect(page.locator("#offline")).to_be_hidden(timeout=30000)
    is_back(other)
    assert own(other) == seen
    act_and_wait(other)
    other.context.close()
    play_on(page)
    expect(page.locator("#ending .end")).to_be_visible()
    context.close()
    assert "Traceback" not in service.said()
