"""Refuse a request that has waited too long for a thread (`config.http`)."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponseBase

from config.http import WAITED
from lobby.storage_away import busy


class Busy:
    """Django middleware that returns status 503 if no thread became free in time.

    It runs before the middleware that reads the database. A proxy can ask another process.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if WAITED in getattr(request, "scope", {}):
            return busy(request)
        return self.get_response(request)
