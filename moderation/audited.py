"""Base class of back office forms that ask for a reason and add changes to the staff log.

Django calls `save_related`, `delete_model` and `delete_queryset` within the transaction of the
change, so the change and its entry in the log are committed together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import flatten_fieldsets
from django.contrib.auth.models import Group
from django.db import transaction
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from moderation import actions
from moderation.action_forms import LONGEST, LogForm

SECRET = frozenset({"password"})
"""Fields whose values are never logged."""


class Audited(admin.ModelAdmin):  # type: ignore[type-arg]
    """Admin pages for rows that staff edit. Every change and deletion is logged with a reason."""

    delete_confirmation_template = "admin/moderation/delete.html"
    delete_selected_confirmation_template = "admin/moderation/delete_selected.html"

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Return the model's form, with a field for the reason if the user may save."""
        if self._may_save(request, obj):
            base = getattr(self, "add_form", self.form) if obj is None else self.form
            base = kwargs.get("form", base)
            kwargs["form"] = type(base.__name__, (base, LogForm), {})
        return super().get_form(request, obj, change=change, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        given = super().get_fieldsets(request, obj)
        if not self._may_save(request, obj) or "reason" in flatten_fieldsets(given):
            return given
        return (*given, (_("For the staff log"), {"fields": ("reason",)}))

    def _may_save(self, request: HttpRequest, obj: Any) -> bool:
        if obj is None:
            return self.has_add_permission(request)
        return self.has_change_permission(request, obj)

    def save_related(
        self, request: HttpRequest, form: Any, formsets: Iterable[Any], change: bool
    ) -> None:
        before = _before(form) if change else {}
        super().save_related(request, form, formsets, change)
        what = _changes(form, before) if change else ""
        self.record(
            request, "change" if change else "add", form.instance, form.cleaned_data["reason"], what
        )

    def delete_model(self, request: HttpRequest, obj: Any) -> None:
        self.record(request, "delete", obj, reason_of(request))
        super().delete_model(request, obj)

    def delete_queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> None:
        with transaction.atomic():
            for row in queryset:
                self.record(request, "delete", row, reason_of(request))
            super().delete_queryset(request, queryset)

    def delete_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        may_delete = self.has_delete_permission(request)
        if may_delete and request.method == "POST" and not reason_of(request):
            return _ask_for_reason(request)
        return super().delete_view(request, *args, **kwargs)

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        deletes = "delete_selected" in request.POST.getlist("action") and "post" in request.POST
        if deletes and self.has_delete_permission(request) and not reason_of(request):
            return _ask_for_reason(request)
        return super().changelist_view(request, *args, **kwargs)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Return the actions, with deletion last."""
        found = super().get_actions(request)
        if "delete_selected" in found:
            found["delete_selected"] = found.pop("delete_selected")
        return found

    def record(
        self, request: HttpRequest, action: str, row: Model, reason: str, what: str = ""
    ) -> None:
        """Add an entry to the staff log, in the transaction of the change."""
        whom = row if isinstance(row, User) else getattr(row, "user", None)
        called = f"{row._meta.verbose_name} {_called(row)}".strip()
        assert request.user.pk is not None
        actions.record(
            request.user.pk, action, ": ".join(filter(None, (called, what))), whom, reason
        )


def reason_of(request: HttpRequest) -> str:
    """Return the reason in a request, or "". For pages whose own form does not ask for a reason."""
    return request.POST.get("reason", "").strip()[:LONGEST]


def _ask_for_reason(request: HttpRequest) -> Any:
    messages.error(request, gettext("Nothing was deleted. Give a reason for the log."))
    return redirect(request.get_full_path())


def _called(row: Model) -> str:
    """Return what the staff log calls a row: the name of a user, address or group, else a number.

    The names of users and addresses are erased from the log when the user (`whom`) is erased.
    """
    named = isinstance(row, Group) or isinstance(getattr(row, "user", row), User)
    return str(row) if named else f"#{row.pk}"


def _before(form: Any) -> dict[str, Any]:
    return {name: form.initial.get(name) for name in form.changed_data}


def _changes(form: Any, before: dict[str, Any]) -> str:
    """Describe each changed field with its old and new value. Passwords are left out."""
    names = [name for name in form.changed_data if name not in ("reason", *SECRET)]
    return ", ".join(
        f"{form.fields[name].label or name} "
        + _difference(_values(before[name]), _values(form.cleaned_data.get(name)))
        for name in names
    )


def _difference(old: list[str], new: list[str]) -> str:
    """Describe a change: a single value as its old and new value, lists as added and removed
    items.
    """
    if len(old) <= 1 and len(new) <= 1:
        return f"{''.join(old) or '-'} → {''.join(new) or '-'}"
    added = (f"+{one}" for one in new if one not in old)
    removed = (f"-{one}" for one in old if one not in new)
    return " ".join((*added, *removed))


def _values(value: Any) -> list[str]:
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    if isinstance(value, str):
        return value.splitlines()
    return [str(one) for one in value] if isinstance(value, Iterable) else [str(value or "")]
