"""Accept only UTF-8 forms. Django would let the client choose any codec, even non-text ones.

Paths with NUL are refused as well, because not every database accepts NUL in a query.
"""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest
from django.utils.deprecation import MiddlewareMixin


class Utf8Forms(MiddlewareMixin):
    """Middleware that refuses forms in other encodings than UTF-8 before they are read."""

    def process_request(self, request: HttpRequest) -> None:
        """Raise BadRequest for an encoding other than UTF-8, and Http404 for a path with NUL."""
        if request.encoding and request.encoding.lower() not in ("utf-8", "utf8"):
            raise BadRequest("not UTF-8")
        if "\0" in request.path:
            raise Http404
