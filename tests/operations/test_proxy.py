"""Parlour behind nginx with TLS, configured only by the files `deploy` writes."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

import pytest
from websockets.asyncio.client import connect

from operations.deployment import env_text
from tests.kit.deploying import deploy
from tests.kit.proxy import Nginx
from tests.kit.served import ROOT, Served, free_udp_port

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Served, Nginx]]:
    """A server that uses the generated settings, behind nginx."""
    folder, nginx = tmp_path_factory.mktemp("proxied"), Nginx()
    served = Served(folder)
    paths = {"certificate": str(nginx.certificate), "key": str(nginx.key)}
    port = str(served.port - 1)  # the process listens on the next port
    deploy(folder, url=nginx.url, port=port, udp_port=str(free_udp_port()), **paths)
    for name in env_text.read((folder / "parlour.env").read_text()):
        served.env.pop(name, None)
    served.env |= {"PARLOUR_ENV": str(folder / "parlour.env")}
    served.env |= {"DATABASE_URL": f"sqlite:///{served.database}", "HEARTBEAT_SECONDS": "2"}
    served.asked += "/healthz"  # pages redirect to https
    nginx.use((folder / "deploy" / "nginx.conf").read_text())
    try:
        served.prepare()
        served.start()
        nginx.start()
        yield served, nginx
    finally:
        served.stop()
        nginx.remove()


def ask(nginx: Nginx, path: str, **more: Any) -> Any:
    """Send a request through the proxy without following redirects."""

    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *args: Any) -> None:
            return None

    https = urllib.request.HTTPSHandler(context=nginx.trust())
    opener = urllib.request.build_opener(https, Stay, urllib.request.ProxyHandler({}))
    url = path if path.startswith("http") else nginx.url + path
    try:
        return opener.open(urllib.request.Request(url, **more), timeout=30)
    except urllib.error.HTTPError as error:
        return error


def test_pages_are_served_over_tls(proxied: tuple[Served, Nginx]) -> None:
    _, nginx = proxied
    with ask(nginx, "/rules/mia/") as answer:
        assert answer.status == 200
        assert "max-age=31536000" in answer.headers["Strict-Transport-Security"]
        page = answer.read().decode()
    static = re.search(r"/static/app\.[^\"]+\.css", page)
    assert static is not None
    with ask(nginx, static[0]) as answer:
        assert answer.status == 200


def test_plain_http_redirects_to_https(proxied: tuple[Served, Nginx]) -> None:
    _, nginx = proxied
    with ask(nginx, f"http://127.0.0.1:{nginx.plain_port}/", headers={"Host": "localhost"}) as sent:
        assert (sent.status, sent.headers["Location"]) == (301, f"{nginx.url}/")


def test_oversized_body_is_rejected(proxied: tuple[Served, Nginx]) -> None:
    _, nginx = proxied
    with ask(nginx, "/play/", data=bytes(3 * 1024 * 1024 + 1)) as answer:
        assert answer.status == 413


def test_metrics_are_not_public(proxied: tuple[Served, Nginx]) -> None:
    _, nginx = proxied
    for path in ("/metrics", "/metrics/"):
        with ask(nginx, path) as answer:
            assert (answer.status, answer.headers["X-Request-ID"]) == (404, None), path


async def test_programs_and_pages_can_open_sockets(proxied: tuple[Served, Nginx]) -> None:
    _, nginx = proxied
    address = nginx.url.replace("https", "wss")
    async with connect(f"{address}/api/ws/", ssl=nginx.trust(), proxy=None) as program:
        await program.send(json.dumps({"type": "HostGame", "game": "mia", "username": "ann"}))
        while (packet := json.loads(await program.recv()))["type"] != "GameCreated":
            assert packet["type"] != "ActionFailed", packet
    headers = {"Origin": nginx.url}
    where = f"{address}/ws/lobby/"
    async with connect(where, ssl=nginx.trust(), proxy=None, additional_headers=headers) as page:
        assert await page.recv()


def examined(served: Served) -> dict[str, tuple[str, str]]:
    """Return the most severe finding of `doctor` about each subject, by name."""
    command = [sys.executable, "manage.py", "doctor", "--json"]
    done = subprocess.run(command, cwd=ROOT, env=served.env, capture_output=True, text=True)
    found = json.loads(done.stdout)
    assert done.returncode == any(one["level"] == "error" for one in found), done.stderr
    order = ("ok", "warning", "error")
    found.sort(key=lambda one: order.index(one["level"]))
    return {one["about"]: (one["level"], one["said"]) for one in found}


def test_doctor_reports_no_errors_behind_a_proxy(proxied: tuple[Served, Nginx]) -> None:
    served, _ = proxied
    found = examined(served)
    assert not [one for one in found.values() if one[0] == "error"]
    for about in ("address", "proxy", "websocket", "body limit", "server", "udp", "migrations"):
        assert found[about][0] == "ok", found[about]


def examined_with(proxied: tuple[Served, Nginx], **replaced: str) -> dict[str, tuple[str, str]]:
    """Return the findings of `doctor` while words of the proxy's configuration are replaced."""
    served, nginx = proxied
    site = nginx.folder / "site.conf"
    wrong = right = site.read_text()
    for old, new in replaced.items():
        assert old in wrong
        wrong = wrong.replace(old, new)
    try:
        site.write_text(wrong)
        nginx.stop()
        nginx.start()
        return examined(served)
    finally:
        site.write_text(right)
        nginx.stop()
        nginx.start()


def test_doctor_finds_a_misconfigured_proxy(proxied: tuple[Served, Nginx]) -> None:
    forged = {"X-Forwarded-For $remote_addr": "X-Forwarded-For $http_x_forwarded_for"}
    found = examined_with(proxied, **forged, **{"Upgrade $http_upgrade": "Upgrade ''"})
    assert found["proxy"] == ("error", "Visitors can choose the address that limits apply to.")
    assert found["websocket"][0] == "error"


def test_doctor_finds_limits_of_the_proxy_that_are_too_low(proxied: tuple[Served, Nginx]) -> None:
    low = {
        "proxy_read_timeout 75s": "proxy_read_timeout 1s",
        "max_body_size 3m": "max_body_size 1m",
    }
    found = examined_with(proxied, **low)
    assert found["body limit"] == ("error", "The proxy refuses decks of 2 MiB.")
    assert found["websocket"][0] == "error"
    assert "An idle WebSocket was closed after 1 s." in found["websocket"][1]
