"""If strangers send junk, the server answers or disconnects them, and logs no traceback."""

from __future__ import annotations

import re
import socket
import struct
import threading
import urllib.request
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.kit.served import Served

pytestmark = pytest.mark.slow

REQUEST_SECONDS = 1
KEY = "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
B = "xYzZy"
FORM = f"multipart/form-data; boundary={B}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: Any) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("strangers"), REQUEST_SECONDS=str(REQUEST_SECONDS))
    served.prepare()
    served.start()
    yield served
    served.stop()


@pytest.fixture(autouse=True)
def _unharmed(server: Served) -> Iterator[None]:
    """Check after every test that the server answers and has logged no fault."""
    before = len(server.said())
    yield
    assert status(talk(server, request("GET", "/healthz"))) == 200
    said = server.said()[before:]
    assert "Traceback" not in said, said
    assert "Internal Server Error" not in said, said


def talk(server: Served, *pieces: bytes) -> bytes:
    """Send the first piece, and the others after the server's answer.

    Read until the server disconnects.
    """
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        heard = b""
        try:
            for at, piece in enumerate(pieces):
                heard += line.recv(65536) if at == 1 else b""
                line.sendall(piece)
            while more := line.recv(65536):
                heard += more
        except (ConnectionResetError, BrokenPipeError):
            pass
    return heard


def status(heard: bytes) -> int | None:
    found = re.match(rb"HTTP/1\.1 (\d+)", heard)
    return int(found[1]) if found else None


def request(
    method: str, path: str, body: bytes = b"", headers: str = "", host: str = "localhost"
) -> bytes:
    length = f"Content-Length: {len(body)}\r\n" if body else ""
    head = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n{length}{headers}\r\n"
    return head.encode("latin-1") + body


def csrf(server: Served) -> tuple[str, str]:
    """Return a form's token with its cookie."""
    with urllib.request.urlopen(f"{server.url}/new/cards/", timeout=20) as page:
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())
        cookie = re.search(r"csrftoken=(\w+)", page.headers["Set-Cookie"])
    assert token
    assert cookie
    return token[1], cookie[1]


def part(name: str, value: bytes, more: str = "") -> bytes:
    head = f'--{B}\r\nContent-Disposition: form-data; name="{name}"{more}\r\n\r\n'
    return head.encode("latin-1") + value + b"\r\n"


END = f"--{B}--\r\n".encode()
FILE = '; filename="x"\r\nContent-Type: text/plain'
BODIES: dict[str, tuple[str, bytes]] = {
    "no boundary": ("multipart/form-data", b"x"),
    "empty boundary": ("multipart/form-data; boundary=", b"x"),
    "odd boundary": ("multipart/form-data; boundary=\xff\xfe", b"--\xff\xfe\r\n\r\n"),
    "long boundary": (f"multipart/form-data; boundary={'b' * 300}", b"x"),
    "another boundary": (FORM, b"--other\r\n\r\nx\r\n--other--\r\n"),
    "no end": (FORM, part("name", b"x")),
    "no header": (FORM, f"--{B}\r\n\r\nx\r\n".encode() + END),
    "no name": (FORM, f"--{B}\r\nContent-Disposition: form-data\r\n\r\nx\r\n".encode() + END),
    "half a header": (FORM, f"--{B}\r\nContent-Dispo".encode()),
    "odd encoding": (
        FORM,
        f'--{B}\r\nContent-Disposition: form-data; name="a"\r\n'
        "Content-Transfer-Encoding: base64\r\n\r\n!!!!\r\n".encode()
        + END,
    ),
    "odd charset of a part": (FORM, part("name", b"x", "\r\nContent-Type: text/plain; charset=zz")),
    "file name in an odd charset": (FORM, part("f", b"x", "; filename*=zz''%ff") + END),
    "file name of nothing": (FORM, part("f", b"x", "; filename*=UTF-8''%00%ff") + END),
    "charset unknown": (f"{FORM}; charset=zz", part("name", b"x") + END),
    "charset of no text": (f"{FORM}; charset=hex", part("name", b"x") + END),
    "NUL in a field": (FORM, part("name", b"a\x00b") + part("a\x00b", b"x") + END),
    "no UTF-8 in a field": (FORM, part("name", b"\xff\xfe\x80") + END),
    "many fields": (FORM, b"".join(part(f"f{at}", b"") for at in range(1200)) + END),
    "many files": (FORM, b"".join(part(f"f{at}", b"x", FILE) for at in range(150)) + END),
    "a large field": (FORM, part("name", b"x" * 3_000_000) + END),
    "form of another kind": ("application/x-www-form-urlencoded; charset=utf-7", b"a=%ff"),
    "NUL urlencoded": ("application/x-www-form-urlencoded", b"name=%00&%00=x&login=%00"),
    "many urlencoded": ("application/x-www-form-urlencoded", b"&".join([b"a=b"] * 1200)),
    "no such type": ("\xff/\xff; boundary=\x7f", b"x"),
    "JSON": ("application/json", b'{"a": '),
}


