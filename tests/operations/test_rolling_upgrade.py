"""During a rolling upgrade, each host serves the files of both versions."""

from __future__ import annotations

import re
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.installed import is_installed
from tests.kit.copies import copied
from tests.kit.deploying import deploy
from tests.kit.proxy import Nginx
from tests.kit.served import Served

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not is_installed("nginx"), reason="needs nginx"),
]
CHANGED = "app.css"
NAMES = re.compile(r'(?:href|src)="(/static/[^"]+)"')


@pytest.fixture
def hosts(tmp_path: Path) -> Iterator[tuple[Nginx, list[Served]]]:
    """Two hosts behind a proxy, each with its own static files. The second is upgraded already."""
    before, after = copied(tmp_path / "before"), copied(tmp_path / "after")
    with (after / "static" / CHANGED).open("a") as file:
        file.write("\n.of-the-next-version { color: red }\n")
    proxy = Nginx()
    url = f"http://127.0.0.1:{proxy.port}"
    deploy(tmp_path, url=url, database="postgres", workers="2", port="9000")
    site = (tmp_path / "deploy" / "nginx.conf").read_text()
    servers = []
    try:
        for at in range(2):
            (tmp_path / str(at)).mkdir()
            server = Served(tmp_path / str(at), PUBLIC_URL=url)
            servers.append(server)
            server.root = before
            server.manage("prepare")
            server.start()
            site = site.replace(f"127.0.0.1:900{at + 1}", f"127.0.0.1:{server.port}")
        for server in servers:
            server.root = after
            server.manage("prepare")
        servers[1].stop()
        servers[1].start()
        proxy.use(site)
        proxy.start()
        yield proxy, servers
    finally:
        proxy.remove()
        for server in servers:
            server.stop()


def got(url: str) -> str:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return str(answer.read().decode(errors="replace"))


def test_pages_of_both_versions_find_their_files(hosts: tuple[Nginx, list[Served]]) -> None:
    proxy, servers = hosts
    named = [set(NAMES.findall(got(server.url))) for server in servers]
    styles = [next(name for name in names if Path(name).stem.startswith("app.")) for names in named]
    assert styles[0] != styles[1], "the versions differ"
    ways_in = [f"http://127.0.0.1:{proxy.port}", *(server.url for server in servers)]
    for way_in in ways_in:
        for name in named[0] | named[1]:
            got(way_in + name)  # raises unless the status is 200
        assert "of-the-next-version" not in got(way_in + styles[0])
        assert "of-the-next-version" in got(way_in + styles[1])
