"""Links and QR codes use an address that others can reach, even if you use `localhost`."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlsplit

import pytest

from accounts import own_address
from accounts.own_address import is_loopback, usual_url
from games.models import Room
from lobby import handoff, screens, views
from tests.kit.factories import PersonFactory, open_table
from tests.kit.people import as_user

pytestmark = pytest.mark.django_db(transaction=True)

LAN = "http://192.168.7.20:8000"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the addresses drawn as QR codes."""
    found: list[str] = []

    def note(url: str) -> str:
        found.append(url)
        return ""

    for module, name in ((views, "qr"), (screens, "qr"), (handoff, "drawing")):
        monkeypatch.setattr(module, name, note)
    return found


LOCAL = ["localhost:8000", "127.0.0.1:8000", "[::1]:8000", "parlour.localhost:8000"]


@pytest.mark.parametrize("host", LOCAL)
def test_links_use_the_lan_address_if_opened_on_localhost(
    settings: Any, drawn: list[str], host: str
) -> None:
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = LAN, ["*"]
    room: Room = open_table(ann := PersonFactory())
    client = as_user(ann)
    pages = [
        client.get(f"/t/{room.code}/", headers={"Host": host}),
        client.get(f"/t/{room.code}/screen/", headers={"Host": host}),
        client.post("/you/device/", headers={"Host": host}),
    ]
    for page in (answer.content.decode() for answer in pages):
        card = re.search(r'og:image" content="([^"]*)"', page)
        assert card is None or card[1].startswith(LAN)
        address = re.search(r'og:url" content="([^"]*)"', page)
        assert address is None or address[1].startswith(LAN)
        assert host not in page
        assert "192.168.7.20:8000" in page
    assert len(drawn) == 3
    assert {f"{u.scheme}://{u.netloc}" for u in map(urlsplit, drawn)} == {LAN}


@pytest.mark.parametrize("host", ["192.168.7.20:8000", "laptop.local:8000", "play.example.org"])
def test_links_use_the_host_of_the_request(settings: Any, drawn: list[str], host: str) -> None:
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "https://else.example", ["*"]
    room = open_table(ann := PersonFactory())
    page = as_user(ann).get(f"/t/{room.code}/", headers={"Host": host}).content.decode()
    assert drawn == [f"http://{host}/t/{room.code}/"]
    assert f"http://{host}/t/{room.code}/" in page


def test_loopback_only_server_uses_the_host_of_the_request(settings: Any, drawn: list[str]) -> None:
    settings.PUBLIC_URL, settings.ALLOWED_HOSTS = "http://127.0.0.1:8000", ["*"]
    room = open_table(ann := PersonFactory())
    as_user(ann).get(f"/t/{room.code}/", headers={"Host": "localhost:9000"})
    assert drawn == [f"http://localhost:9000/t/{room.code}/"]


@pytest.mark.parametrize(
    ("listens_at", "url"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("localhost", "http://127.0.0.1:8000"),
        ("0.0.0.0", LAN),
        ("::", LAN),
        ("10.1.2.3", "http://10.1.2.3:8000"),
        ("fd00::5", "http://[fd00::5]:8000"),
    ],
)
def test_public_address_follows_the_listening_address(
    monkeypatch: pytest.MonkeyPatch, listens_at: str, url: str
) -> None:
    monkeypatch.setattr(own_address, "lan_address", lambda: "192.168.7.20")
    assert usual_url(listens_at, 8000) == url


def test_loopback_hosts_are_recognized() -> None:
    assert all(is_loopback(host) for host in ("localhost", "LOCALHOST.", "127.8.8.8", "[::1]"))
    assert not any(is_loopback(host) for host in ("", "10.0.0.1", "localhost.example.org", "::2"))