@pytest.mark.parametrize("path", ["/account/login/", "/decks/new/"])
def test_malformed_forms_cause_no_server_error(server: Served, path: str) -> None:
    token, cookie = csrf(server)
    for name, (kind, body) in BODIES.items():
        headers = f"Content-Type: {kind}\r\nCookie: csrftoken={cookie}\r\nX-CSRFToken: {token}\r\n"
        got = status(talk(server, request("POST", path, body, headers)))
        assert got is not None, name
        assert got < 500, name


PATHS = [
    *("/%", "/%zz", "/%ff%fe", "/%00", "/t/%00/", "/t/%ff/", "/people/%ff%fe/", "/people/%00/"),
    *(
        "/decks/%00.json",
        "/rules/%F0%9F%8E%B2/",
        "/matches/99999999999999999999999/",
        "/" + "a" * 9,
    ),
    *("/t/" + "%C3%A4" * 500 + "/", "//evil.example/", "/../../etc/passwd", "/static/../manage.py"),
    *(
        "/static/%00",
        "/static/%ff",
        "/static/" + "a" * 5000,
        "/?%ff=%00&lang=%ff",
        "/you/?next=%00",
    ),
    *("/account/login/?next=%00%ff", "/account/password/reset/key/1-%ff/", "/account/invited/x/"),
    *(
        "/face/3/99-teal.svg",
        "/api/%ff/",
        "/robots.txt/",
        "/.well-known/security.txt",
        "/*",
        "*",
    ),
    *("/admin/login/?next=http://[", "/account/confirm-email/" + ":" * 300 + "/", "/healthz/x"),
]


def test_malformed_paths_cause_no_server_error(server: Served) -> None:
    for path in PATHS:
        got = status(talk(server, request("GET", path)))
        assert got is not None, path
        assert got < 500, path


HEADERS = [
    *("Cookie: sessionid=\xff\xfe", "Cookie: " + "a=b; " * 1500, "Cookie: =;=;;;\x7f=\x80"),
    *(
        "Cookie: device=x:y:z; trail=1:2:3; csrftoken=\xe4; messages=x",
        "Cookie: sessionid=" + "%" * 999,
    ),
    *(
        "Cookie: django_language=../../x",
        "Accept-Language: \xff\xfe, de;q=x",
        "Accept-Language: " + "a-" * 900,
    ),
    *("Origin: http://[", "Origin: null", "Origin: \xff", "Referer: http://[", "Referer: \xff"),
    *(
        "X-Forwarded-For: \xff",
        "X-Forwarded-Proto: \xff",
        "X-Forwarded-Host: [",
        "Range: bytes=9-1",
    ),
    *(
        "If-Modified-Since: \xff",
        "If-None-Match: \xff",
        "Accept-Encoding: \xff",
        "HX-Request: \xff",
    ),
    *("HX-Current-URL: http://[", "HX-Current-URL-URI-AutoEncoded: true", "Expect: 100-continue"),
    *(
        "Content-Length: 99999999999",
        "Content-Type: \xff",
        "Authorization: Bearer \xff",
        "Upgrade: \xff",
    ),
    *("X-Large: " + "x" * 40_000, "X-Huge: " + "x" * 200_000, "X-HTTP-Method-Override: \xff"),
]
HOSTS = [
    "",
    "[",
    "[::1",
    "a b",
    "\xff",
    "evil.example",
    "localhost:99999",
    "localhost:x",
    "a" * 300,
]


@pytest.mark.parametrize("path", ["/", "/static/x.css", "/api/ws/", "/healthz"])
def test_malformed_headers_cause_no_server_error(server: Served, path: str) -> None:
    for header in HEADERS:
        pieces = request("GET", path, headers=f"{header}\r\n")
        got = status(talk(server, pieces))
        assert got is None or got < 500, header
    for host in HOSTS:
        got = status(talk(server, request("POST", path, b"a=b", host=host)))
        assert got is None or got < 500, host


LINES = [
    *(
        b"\x16\x03\x01\x02\x00",
        b"\x00" * 2000,
        b"GET\r\n\r\n",
        b"GET / HTTP/9.9\r\n\r\n",
        b"\r\n" * 50,
    ),
    *(
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\n",
    ),
    b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
    b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"POST /code/ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
    b"CONNECT localhost:22 HTTP/1.1\r\nHost: localhost\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    b"BREW / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
]


def test_malformed_request_lines_cause_no_server_error(server: Served) -> None:
    for line in LINES:
        got = status(talk(server, line))
        assert got is None or got < 500, line


def frame(opcode: int, data: bytes, fin: bool = True) -> bytes:
    """Build a client frame with a mask of zeros."""
    length = len(data)
    size = bytes([0x80 | length]) if length < 126 else bytes([0xFE]) + struct.pack("!H", length)
    return bytes([(0x80 if fin else 0) | opcode]) + size + b"\0\0\0\0" + data


