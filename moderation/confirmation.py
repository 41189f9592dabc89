"""Reauthentication of staff before rare actions of the back office.

`allauth` asks for password, code or passkey, at most once in ten minutes.
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
    """Return whether this staff member must confirm their identity again."""
    return bool(reauthentication.is_reauthentication_required(request, app="moderation"))


def ask(request: HttpRequest, keeps: bool = True) -> HttpResponse:
    """Redirect to reauthentication.

    The request is stored and repeated afterwards. If it must not be stored (`keeps=False`, for
    passwords), the user returns to the form.
    """
    way = get_adapter(request).get_reauthentication_methods(request.user)[0]["url"]
    if not keeps:
        return redirect(f"{way}?{urlencode({'next': request.get_full_path()})}")
    # Like allauth's `suspend_request`, which loses requests to a URL with a query. Filtered lists
    # have one, and so do the pages opened from them.
    request.session[reauthentication.STATE_SESSION_KEY] = {"request": serialize_request(request)}
    return redirect(f"{way}?{urlencode({'next': request.path})}")


class DeletedOnceConfirmed(admin.ModelAdmin):  # type: ignore[type-arg]
    """Rows whose deletion requires reauthentication."""

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST" and is_due(request):
            return ask(request)
        return super().delete_view(request, *args, **kwargs)


class Confirmed(DeletedOnceConfirmed):
    """Rows that give permissions or access to an account: all changes require reauthentication."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST" and is_due(request):
            return ask(request)
        return super().changeform_view(request, *args, **kwargs)

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST" and is_due(request):
            return ask(request)
        return super().changelist_view(request, *args, **kwargs)
