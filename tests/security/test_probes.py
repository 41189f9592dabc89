"""Probes, robots.txt and security.txt: for machines, whatever the Host header."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from channels.testing import ApplicationCommunicator
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.test import Client

from config import probes
from config.asgi import application
from config.reading import read_contacts

pytestmark = pytest.mark.django_db


async def ask(path: str, method: str = "GET", served: Any = None) -> tuple[int, str]:
    """Return the response to a probe with its own Host header."""
    headers = [(b"host", b"192.0.2.1")]
    scope = {"type": "http", "path": path, "method": method, "headers": headers}
    asked = ApplicationCommunicator(served or probes.Probes(application), scope)
    await asked.send_input({"type": "http.request", "body": b""})
    start = await asked.receive_output(20)
    body = await asked.receive_output(20)
    return start["status"], body["body"].decode().strip()


@pytest.mark.parametrize("path", ["/healthz", "/healthz/"])
async def test_liveness_probe_does_not_query_the_database(path: str, monkeypatch: Any) -> None:
    monkeypatch.setattr(probes, "storage_fault", lambda: pytest.fail("it asks"))
    assert await ask(path) == (200, "ok")


async def test_asgi_application_serves_the_probes() -> None:
    assert isinstance(application.application_mapping["http"], probes.Probes)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("method", ["GET", "HEAD"])
async def test_readiness_probe_succeeds_if_storage_works(method: str) -> None:
    assert (await ask("/readyz", method))[0] == 200


async def test_readiness_probe_rejects_post() -> None:
    assert (await ask("/readyz", "POST"))[0] == 405


async def test_failed_probe_names_the_error_without_the_host(monkeypatch: Any) -> None:
    fault = "OperationalError: connection to server at 10.0.0.7 failed"
    monkeypatch.setattr(probes, "storage_fault", lambda: fault)
    sentence = "The database cannot be written (OperationalError)."
    assert await ask("/readyz") == (503, sentence)


async def test_crashing_storage_check_returns_503(monkeypatch: Any) -> None:
    def fail() -> str:
        raise OperationalError

    monkeypatch.setattr(probes, "storage_fault", fail)
    assert (await ask("/readyz"))[0] == 503


async def test_hanging_storage_check_returns_503_and_blocks_one_thread(monkeypatch: Any) -> None:
    may_go_on, begun, served = threading.Event(), [], probes.Probes(application)

    def hang() -> str:
        begun.append(1)
        may_go_on.wait(20)
        return ""

    monkeypatch.setattr(probes, "storage_fault", hang)
    monkeypatch.setattr(probes, "PATIENCE", 0.05)
    try:
        for _ in range(3):
            assert (await ask("/readyz", served=served))[0] == 503
        assert begun == [1]
    finally:
        may_go_on.set()


async def test_unreachable_redis_is_reported(settings: Any, monkeypatch: Any) -> None:
    monkeypatch.setattr(probes, "storage_fault", lambda: "")
    settings.REDIS_URL = "redis://127.0.0.1:1"
    assert await ask("/readyz") == (503, "Redis cannot be reached (ConnectionError).")


def test_robots_txt_excludes_private_pages(client: Client) -> None:
    lines = client.get("/robots.txt").content.decode().split("\n")
    assert lines[0] == "User-agent: *"
    assert "Disallow: /t/" in lines
    assert "Disallow: /" not in lines


def test_robots_txt_can_exclude_the_whole_site(client: Client, settings: Any) -> None:
    settings.ROBOTS = "deny"
    assert client.get("/robots.txt").content == b"User-agent: *\nDisallow: /\n"


def test_security_txt_names_the_contact(client: Client, settings: Any) -> None:
    settings.SECURITY_CONTACT = ["mailto:safe@parlour.example"]
    answer = client.get("/.well-known/security.txt")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    lines = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert lines["Contact"] == "mailto:safe@parlour.example"
    assert lines["Canonical"] == f"{settings.PUBLIC_URL}/.well-known/security.txt"
    expires = datetime.strptime(lines["Expires"], "%Y-%m-%dT%H:%M:%S%z")
    assert timedelta(0) < expires - datetime.now(UTC) < timedelta(days=365)


def test_security_txt_does_not_exist_without_a_contact(client: Client) -> None:
    assert client.get("/.well-known/security.txt").status_code == 404


def test_security_contacts_are_normalized_and_validated() -> None:
    given = ["safe@parlour.example", " https://parlour.example/safe ", "", "tel:+49-1"]
    wanted = ["mailto:safe@parlour.example", "https://parlour.example/safe", "tel:+49-1"]
    assert read_contacts(given) == wanted
    for wrong in ("http://parlour.example", "a b@c", "mailto:a\nExpires: x"):
        with pytest.raises(ImproperlyConfigured, match="SECURITY_CONTACT"):
            read_contacts([wrong])
