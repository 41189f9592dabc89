"""Reauthentication of staff before sensitive actions in the back office.

allauth asks for a password, code or passkey at most once in ten minutes, and then submits the form
again. If the form's URL has a query (as in filtered lists), allauth only returns to the page. A
message then asks the user to send the form again.
"""

from __future__ import annotations

from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import admin, messages
from django.http import HttpRequest
from django.utils.translation import gettext

from accounts.sent_forms import forget_form

_raise_if_due = reauthentication_required(lambda request: None, app="moderation")


def require(request: HttpRequest) -> None:
    """Raise ReauthenticationRequired if this staff member must confirm their identity again."""
    try:
        _raise_if_due(request)
    except ReauthenticationRequired:
        if request.method == "POST" and request.META["QUERY_STRING"]:
            messages.warning(
                request, gettext("Nothing has changed yet. Confirm, then send the form again.")
            )
            forget_form(request)
        raise


class DeletedOnceConfirmed(admin.ModelAdmin):  # type: ignore[type-arg]
    """Admin pages for rows whose deletion requires reauthentication."""

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST":
            require(request)
        return super().delete_view(request, *args, **kwargs)


class Confirmed(DeletedOnceConfirmed):
    """Admin pages for rows that give permissions or access. Every change needs reauthentication."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST":
            require(request)
        return super().changeform_view(request, *args, **kwargs)

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if request.method == "POST":
            require(request)
        return super().changelist_view(request, *args, **kwargs)
