"""Forms are UTF-8. Django lets anyone who sends one choose among all codecs, also those of no text.

Nor is there a NUL in any address: not every database can even be asked for it.
"""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest
from django.utils.deprecation import MiddlewareMixin


class Utf8Forms(MiddlewareMixin):
    """Refuses what is no text, before anything reads it."""

    def process_request(self, request: HttpRequest) -> None:
        """Raise BadRequest and Http404."""
        if request.encoding and request.encoding.lower() not in ("utf-8", "utf8"):
            raise BadRequest("not UTF-8")
        if "\0" in request.path:
            raise Http404
