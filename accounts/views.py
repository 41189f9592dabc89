"""Account pages: allauth's views with access rules."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account import views as allauth
from django.conf import settings
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts import address_locks, addresses, invitations
from accounts.guests import guest_of, is_registered

View = Callable[..., HttpResponse]


def for_newcomers(view: View) -> View:
    """Decorator for pages of anonymous visitors and guests. Other users are redirected."""

    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if is_registered(request.user):
            return redirect(settings.LOGIN_REDIRECT_URL)
        return view(request, *args, **kwargs)

    return enter


def for_registered(view: View) -> View:
    """Decorator for pages of registered users. All others are asked to log in."""

    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not is_registered(request.user):
            return redirect_to_login(request.get_full_path())
        return view(request, *args, **kwargs)

    return enter


def with_mail(view: View) -> View:
    """Decorator for pages that need email. If email is off, the page says whom to ask instead."""

    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.MAIL:
            return render(request, "account/no_mail.html")
        return view(request, *args, **kwargs)

    return enter


def from_open_addresses(view: View) -> View:
    """Decorator for pages that create users. Raise AddressLocked if the address is locked."""

    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.method == "POST":
            address_locks.check(addresses.of_request(request))
        return view(request, *args, **kwargs)

    return enter


class _ForGuestsToo:
    """Mixin for views of links in emails. It does not log guests out.

    Guests would lose their tables and decks. Other accounts are logged out.
    """

    request: HttpRequest

    def logout(self) -> None:
        if guest_of(self.request) is None:
            super().logout()  # type: ignore[misc]


class _ConfirmEmail(_ForGuestsToo, allauth.ConfirmEmailView):
    pass


class _ResetFromKey(_ForGuestsToo, allauth.PasswordResetFromKeyView):
    pass


signup = login_not_required(for_newcomers(from_open_addresses(allauth.signup)))
login = login_not_required(for_newcomers(allauth.login))
logout = login_not_required(allauth.logout)
inactive = login_not_required(allauth.account_inactive)
change_password = for_registered(allauth.password_change)
set_password = for_registered(allauth.password_set)
email = for_registered(with_mail(allauth.email))
confirm_email = login_not_required(_ConfirmEmail.as_view())
reset_password = login_not_required(with_mail(allauth.password_reset))
reset_password_done = login_not_required(allauth.password_reset_done)
reset_from_key = login_not_required(_ResetFromKey.as_view())
reset_from_key_done = login_not_required(allauth.password_reset_from_key_done)


@login_not_required
@for_newcomers
def invited(request: HttpRequest, key: str) -> HttpResponse:
    """Remember an opened registration link, and redirect to the registration form."""
    if settings.REGISTRATION == "invite":
        if invitations.found(key) is None:
            return render(request, "account/not_invited.html", status=404)
        invitations.keep(request, key)
    return redirect("account_signup")


@login_not_required
def admin_login(request: HttpRequest) -> HttpResponse:
    """Redirect to the normal login page, so that the same rate limits apply to the back office."""
    if is_registered(request.user):
        if not request.user.is_staff:
            raise PermissionDenied
        return redirect("admin:index")
    return redirect_to_login(request.GET.get("next") or reverse("admin:index"))
