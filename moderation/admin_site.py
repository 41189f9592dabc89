"""The admin site, which lists open reports first, and base classes for its pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, cast

from django.contrib import admin, messages
from django.contrib.admin import AdminSite, ModelAdmin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.paginator import Page, Paginator
from django.db.models import JSONField, Model, Q, QuerySet, TextField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import Sanction, User
from games.registry import GAMES

LONGEST_PARAMETER = 1000
"""Maximum characters of a search or filter: databases fail on very long patterns."""
MOST_DIGITS = 18
"""Maximum digits of a primary key."""


class ParlourAdminSite(AdminSite):
    """Admin site that requires the second step of staff, and lists open reports first."""

    index_title = _("Back office")

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """Wrap a page so that staff who need a second step must pass it first.

        Only logging out is possible without it.
        """
        page = super().admin_view(view, cacheable)

        @wraps(page)
        def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            from accounts.second_step import detour  # (sites are created before models)

            way_out = request.path == reverse("admin:logout")
            if not way_out and (elsewhere := detour(request)):
                return elsewhere
            odd = _refuse_long_search(request) or _refuse_odd_rows(request)
            return odd or page(request, *args, **kwargs)

        return enter

    def get_app_list(self, request: HttpRequest, app_label: str | None = None) -> list[Any]:
        """Return the apps, moderation first.

        E-mail addresses are listed with the accounts, because allauth's app has the same name. The
        label of reports includes the number of open reports.
        """
        from moderation.actions import reports_for  # (sites are created before models)

        apps = super().get_app_list(request, app_label)
        for model in (model for app in apps for model in app["models"]):
            if model["object_name"] == "Report":
                open_ = reports_for(cast(User, request.user)).filter(decided_at=None).count()
                facts = {"reports": model["name"], "count": open_}
                model["name"] = gettext("%(reports)s (%(count)s open)") % facts
        by_label = {app["app_label"]: app for app in apps}
        if {"accounts", "account"} <= by_label.keys():
            by_label["accounts"]["models"] += by_label.pop("account")["models"]
        return sorted(by_label.values(), key=lambda app: bool(app["app_label"] != "moderation"))


def _refuse_odd_rows(request: HttpRequest) -> HttpResponse | None:
    """Redirect back to the list if a chosen value cannot be a row id, else return None.

    Django would query for the value anyway and fail, because all primary keys here are numbers.
    """
    chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
    if all(one.isascii() and one.isdecimal() and len(one) <= MOST_DIGITS for one in chosen):
        return None
    messages.error(request, gettext("That row is not in this list. Choose again."))
    return redirect(request.get_full_path())


def _refuse_long_search(request: HttpRequest) -> HttpResponse | None:
    """Redirect back to the unfiltered list if a search term is too long, else return None."""
    if all(len(value) <= LONGEST_PARAMETER for value in request.GET.values()):
        return None
    text = gettext("Search for at most %(most)s characters.")
    messages.error(request, text % {"most": LONGEST_PARAMETER})
    return redirect(request.path)


def large(model: type[Model]) -> list[str]:
    """Return the names of a model's text and JSON columns, whose size has no limit."""
    return [f.name for f in model._meta.concrete_fields if isinstance(f, TextField | JSONField)]


class ByKeys(Paginator):  # type: ignore[type-arg]
    """Paginator that finds the keys of a page before its rows.

    Databases read the rows of all earlier pages. Keys are read from an index.
    """

    object_list: QuerySet[Any]

    def page(self, number: int | str) -> Page[Any]:
        found: Any = super().page(number)
        keys = list(found.object_list.values_list("pk", flat=True))
        found.object_list = self.object_list.filter(pk__in=keys)
        return cast("Page[Any]", found)


def by_value(field: str, label: Any, values: Mapping[str, Any]) -> type[admin.SimpleListFilter]:
    """Return a list filter for a field whose values, with their labels, are known.

    Django would read all rows to find the values.
    """

    class ByValue(admin.SimpleListFilter):
        title = label
        parameter_name = field

        def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
            return list(values.items())

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset.filter(**{field: self.value()}) if self.value() else queryset

    return ByValue


def by_game(field: str = "game") -> type[admin.SimpleListFilter]:
    """Return a list filter for the game in this field."""
    return by_value(field, _("game"), {slug: game.name for slug, game in GAMES.items()})


def marked(field: str, word: Any) -> Callable[[ModelAdmin[Any], Any], str]:
    """Return a list column that shows `word` if a boolean is true, and nothing otherwise.

    Django shows a red cross for every False, even if False is the normal case.
    """

    @admin.display(description=word, ordering=field)
    def column(_of: ModelAdmin[Any], row: Any) -> str:
        return str(word) if getattr(row, field) else ""

    return column


class FindsFormerNames(admin.ModelAdmin):  # type: ignore[type-arg]
    """Admin list whose search also finds users by names that moderators removed."""

    person_field = "user"
    """Lookup from a row of this list to the id of its user."""

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        found, duplicates = super().get_search_results(request, queryset, search_term)
        if not search_term.strip():
            return found, duplicates
        taken = Sanction.objects.filter(kind=Sanction.Kind.NAME)
        former = taken.filter(about__fold__contains=search_term.strip()).values("user")
        numbers = found.order_by().values("pk")
        return queryset.filter(Q(pk__in=numbers) | Q(**{f"{self.person_field}__in": former})), False


class OnlyFilters(admin.ModelAdmin):  # type: ignore[type-arg]
    """A list that can be filtered only by its declared filters.

    Filters on other fields would let staff guess hidden values letter by letter: the secret and
    state of a running match, or an e-mail address.
    """

    list_reads: tuple[str, ...] = ()
    """Large columns that a list needs to compute other columns."""
    paginator = ByKeys

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        found: QuerySet[Any] = super().get_queryset(request)
        return self.defer_large_columns(request, found)

    def defer_large_columns(self, request: HttpRequest, found: QuerySet[Any]) -> QuerySet[Any]:
        """Defer large columns that a list does not show, such as the state of a match."""
        route = request.resolver_match
        if route is None or not (route.url_name or "").endswith("_changelist"):
            return found
        shown = {*self.list_display, *self.list_reads}
        linked = [f for f in self.model._meta.concrete_fields if f.is_relation and f.name in shown]
        theirs = (f"{f.name}__{name}" for f in linked for name in large(f.related_model))
        return found.defer(*(name for name in large(self.model) if name not in shown), *theirs)

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Find each row once. Django would compare all columns of all rows that are found."""
        found, duplicates = super().get_search_results(request, queryset, search_term)
        if duplicates:
            found = queryset.filter(pk__in=found.order_by().values("pk"))
        return found, False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest | None = None) -> bool:
        listed = [getattr(one, "parameter_name", one) for one in self.list_filter]
        return lookup.partition("__")[0] in listed


class ReadOnly(OnlyFilters):
    """Admin pages for read-only rows. Actions require the permission `right`."""

    right = ""

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_action_permission(self, request: HttpRequest) -> bool:
        """Whether the user may run moderator actions on these rows."""
        return bool(self.right and request.user.has_perm(self.right))


class Rows(admin.TabularInline):  # type: ignore[type-arg]
    """Read-only list of related rows on the page of a row."""

    extra = 0
    can_delete = False

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
