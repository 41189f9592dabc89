"""Forms are UTF-8. Django lets whoever sends one choose among all codecs, also those of no text."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import HttpRequest
from django.utils.deprecation import MiddlewareMixin


class Utf8Forms(MiddlewareMixin):
    """Refuses a body in any other charset, before anything reads it."""

    def process_request(self, request: HttpRequest) -> None:
        """Raises BadRequest."""
        if request.encoding and request.encoding.lower() not in ("utf-8", "utf8"):
            raise BadRequest("not UTF-8")
