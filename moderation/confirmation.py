"""Rare actions of the back office: staff show first that it is really they who ask.

Asked are password, code or passkey (by `allauth`), once in STAFF_CONFIRM_MINUTES.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows import reauthentication
from allauth.core.internal.httpkit import serialize_request
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.http import urlencode

View = Callable[[HttpRequest], HttpResponse]


def is_due(request: HttpRequest) -> bool:
    """Return whether these staff have to show again who they are."""
    return bool(reauthentication.is_reauthentication_required(request, app="moderation"))


def ask(request: HttpRequest, keeps: bool = True) -> HttpResponse:
    """To the page that asks. What was sent is done after it, unless it is not to be kept anywhere,
    as a password: then the form is there again."""
    way = get_adapter(request).get_reauthentication_methods(request.user)[0]["url"]
    if not keeps:
        return redirect(f"{way}?{urlencode({'next': request.get_full_path()})}")
    # As allauth's `suspend_request`, which forgets what was sent to an address with a query: lists
    # that are narrowed down have one, and the pages that are reached from them.
    request.session[reauthentication.STATE_SESSION_KEY] = {"request": serialize_request(request)}
    return redirect(f"{way}?{urlencode({'next': request.path})}")


class DeletedOnceConfirmed(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows whose page for deleting asks first."""

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST" and is_due(request):
            return ask(request)
        return super().delete_view(request, *args, **kwargs)


class Confirmed(DeletedOnceConfirmed):
    """Rows by which people get rights, or a way to an account: every change of them is rare."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST" and is_due(request):
            return ask(request)
        return super().changeform_view(request, *args, **kwargs)

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST" and is_due(request):
            return ask(request)
        return super().changelist_view(request, *args, **kwargs)
