"""The back office as a whole: what is to be looked after stands first, with how much of it."""

from __future__ import annotations

from typing import Any, cast

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User


class BackOffice(AdminSite):
    """Django's admin under our name."""

    index_title = _("Back office")

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Our own app on top; reports with the number of those that are open."""
        from moderation.deeds import reports_for  # (sites are made before there are models)

        apps = super().get_app_list(request, app_label)
        for model in (model for app in apps for model in app["models"]):
            if model["object_name"] == "Report":
                open_ = reports_for(cast(User, request.user)).filter(decided_at=None).count()
                facts = {"reports": model["name"], "count": open_}
                model["name"] = gettext("%(reports)s (%(count)s open)") % facts
        return sorted(apps, key=lambda app: bool(app["app_label"] != "moderation"))
