"""The proxies spread requests over several processes, and leave out those that cannot answer."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator
from urllib.error import HTTPError

import pytest

from tests.installed import is_installed
from tests.kit.deploying import deploy
from tests.kit.proxy import Caddy, Nginx
from tests.kit.served import free_port
from tests.kit.upstreams import Upstream, upstreams
from tests.kit.waiting import wait_for

pytestmark = pytest.mark.slow

PROXIES = [proxy for proxy in (Nginx, Caddy) if is_installed(proxy.__name__.lower())]
TABLES = [f"TABL{number}" for number in range(8)]


@pytest.fixture(params=PROXIES, scope="module")
def balanced(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, list[Upstream]]]:
    folder, proxy = tmp_path_factory.mktemp("balanced"), request.param()
    ports = [free_port() for _ in range(3)]
    url = f"http://127.0.0.1:{proxy.port}"
    deploy(folder, url=url, database="postgres", workers="3", port="9000")
    name = "nginx.conf" if isinstance(proxy, Nginx) else "Caddyfile"
    site = (folder / "deploy" / name).read_text()
    for at, port in enumerate(ports, 9001):
        site = site.replace(f"127.0.0.1:{at}", f"127.0.0.1:{port}")
    proxy.use(site)
    try:
        with upstreams(*ports) as servers:
            proxy.start()
            yield url, servers
    finally:
        proxy.remove()


def ask(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as refused:
        return refused.status, refused.read().decode()


def pages_of(table: str) -> list[str]:
    return [f"/t/{table}/", f"/ws/table/{table}/", f"/ws/screen/{table}/", f"/api/ws/?room={table}"]


def test_all_connections_of_a_table_go_to_one_process(balanced: tuple[str, list[Upstream]]) -> None:
    url, servers = balanced
    before = sum(server.connections for server in servers)
    chosen = {}
    for _ in range(5):
        for table in TABLES:
            answers = {ask(url + page) for page in pages_of(table)}
            assert len(answers) == 1, "the pages and sockets of a table have the same process"
            assert chosen.setdefault(table, answers) == answers
    assert len({str(answer) for answer in chosen.values()}) > 1, "tables are spread"
    opened = sum(server.connections for server in servers) - before
    assert opened < 5 * len(TABLES), "connections to the processes are kept and reused"


def test_another_process_answers_for_one_that_is_not_ready(
    balanced: tuple[str, list[Upstream]],
) -> None:
    url, servers = balanced
    away = servers[0]
    away.status = 503
    try:
        wait_for(lambda: all(ask(f"{url}/t/{table}/")[0] == 200 for table in TABLES))
        assert {ask(f"{url}/")[0] for _ in range(20)} == {200}
    finally:
        away.status = 200
    wait_for(lambda: str(away.port) in {ask(f"{url}/t/{table}/")[1] for table in TABLES})


def test_answer_is_503_if_no_process_is_ready(balanced: tuple[str, list[Upstream]]) -> None:
    url, servers = balanced
    for server in servers:
        server.status = 503
    try:
        wait_for(lambda: ask(url)[0] == 503)
    finally:
        for server in servers:
            server.status = 200
    wait_for(lambda: ask(url)[0] == 200)
