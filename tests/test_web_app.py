"""What makes the site an installable app: manifest, icons, service worker."""

from __future__ import annotations

import struct

from django.contrib.staticfiles import finders
from django.test import Client


def test_manifest_icons_have_their_declared_sizes(client: Client, db: None) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    said = answer.json()
    assert said["name"] == "Parlour"
    assert said["display"] == "standalone"
    assert {(icon["sizes"], icon["purpose"]) for icon in said["icons"]} == {
        (size, purpose) for size in ("192x192", "512x512") for purpose in ("any", "maskable")
    }
    for icon in said["icons"]:
        assert "x".join(map(str, size_of(icon["src"]))) == icon["sizes"]
    assert size_of("/static/icons/apple.png") == (180, 180)


def size_of(address: str) -> tuple[int, int]:
    path = finders.find(address.removeprefix("/static/"))
    assert path, address
    with open(path, "rb") as file:
        width, height = struct.unpack(">16x2I", file.read(24))
    return width, height


def test_service_worker_is_served_from_the_root_without_caching(client: Client, db: None) -> None:
    answer = client.get("/service-worker.js")
    assert answer["Content-Type"].startswith("text/javascript")
    assert answer["Cache-Control"] == "no-cache"  # so that updates take effect at once
    assert b"showNotification" in answer.content


def test_pages_link_to_the_manifest_and_icon(client: Client, db: None) -> None:
    page = client.get("/").content.decode()
    assert '<link rel="manifest" href="/manifest.webmanifest">' in page
    assert 'rel="apple-touch-icon"' in page
