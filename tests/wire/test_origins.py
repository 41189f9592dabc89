"""Sockets that authenticate by cookie open only for pages of this site (scheme, host, port)."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async

from accounts import tokens
from config.asgi import application, pages
from tests.kit.client import Program
from tests.kit.factories import open_table
from tests.kit.page_socket import Connection, logged_in

OURS = "http://parlour.test:8000"
FOREIGN = [
    "http://parlour.test:8001",
    "http://parlour.test",
    "https://parlour.test:8000",
    "http://sub.parlour.test:8000",
    "http://parlour.test.evil.example:8000",
    "http://evil.example:8000",
    "parlour.test:8000",
    "http://parlour.test:nonsense",
    "null",
    "",
    None,
]
"""Origins of other sites."""

PAGES = ["/ws/table/{code}/", "/ws/screen/{code}/", "/ws/lobby/", "/ws/you/"]


@pytest.fixture(params=["hosts", "LAN"], autouse=True)
def _hosts(request: Any, settings: Any) -> None:
    """Settings of a server on the internet, and with LAN=on."""
    settings.ALLOWED_HOSTS = ["*"] if request.param == "LAN" else ["parlour.test"]
    settings.CSRF_TRUSTED_ORIGINS = ["http://127.0.0.1:8000"]


def opened(path: str, origin: str | None, *more: tuple[bytes, bytes], scheme: str = "ws") -> Any:
    headers = [(b"host", b"parlour.test:8000"), *more]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    connection = Connection(application, path, headers=headers)
    connection.scope["scheme"] = scheme
    return connection


def as_cookie(cookie: str) -> tuple[bytes, bytes]:
    return b"cookie", cookie.encode()


def test_every_page_socket_is_tested() -> None:
    routes = [str(route.pattern) for route in pages.routes if str(route.pattern)]
    known = [path.removeprefix("/").replace("{code}", "<str:code>") for path in PAGES]
    assert sorted(routes) == sorted(known)


@pytest.mark.parametrize("path", PAGES)
async def test_pages_of_other_sites_cannot_open_page_sockets(path: str) -> None:
    person, cookie = await sync_to_async(logged_in)()
    room = await sync_to_async(open_table)(person)
    where = path.format(code=room.code)
    for origin in FOREIGN:
        assert not (await opened(where, origin, as_cookie(cookie)).connect())[0], origin
    ours = opened(where, OURS, as_cookie(cookie))
    assert (await ours.connect())[0]
    await ours.disconnect()


async def named(*headers: tuple[bytes, bytes], origin: str | None) -> str | None:
    """Return the user that the socket for programs recognizes."""
    program = Program()
    program.socket = opened("/api/ws/", origin, *headers)
    async with program:
        name: str | None = (await program.read())["username"]
        return name


async def test_cookie_authenticates_only_from_pages_of_this_site() -> None:
    _, cookie = await sync_to_async(logged_in)()
    for origin in FOREIGN:
        assert await named(as_cookie(cookie), origin=origin) is None, origin
    assert await named(as_cookie(cookie), origin=OURS) == "Ann"


async def test_token_authenticates_from_any_origin() -> None:
    person, _ = await sync_to_async(logged_in)()
    bearer = b"authorization", f"Bearer {await sync_to_async(tokens.make)(person)}".encode()
    for origin in FOREIGN:
        assert await named(bearer, origin=origin) == "Ann", origin


async def test_only_trusted_origins_can_open_sockets(settings: Any) -> None:
    settings.CSRF_TRUSTED_ORIGINS = ["https://friends.example", "https://*.example.org:444"]
    for origin, is_trusted in {
        "https://friends.example": True,
        "https://friends.example:443": True,
        "http://friends.example": False,
        "https://friends.example:444": False,
        "https://a.friends.example": False,
        "https://a.example.org:444": True,
        "https://a.example.org": False,
        "https://anexample.org:444": False,
    }.items():
        connection = opened("/ws/lobby/", origin)
        assert (await connection.connect())[0] is is_trusted, origin
        if is_trusted:
            await connection.disconnect()


async def test_scheme_is_taken_from_the_proxy_header(settings: Any) -> None:
    settings.SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    secure = b"x-forwarded-proto", b"https"
    page = opened("/ws/lobby/", "https://parlour.test:8000", secure)
    assert (await page.connect())[0]
    await page.disconnect()
    assert not (await opened("/ws/lobby/", OURS, secure).connect())[0]


async def test_tls_without_a_proxy_is_https() -> None:
    page = opened("/ws/lobby/", "https://parlour.test:8000", scheme="wss")
    assert (await page.connect())[0]
    await page.disconnect()


async def test_disallowed_host_opens_no_socket(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["other.test"]
    assert not (await opened("/ws/lobby/", OURS).connect())[0]
