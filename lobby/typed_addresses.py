"""Redirect visitors who type or reload the address of a form."""

from __future__ import annotations

from collections.abc import Callable
from http import HTTPStatus

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import is_valid_path


class FormsAreNoPages:
    """Middleware that redirects visitors from the address of a form to the closest page above it.

    Otherwise a browser would show an empty page with status 405.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED:
            return response
        return redirect(_above(request.path)) if request.method in ("GET", "HEAD") else response


def _above(path: str) -> str:
    """Return the closest parent of this path at which the site has a page."""
    while path != "/":
        path = path.rstrip("/").rpartition("/")[0] + "/"
        if is_valid_path(path):
            break
    return path
