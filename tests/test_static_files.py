"""A worker looks up static files once, for every browser of every test."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.http import HttpResponse
from django.test import Client
from whitenoise.middleware import WhiteNoiseMiddleware

from config.static_storage import UncommentedStaticFilesStorage

pytestmark = pytest.mark.django_db(transaction=True)


def middleware() -> Any:
    return WhiteNoiseMiddleware(lambda request: HttpResponse())


def test_display_font_is_self_hosted_and_preloaded() -> None:
    page = Client().get("/")
    loaded = re.findall(r'rel="preload" href="([^"]+)" as="font" type="font/ttf"', page.text)
    (face,) = loaded
    answer = Client().get(face)
    assert len(b"".join(answer.streaming_content)) > 10_000  # type: ignore[attr-defined]
    assert answer.headers["Content-Type"] == "font/ttf"
    assert "font-src 'self'" in page.headers["Content-Security-Policy"]
    answer.close()
    style = Path(finders.find("app.css")).read_text()
    assert face.removeprefix("/static/") in style
    assert "font-display: swap" in style


@pytest.mark.parametrize(
    ("source", "served"),
    [
        ("a { b: c; } /* why */\n", "a { b: c; }\n"),
        ("/* of\n two lines */ a { b: c; }", " a { b: c; }"),
        ("/*! a licence */ a { b: url(x.svg); }", "/*! a licence */ a { b: url(x.svg); }"),
    ],
)
def test_style_sheets_are_served_without_comments(tmp_path: Path, source: str, served: str) -> None:
    storage = UncommentedStaticFilesStorage(location=tmp_path, base_url="/static/")
    storage.save("one.css", ContentFile(source.encode()))
    assert (tmp_path / "one.css").read_text() == served
    storage.save("one.txt", ContentFile(source.encode()))
    assert (tmp_path / "one.txt").read_text() == source