FRAMES = {
    "no UTF-8": frame(1, b"\xff\xfe"),
    "half a character": frame(1, b"\xc3"),
    "no UTF-8, in pieces": frame(1, b"\xc3", fin=False) + frame(0, b"\x28"),
    "bytes": frame(2, b"\xff"),
    "a continuation of nothing": frame(0, b"x"),
    "not masked": b"\x81\x01x",
    "reserved": b"\xff\x80\0\0\0\0",
    "a long ping": frame(9, b"x" * 130),
    "an odd close": frame(8, b"\x00"),
    "a close of no code": frame(8, b"\x00\x00"),
    "a close with no UTF-8": frame(8, b"\x03\xe8\xff"),
    "deep": frame(1, b"[" * 9000),
    "lone surrogate": frame(1, b'{"type":"HostGame","game":"mia","username":"\\ud800"}'),
    "a number of many digits": frame(1, b'{"type":"HostGame","id":' + b"9" * 5000 + b"}"),
    "a lot": frame(1, b"x") * 300,
}


@pytest.mark.parametrize("path", ["/api/ws/", "/ws/lobby/"])
def test_malformed_frames_are_answered_or_close_the_connection(server: Served, path: str) -> None:
    upgrade = f"Upgrade: websocket\r\nOrigin: {server.url}\r\n{KEY}"
    asked = request("GET", path, headers=upgrade, host=f"127.0.0.1:{server.port}")
    asked = asked.replace(b"Connection: close", b"Connection: Upgrade")
    for name, frames in FRAMES.items():
        heard = talk(server, asked, frames, frame(8, b"\x03\xe8"))
        assert status(heard) == 101, name


def test_malformed_handshakes_cause_no_server_error(server: Served) -> None:
    for path in (
        "/api/ws/",
        "/ws/lobby/",
        "/ws/table/%ff%00/",
        "/ws/table/x/",
        "/ws/nothing/",
        "/%",
    ):
        for more in (
            "",
            KEY,
            f"{KEY}Sec-WebSocket-Protocol: \xff\r\n",
            f"{KEY}Cookie: sessionid=\xff\r\n",
        ):
            asked = request("GET", path, headers=f"Upgrade: websocket\r\nOrigin: x\r\n{more}")
            asked = asked.replace(b"Connection: close", b"Connection: Upgrade")
            got = status(talk(server, asked, frame(8, b"")))
            assert got is None or got < 500, (path, more)


def test_unknown_socket_paths_are_rejected(server: Served) -> None:
    host = f"127.0.0.1:{server.port}"
    for path in ("/api/ws/x", "/api/", "/ws/nothing/", "/healthz", "/"):
        upgrade = f"Upgrade: websocket\r\nOrigin: {server.url}\r\n{KEY}"
        asked = request("GET", path, headers=upgrade, host=host)
        asked = asked.replace(b"Connection: close", b"Connection: Upgrade")
        assert status(talk(server, asked)) == 403, path


def test_api_reference_handles_concurrent_requests(server: Served) -> None:
    pages = ["/api/", "/api/schema.json", "/api/asyncapi.json", "/api/mia/", "/api/cards/"] * 4
    together = threading.Barrier(len(pages))

    def ask(page: str) -> int | None:
        together.wait(30)
        return status(talk(server, request("GET", page)))

    with ThreadPoolExecutor(len(pages)) as pool:
        assert Counter(pool.map(ask, pages)) == {200: len(pages)}


HALF = {
    "nothing": b"",
    "half a line": b"GET / HT",
    "half the headers": b"GET / HTTP/1.1\r\nHost: localhost\r\n",
    "half a body": request("POST", "/code/", b"x" * 50)[:-1],
    "most of a large body": request("POST", "/code/", b"x" * 2_000_000)[:-1],
    "half a request after a whole one": b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /",
}


@pytest.mark.parametrize("half", HALF)
def test_incomplete_request_times_out(server: Served, half: str) -> None:
    talk(server, HALF[half])  # returns when the server disconnects; fails after 30 s


def test_endless_header_times_out(server: Served) -> None:
    """Sending a byte now and then does not keep the connection open."""
    with socket.create_connection(("127.0.0.1", server.port), timeout=0.2) as line:
        line.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ")
        for _ in range(150):
            try:
                line.sendall(b"x")
                if not line.recv(1):
                    return
            except TimeoutError:
                continue
            except (ConnectionResetError, BrokenPipeError):
                return
    pytest.fail("It is still open.")


def test_slow_upload_is_read_to_the_end(server: Served) -> None:
    body = bytes(range(192, 256))
    head = request("POST", "/code/", body * 60)[: -60 * 64]
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as line:
        line.sendall(head)
        for _ in range(60):
            line.sendall(body)
        assert status(line.recv(65536)) == 403
