"""A server as systemd runs it: the port stays open while it is reloaded and restarted."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.kit.browser import open_table, play_on, start, until_mine
from tests.kit.served import ROOT, Served
from tests.kit.waiting import wait_for

AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.executable, [sys.executable, "manage.py", "serve"])
"""


class Service(Served):
    """The server of `parlour.service`, with the port of `parlour.socket`."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder, BOT_DELAY="0.05", WS_BURST="0")
        self.socket = socket.create_server(("127.0.0.1", self.port), backlog=64)

    def start(self) -> None:
        """Start it, and wait for nothing: who comes is answered when it is there."""
        self.log = (self.folder / "served.log").open("ab")
        number = self.socket.fileno()
        self.process = subprocess.Popen(
            [sys.executable, "-c", AS_SYSTEMD, str(number)],
            cwd=ROOT,
            env=self.env,
            pass_fds=[number],
            stdout=self.log,
            stderr=self.log,
        )

    def workers(self) -> list[int]:
        assert self.process is not None
        pid = self.process.pid
        return [int(n) for n in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    made = Service(tmp_path)
    made.prepare()
    yield made
    made.stop()
    made.socket.close()


def status(url: str) -> int:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return int(answer.status)


def test_who_comes_while_it_restarts_waits_and_is_answered(service: Service) -> None:
    with ThreadPoolExecutor() as people:
        early = people.submit(status, f"{service.url}/healthz")
        service.start()
        assert early.result() == 200
        service.stop()
        meanwhile = people.submit(status, f"{service.url}/healthz")
        service.start()
        assert meanwhile.result() == 200


def test_a_page_comes_back_after_a_reload_and_plays_on(service: Service, browser: Browser) -> None:
    service.start()
    context = browser.new_context(base_url=service.url)
    page = context.new_page()
    page.set_default_timeout(30000)
    open_table(page, "Ann", bots=2, lives="3")
    start(page)
    until_mine(page)
    old = set(service.workers())
    assert len(old) == 1
    assert service.process is not None
    os.kill(service.process.pid, signal.SIGHUP)
    wait_for(lambda: service.workers() and not old & set(service.workers()))
    expect(page.locator("#offline")).to_be_hidden(timeout=30000)
    play_on(page)
    expect(page.locator("#ending .end")).to_be_visible()
    context.close()
    assert "all workers are new" in service.said()
    assert "Traceback" not in service.said()
