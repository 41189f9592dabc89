"""Request bodies that are too large are refused before anything is stored."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.body_limit import MOST_BYTES, BodyLimit
from games.cards.decks.decoding import LONGEST
from tests.kit.served import ROOT, Served

pytestmark = pytest.mark.slow

PIECE = b"x" * 65536
FORM = "Content-Type: application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def server(tmp_path_factory: Any) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("bodies"))
    served.prepare()
    served.start()
    yield served
    served.stop()
    assert "Traceback" not in served.said()


def head(path: str, *headers: str) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: localhost", FORM, *headers]
    return "\r\n".join([*lines, "", ""]).encode()


def chunked(pieces: int) -> Iterator[bytes]:
    for _ in range(pieces):
        yield b"%x\r\n%s\r\n" % (len(PIECE), PIECE)
    yield b"0\r\n\r\n"


def answer(line: socket.socket) -> tuple[int, str]:
    """Read one response with a Content-Length."""
    heard = b""
    while b"\r\n\r\n" not in heard:
        heard += line.recv(65536)
    top, _, body = heard.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", top)
    while length and len(body) < int(length[1]):
        body += line.recv(65536)
    return int(top.split()[1]), body.decode()


WAYS = {
    "a declared length": (f"Content-Length: {len(PIECE) * 100}", [PIECE] * 100),
    "chunks": ("Transfer-Encoding: chunked", [*chunked(100)]),
}


@pytest.mark.parametrize("way", WAYS)
def test_oversized_body_gets_an_error_page(server: Served, way: str) -> None:
    header, pieces = WAYS[way]
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(head("/decks/new/", header))
        for piece in pieces:
            line.sendall(piece)
        status, page = answer(line)
        assert status == 413
        assert "At most 3 MB can be sent at once" in page
        line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert answer(line)[0] == 200, "the connection goes on"


def test_oversized_body_is_rejected_before_it_is_sent(server: Served) -> None:
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(head("/decks/new/", "Content-Length: 300000000", "Expect: 100-continue"))
        assert answer(line)[0] == 413


class Inner:
    """Read the whole body before answering, as Django does."""

    def __init__(self) -> None:
        self.bodies: list[int] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.bodies.append(0)
        more = True
        while more:
            message = await receive()
            if message["type"] == "http.disconnect":
                return
            self.bodies[-1] += len(message["body"])
            more = message["more_body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})


@pytest.mark.parametrize("declared", [b"", b"1", b"-1", b"x", str(MOST_BYTES + 1).encode()])
def test_django_never_receives_more_than_the_limit(declared: bytes) -> None:
    inner, sent = Inner(), []
    pieces = 10 * MOST_BYTES // len(PIECE)

    async def receive() -> Any:
        nonlocal pieces
        pieces -= 1
        return {"type": "http.request", "body": PIECE, "more_body": pieces > 0}

    async def send(message: Any) -> None:
        sent.append(message["type"])

    headers = [(b"content-length", declared)] if declared else []
    scope = {"type": "http", "headers": headers}
    asyncio.run(BodyLimit(inner)(scope, receive, send))
    assert max(inner.bodies) <= MOST_BYTES
    assert sent == ["http.response.start"]


def test_body_limit_allows_a_deck_and_matches_the_proxies() -> None:
    form = 64 * 1024  # the other fields, and multipart overhead
    assert LONGEST + form < MOST_BYTES
    templates = Path(ROOT, "operations/deployment/templates")
    assert (
        f"client_max_body_size {MOST_BYTES >> 20}m;" in (templates / "nginx.conf.jinja").read_text()
    )
    assert f"max_size {MOST_BYTES >> 20}MB" in (templates / "Caddyfile.jinja").read_text()
