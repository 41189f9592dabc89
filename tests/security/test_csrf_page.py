"""If a form is refused because of its origin, the page gives the reason and advice."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User

pytestmark = pytest.mark.django_db

HERE = "http://testserver"


def post(secure: bool = False, cookie: bool = True, **headers: str) -> str:
    """Return the page after pressing *Play now* in a browser that sends these headers."""
    client = Client(enforce_csrf_checks=True)
    if cookie:
        client.get("/", secure=secure)
    form = {"name": "Ann", "game": "mia", "csrfmiddlewaretoken": "x" * 64}
    answer = client.post("/play/", form, secure=secure, headers=headers)
    assert answer.status_code == 403
    assert not User.objects.exists()
    return answer.content.decode()


@pytest.mark.parametrize(
    ("headers", "secure"),
    [({"Origin": "null"}, False), ({"Origin": "null", "Referer": f"{HERE}/"}, False), ({}, True)],
)
def test_missing_or_null_origin_is_explained(headers: dict[str, str], secure: bool) -> None:
    page = post(secure, **headers)
    assert "did not say which page this form is on" in page
    assert "Open this site in its own tab" in page


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "http://testserver:81", "http://["]
)
def test_error_page_for_a_cross_origin_form_names_both_addresses(origin: str) -> None:
    page = post(Origin=origin)
    assert f"this form is on {origin}, but this site is testserver" in page


def test_a_browser_without_cookies_is_asked_to_allow_them() -> None:
    assert "Allow cookies for this site" in post(cookie=False, Origin=HERE)


def test_outdated_page_is_reported() -> None:
    assert "This page was out of date" in post(Origin=HERE)


def test_header_value_is_escaped_and_truncated() -> None:
    page = post(Origin="https://<b>" + "x" * 5000)
    assert "<b>" not in page
    assert "x" * 200 not in page
