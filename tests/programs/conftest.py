"""A real server for programs, one per worker of the test run."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.kit.served import Served, free_udp_port


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    udp = str(free_udp_port())
    server = Served(tmp_path_factory.mktemp("programs"), WS_BURST="0", MIA_UDP_PORT=udp)
    server.prepare()
    server.start()
    yield server
    server.stop()
