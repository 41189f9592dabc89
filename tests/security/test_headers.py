"""Headers of every kind of response, and Django's own deployment checks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from tests.kit.factories import open_table
from tests.kit.people import account, as_user

pytestmark = pytest.mark.django_db(transaction=True)

ROOT = Path(__file__).parent.parent.parent
ANSWERS = {
    "/": 200,
    "/account/login/": 200,
    "/account/password/change/": 302,
    "/nowhere/": 404,
    "/play/": 302,
    "/decks/own.csv": 200,
}
PARTS = ("/static/app.css", "/static/room.js", "/static/icon.svg", "/face/3/01-teal.svg")


def policy(answer: Any) -> dict[str, str]:
    """Return the Content Security Policy of a response, by directive."""
    parts = answer.headers["Content-Security-Policy"].split(";")
    return {name: value for name, _, value in (part.strip().partition(" ") for part in parts)}


def check_headers(answer: Any) -> None:
    allowed = policy(answer)
    assert allowed["default-src"] == "'none'"
    assert allowed["script-src"] == allowed["style-src"] == allowed["img-src"] == "'self'"
    assert allowed["frame-ancestors"] == allowed["base-uri"] == "'none'"
    assert allowed["form-action"] == "'self'"
    assert "unsafe" not in answer.headers["Content-Security-Policy"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in answer.headers["Permissions-Policy"]


@pytest.mark.parametrize("address", ANSWERS)
def test_every_response_has_the_security_headers(address: str) -> None:
    answer = Client().get(address)
    answer.close()
    assert answer.status_code == ANSWERS[address]
    check_headers(answer)


@pytest.mark.parametrize("address", PARTS)
def test_fragment_opened_by_itself_has_the_strictest_policy(address: str) -> None:
    answer = Client().get(address)
    answer.close()
    assert policy(answer) == {"default-src": "'none'"}
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "Permissions-Policy" not in answer.headers  # longer than most fragments


def test_personal_pages_are_not_stored_in_shared_caches() -> None:
    client = as_user(account("Ann"))
    for address in ("/", "/you/", "/decks/", "/account/password/change/", "/people/Ann/", "/no/"):
        assert "private" in client.get(address).headers["Cache-Control"], address
    for address in ("/face/3/01-teal.svg", "/static/app.css"):
        answer = client.get(address)
        answer.close()
        assert "public" in answer.headers["Cache-Control"], address


def test_table_page_is_never_stored_in_a_cache() -> None:
    ann = account("Ann")
    room = open_table(ann)
    assert "no-store" in as_user(ann).get(f"/t/{room.code}/").headers["Cache-Control"]


def test_admin_pages_have_the_security_headers() -> None:
    staff = as_user(account("Root", is_staff=True, is_superuser=True))
    check_headers(staff.get("/admin/"))
    check_headers(staff.get("/admin/accounts/user/add/"))


def test_server_error_has_the_security_headers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lobby.views.public_tables", lambda _: 1 / 0)
    answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == 500
    check_headers(answer)


def test_disallowed_host_is_not_repeated_in_the_headers(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["testserver"]
    answer = Client().get("/", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert "evil" not in str(answer.headers)
    check_headers(answer)


def test_policy_allows_sockets_to_the_host_of_the_page(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["*"]  # as with LAN=on
    answer = Client().get("/", headers={"host": "192.168.1.5:8000"})
    wanted = "'self' ws://192.168.1.5:8000 wss://192.168.1.5:8000"
    assert policy(answer)["connect-src"] == wanted
    assert "Cross-Origin-Opener-Policy" not in answer.headers  # browsers would only log a warning


@pytest.mark.parametrize(("host", "secure"), [("127.0.0.1:8000", False), ("testserver", True)])
def test_pages_are_isolated_from_windows_of_other_origins(
    settings: Any, host: str, secure: bool
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    answer = Client().get("/", headers={"host": host}, secure=secure)
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"


def check_deploy(**env: str) -> str:
    """Return the output of `check --deploy` for a server with these settings."""
    given = {
        k: v
        for k, v in os.environ.items()
        if not k.startswith(("DEBUG", "ALLOWED", "DJANGO_ALLOW"))
    }
    key = {"SECRET_KEY": "x9" + "abcdefghijklmnopqrstuvwxyz0123456789" * 2, "DEBUG": ""}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    done = subprocess.run(
        command, cwd=ROOT, env={**given, **key, **env}, capture_output=True, text=True
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("proxies", ["0", "1"])
def test_django_deployment_check_passes_with_https(proxies: str) -> None:
    assert not check_deploy(PUBLIC_URL="https://parlour.example", TRUSTED_PROXIES=proxies)


def test_django_deployment_check_fails_without_https() -> None:
    assert "SESSION_COOKIE_SECURE" in check_deploy(PUBLIC_URL="http://parlour.example")


def settings_of(expression: str, **env: str) -> str:
    """Evaluate an expression of the settings for a server with these variables."""
    code = f"from config import settings as s; print(({expression}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


def test_http_redirects_to_https_only_behind_a_trusted_proxy() -> None:
    what = "s.SECURE_SSL_REDIRECT, s.SECURE_PROXY_SSL_HEADER, s.SECURE_HSTS_SECONDS > 0"
    https = "https://parlour.example"
    trusted = "(True, ('HTTP_X_FORWARDED_PROTO', 'https'), True)"
    assert settings_of(what, PUBLIC_URL=https, TRUSTED_PROXIES="1") == trusted
    assert settings_of(what, PUBLIC_URL=https) == "(False, None, True)"
    assert settings_of(what, PUBLIC_URL="http://localhost") == "(False, None, False)"


def test_health_check_is_not_redirected(settings: Any) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/").status_code == 301
    assert Client().get("/healthz").status_code != 301
