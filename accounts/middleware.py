"""Request middleware: required logins, tokens of programs, staff sessions and bans."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from allauth.core.ratelimit import respond_429
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext

from accounts import address_locks, addresses, sanctions, staff_hours, tokens
from accounts.address_locks import AddressLocked
from accounts.guests import may_come_in
from accounts.hashing import RETRY_AFTER, Busy
from accounts.limits import TooOften
from accounts.models import AddressLock, Sanction, User


class _Middleware:
    """Base class that passes requests on. Subclasses implement `process_view`."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)


class AskToLogIn(_Middleware):
    """Middleware that asks guests to log in if GUESTS=off, except on pages marked
    `login_not_required`.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        if settings.GUESTS or not getattr(view, "login_required", True):
            return None
        if may_come_in(request.user):
            return None
        if _is_for_programs(request):
            return _unauthorized("login_required")
        return redirect_to_login(request.get_full_path() if request.method != "POST" else "/")

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Render the page for a full queue, a locked address or a reached rate limit."""
        if isinstance(error, Busy):
            return _busy(request)
        if isinstance(error, AddressLocked):
            return _locked_out(request, error.lock)
        if not isinstance(error, TooOften):
            return None
        answer: HttpResponse = respond_429(request)
        if error.seconds:
            answer["Retry-After"] = str(error.seconds)
        return answer


class StaffHours(_Middleware):
    """Middleware that logs staff out after STAFF_HOURS, even if they are active.

    This includes users who became staff after they logged in.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        match = request.resolver_match
        if match is not None and match.url_name in BanMiddleware.NOBODYS:
            return None
        if not staff_hours.is_over(request):
            return None
        logout(request)
        text = gettext("Logins of staff last %(hours)s hours. Please log in again.")
        messages.info(request, text % {"hours": settings.STAFF_HOURS})
        return redirect_to_login(request.get_full_path() if request.method != "POST" else "/")


FOR_PROGRAMS = {"tables-file", "matches-file", "match-file", "luck-record"}
"""Addresses for programs, which send a token instead of a cookie and read JSON."""


class BearerTokens(_Middleware):
    """Middleware that identifies the user by `Authorization: Bearer` at addresses for programs."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not _is_for_programs(request):
            return None
        user = tokens.holder(token.strip())
        if user is None:
            return _unauthorized("bad_token")
        request.user = user
        return None


def _is_for_programs(request: HttpRequest) -> bool:
    match = request.resolver_match
    return match is not None and match.url_name in FOR_PROGRAMS


def _unauthorized(code: str) -> HttpResponse:
    return JsonResponse({"code": code}, status=401, headers={"WWW-Authenticate": "Bearer"})


class BanMiddleware(_Middleware):
    """Middleware that shows banned users only the reason, the end of the ban and how to appeal.

    A signed cookie identifies browsers in which a user was muted or banned.
    """

    OPEN = {"account_logout"}
    OPEN_TO_STRANGERS = {
        "mfa_login_webauthn",
        "mfa_authenticate",
        "account_welcome",
        "account_login",
        "account_reset_password",
        "account_reset_password_done",
        "account_reset_password_from_key",
        "account_reset_password_from_key_done",
    }
    """Views open to anonymous visitors in a browser whose cookie names a banned user.

    A device may have several users, so the cookie keeps out guests but not account owners.
    """
    NOBODYS = {"face", "face-of", "manifest", "offline", "service-worker"}
    """Resources that are the same for everybody and that browsers request at any time.

    Their views must not read the session. Reading an expired session would delete its cookie, and
    then no page could explain why it ended.
    """

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
        if getattr(request.user, "is_guest", False):
            address_locks.hold(cast(User, request.user), addresses.of_request(request))
        request._held = _held(request)  # type: ignore[attr-defined]  # (before a logout)
        lock = sanctions.lock_on(request)
        open_ = self.OPEN if request.user.is_authenticated else self.OPEN_TO_STRANGERS
        if lock is None or (match is not None and match.url_name in open_):
            return None
        return _locked_out(request, lock)


def _locked_out(request: HttpRequest, lock: Sanction | AddressLock) -> HttpResponse:
    context = {"lock": lock, "end": sanctions.end_of(lock), "appeal": settings.APPEAL_TO}
    return render(request, "account/locked_out.html", context, status=403)


def _busy(request: HttpRequest) -> HttpResponse:
    text = gettext("Too many people are logging in at once. Please try again in a moment.")
    context = {"heading": gettext("Too busy"), "text": text}
    answer = render(request, "error.html", context, status=503)
    answer["Retry-After"] = str(RETRY_AFTER)
    return answer


def _held(request: HttpRequest) -> int | None:
    """Return the id of the request's user if they are muted or banned, else None."""
    if not isinstance(request.user, User):
        return None
    held = (s.kind in sanctions.HOLDING and s.in_force for s in sanctions.of_request(request))
    return request.user.pk if any(held) else None
