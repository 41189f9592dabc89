"""Serve static files, also those that were collected after this process started."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

from games.runtime.static_files import MANIFEST


class StaticFiles(WhiteNoiseMiddleware):
    """WhiteNoise, which also finds the files of a newer version.

    During a rolling upgrade, the page of a process that already runs the new version may load its
    files from one that does not. Hashed names never change, so files of both can be served.
    """

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self._collected_at = _collected_at()

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer: HttpResponseBase = super().__call__(request)
        is_missing = answer.status_code == 404 and request.path_info.startswith(self.static_prefix)
        if is_missing and (collected_at := _collected_at()) != self._collected_at:
            self._collected_at = collected_at
            self.add_files(self.static_root, prefix=self.static_prefix)
            answer = super().__call__(request)
        return answer


def _collected_at() -> float:
    manifest = Path(settings.STATIC_ROOT) / MANIFEST
    return manifest.stat().st_mtime if manifest.exists() else 0.0
