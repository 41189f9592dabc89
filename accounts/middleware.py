"""What stands before every page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.core.ratelimit import respond_429
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.translation import gettext

from accounts import sanctions
from accounts.guests import may_come_in
from accounts.hashing import RETRY_AFTER, Busy
from accounts.limits import TooOften
from accounts.models import User


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
        """Who has done something too often, or comes in a rush, is told so, on any page."""
        if isinstance(error, Busy):
            return _busy(request)
        if not isinstance(error, TooOften):
            return None
        answer: HttpResponse = respond_429(request)
        return answer


class BanMiddleware:
    """Who is locked out sees why, until when and how to appeal, and nothing else.

    A browser in which somebody is muted or locked out is known again by a signed cookie.
    """

    OPEN = {"account_logout"}
    OPEN_TO_STRANGERS = {
        *("account_login", "account_reset_password", "account_reset_password_done"),
        *("account_reset_password_from_key", "account_reset_password_from_key_done"),
    }
    """A device may have several people; a trail keeps out guests, not whoever has an account."""
    NOBODYS = {"face"}
    """Pictures are the same for everybody, and kept by browsers: who asks is not looked at."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if (held := getattr(request, "_held", None)) is not None:
            sanctions.leave_trail(response, held)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        if match is not None and match.url_name in self.NOBODYS:
            return None
        request._held = _held(request)  # type: ignore[attr-defined]  # (logging out comes later)
        lock = sanctions.lock_on(request)
        open_ = self.OPEN if request.user.is_authenticated else self.OPEN_TO_STRANGERS
        if lock is None or (match is not None and match.url_name in open_):
            return None
        context = {"lock": lock, "end": sanctions.end_of(lock), "appeal": settings.APPEAL_TO}
        return render(request, "account/locked_out.html", context, status=403)


def _busy(request: HttpRequest) -> HttpResponse:
    text = gettext("Too many people are logging in at once. Please try again in a moment.")
    context = {"heading": gettext("Too busy"), "text": text}
    answer = render(request, "error.html", context, status=503)
    answer["Retry-After"] = str(RETRY_AFTER)
    return answer


def _held(request: HttpRequest) -> int | None:
    """Who asks, if a mute or a lock-out holds them."""
    if not isinstance(request.user, User):
        return None
    held = (s.kind in sanctions.HOLDING and s.in_force for s in sanctions.of_request(request))
    return request.user.pk if any(held) else None
