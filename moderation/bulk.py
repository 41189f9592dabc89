"""Bulk actions on reports: settle them, or act on all reported users."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin import ModelAdmin
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.contract.core import Refused
from moderation import actions
from moderation.action_forms import (
    act,
    ask_about,
    form_for,
    line_field,
    rows_with_extent,
    say_why_not,
    tell_done,
)
from moderation.actions import ACTIONS
from moderation.admin_site import ReadOnly
from moderation.models import Report

MOST = 500
"""Maximum rows per bulk action, because nobody would check a longer list."""

Bulk = Callable[["ModelAdmin[Any]", HttpRequest, "QuerySet[Report]"], "HttpResponse | None"]


class SettleForm(forms.Form):
    """Form with the reason for taking no action, which is shown only in the staff log."""

    reason = line_field(_("Reason (for the log)"), required=False)


@admin.action(description=_("Settle: nothing to do"), permissions=["settle"])
def settle_all(
    of: ModelAdmin[Any], request: HttpRequest, chosen: QuerySet[Report]
) -> HttpResponse | None:
    """Ask for a reason, then settle the selected reports that are open."""
    form = SettleForm(request.POST if "why" in request.POST else None)
    open_ = chosen.filter(decided_at=None)
    if not form.is_valid() or open_.count() > MOST:
        rows = [(report, "") for report in open_[: MOST + 1]]
        return _ask(request, "settle_all", gettext("Settle reports: nothing to do"), rows, form)
    assert request.user.pk is not None
    numbers = list(open_.values_list("pk", flat=True))
    try:
        done = actions.settle(request.user.pk, numbers, form.cleaned_data["reason"]).result()
    except Refused as refused:
        say_why_not(request, refused)
        return None
    text = ngettext("%(count)s report settled.", "%(count)s reports settled.", done)
    messages.success(request, text % {"count": done})
    return None


def to_people(action: str) -> Bulk:
    """Return an admin list action that acts on all reported users and settles their reports."""

    def to_all(
        of: ModelAdmin[Any], request: HttpRequest, chosen: QuerySet[Report]
    ) -> HttpResponse | None:
        form = form_for(action)(request.POST if "why" in request.POST else None)
        people = list(User.objects.filter(reports__in=chosen).distinct().order_by("pk"))
        if not form.is_valid() or len(people) > MOST:
            rows = rows_with_extent(action, people)
            return _ask(request, action, ACTIONS[action].label, rows, form, chosen)
        done = sum(_do(request, action, person, chosen, form.cleaned_data) for person in people)
        if done:
            tell_done(request, done)
        return None

    to_all.__name__ = action
    to_all.short_description = ACTIONS[action].label  # type: ignore[attr-defined]
    to_all.allowed_permissions = (action,)  # type: ignore[attr-defined]
    return to_all


ALL = (settle_all, to_people("remove_all"), to_people("block"))


class ManyAtOnce(ReadOnly):
    """A list of reports with bulk actions."""

    actions = ALL

    def has_settle_permission(self, request: HttpRequest) -> bool:
        """Whether the user may decide reports."""
        return bool(request.user.has_perm("moderation.change_report"))

    def has_remove_all_permission(self, request: HttpRequest) -> bool:
        """Whether the user may remove messages."""
        return bool(request.user.has_perm(ACTIONS["remove_all"].right))

    def has_block_permission(self, request: HttpRequest) -> bool:
        """Whether the user may ban all guests of an address."""
        return bool(request.user.has_perm(ACTIONS["block"].right))


def _do(
    request: HttpRequest,
    action: str,
    person: User,
    chosen: QuerySet[Report],
    given: dict[str, Any],
) -> bool:
    settled: list[int] = []
    if request.user.has_perm("moderation.change_report"):
        open_ = chosen.filter(about=person, decided_at=None)
        settled = list(open_.values_list("pk", flat=True))
    return act(request, action, person, given, settled)


def _ask(
    request: HttpRequest,
    action: str,
    title: Any,
    rows: Sequence[tuple[Model, Any]],
    form: forms.Form,
    chosen: QuerySet[Report] | None = None,
) -> HttpResponse | None:
    """Show the confirmation page.

    If there are no rows or too many, show an error and return None.
    """
    reports = [row for row, _extent in rows] if chosen is None else list(chosen[: MOST + 1])
    if not rows or len(reports) > MOST:
        none = gettext("There is nothing left to do.")
        many = gettext("Too many at once. Choose at most %(most)s.")
        messages.error(request, many % {"most": MOST} if rows else none)
        return None
    return ask_about(request, action, title, rows, form, reports)
