"""What pages of the back office share."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest


class Listed(admin.ModelAdmin):  # type: ignore[type-arg]
    """A list is narrowed down by the filters beside it alone.

    By any field in the address, one could find out letter by letter what no page shows.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        filters = {getattr(one, "parameter_name", one) for one in self.list_filter}
        return lookup.partition("__")[0] in filters


class ReadOnly(Listed):
    """What the house wrote is looked at, not edited. Deeds take the right named in `right`."""

    right = ""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_deed_permission(self, request: HttpRequest) -> bool:
        """Who may do to these rows what moderators do."""
        return bool(self.right and request.user.has_perm(self.right))


class Rows(admin.TabularInline):  # type: ignore[type-arg]
    """Rows that belong to something, to be looked at."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
