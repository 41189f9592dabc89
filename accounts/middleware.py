"""What stands before every page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.core.ratelimit import respond_429
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase

from accounts.guests import may_come_in
from accounts.limits import TooOften


class AskToLogIn:
    """With GUESTS=off, pages that are not for everybody (`login_not_required`) ask to log in."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if settings.GUESTS or not getattr(view, "login_required", True):
            return None
        if may_come_in(request.user):
            return None
        return redirect_to_login(request.get_full_path() if request.method == "GET" else "/")

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Who has done something too often is told so, on any page."""
        if not isinstance(error, TooOften):
            return None
        answer: HttpResponse = respond_429(request)
        return answer
