"""A worker looks for static files once, and every browser of every test gets them."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.test import Client
from whitenoise.middleware import WhiteNoiseMiddleware

CSS = "/static/admin/css/base.css"


def middleware() -> Any:
    return WhiteNoiseMiddleware(lambda request: HttpResponse())


def test_files_are_looked_for_once() -> None:
    assert middleware().files is middleware().files
    assert CSS in middleware().files


def test_every_client_gets_them() -> None:
    for _ in range(2):
        answer = Client().get(CSS)
        assert answer.status_code == 200
        assert b"".join(answer.streaming_content)  # type: ignore[attr-defined]
        answer.close()


def test_with_other_settings_they_are_looked_for_again(settings: Any) -> None:
    usual = middleware().files
    settings.STATICFILES_DIRS = []
    assert middleware().files is not usual
