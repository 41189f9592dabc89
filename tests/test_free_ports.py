"""A port given to a test server is given to no other one, even before it listens."""

from __future__ import annotations

from tests.kit.served import free_port


def test_no_port_is_given_twice() -> None:
    ports = [free_port() for _ in range(100)]
    assert len(set(ports)) == len(ports)
