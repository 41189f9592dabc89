"""The back office: registration links."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.invitations import DAYS, address
from accounts.models import RegistrationLink
from moderation.admin_site import OnlyFilters
from moderation.audited import Audited


@admin.register(RegistrationLink)
class RegistrationLinkAdmin(Audited, OnlyFilters):
    """Registration links. They can be created and deleted, but not changed."""

    list_display = ("__str__", "state", "made_by", "made_at", "used_by", "used_at")
    list_select_related = ("made_by", "used_by")
    search_fields = ("note__fold", "used_by__username__fold")

    def get_fields(self, request: HttpRequest, obj: RegistrationLink | None = None) -> Any:
        """Return the fields of the page. A new link has only a note."""
        shown = ("state", "link", "made_by", "made_at", "used_by", "used_at")
        return ("note", *shown) if obj else ("note",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return settings.REGISTRATION != "closed" and super().has_add_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(
        self, request: HttpRequest, obj: RegistrationLink, form: Any, change: bool
    ) -> None:
        obj.made_by_id = request.user.pk
        super().save_model(request, obj, form, change)

    def response_add(
        self, request: HttpRequest, obj: RegistrationLink, post_url_continue: str | None = None
    ) -> HttpResponse:
        """Redirect to the page with the new link."""
        self.message_user(request, gettext("Send this link to the person you invite."))
        here = reverse("admin:accounts_registrationlink_change", args=[obj.pk])
        return HttpResponseRedirect(here)

    @admin.display(description=_("link"))
    def link(self, link: RegistrationLink) -> str:
        return address(link)

    @admin.display(description=_("state"))
    def state(self, link: RegistrationLink) -> str:
        if link.used_at is not None:
            return gettext("used")
        if settings.REGISTRATION == "closed":
            return gettext("unusable: registration is closed")
        if link.made_at < timezone.now() - timedelta(days=DAYS):
            return gettext("too old")
        return gettext("valid")
