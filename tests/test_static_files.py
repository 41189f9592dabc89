"""A worker looks up static files once, for every browser of every test."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.core.files.base import ContentFile
from django.http import HttpResponse, HttpResponseNotFound
from django.test import Client, RequestFactory
from whitenoise.middleware import WhiteNoiseMiddleware

from config.static_files import StaticFiles
from config.static_storage import UncommentedStaticFilesStorage
from games.runtime.static_files import MANIFEST, publish

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
        ("/* of\n two lines */ a { b: c; }", "a { b: c; }"),
        ("a {\n  b: c;\n\n  d: e;\n}\n", "a {\nb: c;\nd: e;\n}\n"),
        ("/*! a licence */ a { b: url(x.svg); }", "/*! a licence */ a { b: url(x.svg); }"),
    ],
)
def test_style_sheets_are_served_without_comments_and_indentation(
    tmp_path: Path, source: str, served: str
) -> None:
    storage = UncommentedStaticFilesStorage(location=tmp_path, base_url="/static/")
    storage.save("one.css", ContentFile(source.encode()))
    assert (tmp_path / "one.css").read_text() == served
    storage.save("one.txt", ContentFile(source.encode()))
    assert (tmp_path / "one.txt").read_text() == source


def test_running_process_serves_the_static_files_of_a_newer_version(
    tmp_path: Path, settings: Any
) -> None:
    settings.STATIC_ROOT, settings.WHITENOISE_USE_FINDERS = tmp_path / "static", False
    collected(tmp_path, "app.1.css")
    old = StaticFiles(lambda request: HttpResponseNotFound())

    def status(name: str) -> int:
        answer = old(RequestFactory().get(f"/static/{name}"))
        answer.close()
        return answer.status_code

    assert [status(name) for name in ("app.1.css", "app.2.css")] == [200, 404]
    collected(tmp_path, "app.2.css")
    assert [status(name) for name in ("app.1.css", "app.2.css")] == [200, 200]
    assert status("app.3.css") == 404


def collected(folder: Path, name: str) -> None:
    """Collect one static file, like `prepare`."""
    new = folder / "new"
    new.mkdir(exist_ok=True)
    (folder / "static").mkdir(exist_ok=True)
    (new / name).write_text(name)
    (new / MANIFEST).write_text(f'{{"paths": {{"app.css": "{name}"}}}}')
    publish(new, folder / "static")
