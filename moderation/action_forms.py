"""Forms that ask moderators for a reason and a duration before an action runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin, helpers, site
from django.contrib.admin import action as as_action
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.contract.core import Refused
from games.models import Announcement
from games.tables.sentences import refusal
from moderation import actions
from moderation.actions import ACTIONS, LENGTHS, SHORT, ActionRequest

LONGEST = 300
AdminAction = Callable[["ModelAdmin[Any]", HttpRequest, "QuerySet[Any]"], "HttpResponse | None"]


def line_field(label: Any, required: bool = True) -> forms.CharField:
    """Return a form field for one sentence, such as a reason or an announcement."""
    widget = forms.TextInput(attrs={"size": 60})
    return forms.CharField(label=label, max_length=LONGEST, required=required, widget=widget)


class WhyForm(forms.Form):
    """Form with a reason that is shown to the user concerned."""

    reason = line_field(_("Reason (shown to the person)"))


class LogForm(forms.Form):
    """Form with a reason that only superusers see, in the staff log."""

    reason = line_field(_("Reason (for the log)"))


class LastingForm(WhyForm):
    """Form with a reason and a duration, which may be unlimited."""

    length = forms.ChoiceField(label=_("For how long"), choices=LENGTHS.items(), initial="day")
    field_order = ("length", "reason")


class EndingForm(LastingForm):
    """Form with a reason and a limited duration."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        short = [(name, LENGTHS[name]) for name in SHORT]
        self.fields["length"].choices = short  # type: ignore[attr-defined]


class SayForm(forms.Form):
    """Form for an announcement to a table."""

    reason = line_field(_("Message"))
    level = forms.ChoiceField(label=_("How important"), choices=Announcement.Level.choices)


def form_for(action: str) -> type[forms.Form]:
    """Return the class of the form that asks for the details of an action."""
    if action == "tell":
        return SayForm
    if ACTIONS[action].ends:
        return EndingForm
    return LastingForm if ACTIONS[action].lasts else WhyForm


def reasoned(action: str) -> AdminAction:
    """Return an admin list action that asks for a reason and then acts on each selected row."""

    def admin_action(
        admin: ModelAdmin[Any], request: HttpRequest, chosen: QuerySet[Any]
    ) -> HttpResponse | None:
        form = form_for(action)(request.POST if "why" in request.POST else None)
        if not form.is_valid():
            rows = rows_with_extent(action, chosen)
            return ask_about(request, action, ACTIONS[action].label, rows, form)
        done = sum(act(request, action, row, form.cleaned_data) for row in chosen)
        if done:
            tell_done(request, done)
        return None

    admin_action.short_description = ACTIONS[action].label  # type: ignore[attr-defined]
    admin_action.allowed_permissions = ("action",)  # type: ignore[attr-defined]
    admin_action.__name__ = action
    return admin_action


ReasonedAction = Callable[
    ["ModelAdmin[Any]", HttpRequest, "QuerySet[Any]", str], "HttpResponse | None"
]


def with_reason(label: Any, permission: str = "action") -> Callable[[ReasonedAction], AdminAction]:
    """Decorator for admin list actions. It asks for a reason for the staff log and passes it on."""

    def decorate(run: ReasonedAction) -> AdminAction:
        @as_action(description=label, permissions=[permission])
        @wraps(run)
        def admin_action(
            of: ModelAdmin[Any], request: HttpRequest, chosen: QuerySet[Any]
        ) -> HttpResponse | None:
            form = LogForm(request.POST if "why" in request.POST else None)
            if not form.is_valid():
                rows = [(row, "") for row in chosen]
                return ask_about(request, run.__name__, label, rows, form)
            return run(of, request, chosen, form.cleaned_data["reason"])

        return admin_action

    return decorate


def all_of(*names: str) -> list[Any]:
    """Return an admin list action for each of these moderator actions."""
    return [reasoned(name) for name in names]


def action_request_for(
    request: HttpRequest, action: str, target: int, given: dict[str, Any]
) -> ActionRequest:
    """Return the request to run an action on the row `target`, with the data of the form."""
    length = given.get("length")
    assert request.user.pk is not None
    to: dict[str, Any] = {ACTIONS[action].to: target}
    return ActionRequest(
        by=request.user.pk,
        reason=given["reason"],
        until=actions.until(length) if length and ACTIONS[action].lasts else None,
        level=given.get("level") or Announcement.Level.INFO,
        **to,
    )


def say_why_not(request: HttpRequest, refused: Refused) -> None:
    """Show a refusal as an error message in the back office."""
    messages.error(request, refusal(refused))


def act(
    request: HttpRequest,
    action: str,
    row: Model,
    given: dict[str, Any],
    settled: Sequence[int] = (),
) -> bool:
    """Run an action on a row, and settle the reports `settled`.

    If the action is refused, show why and return False.
    """
    try:
        actions.do(action, action_request_for(request, action, row.pk, given), settled).result()
    except Refused as refused:
        messages.error(request, f"{row}: {refusal(refused)}")
        return False
    return True


def tell_done(request: HttpRequest, count: int) -> None:
    """Show a message with the number of rows that an action changed."""
    text = ngettext("Done, for %(count)s.", "Done, for %(count)s.", count)
    messages.success(request, text % {"count": count})


def rows_with_extent(action: str, rows: Iterable[Model]) -> list[tuple[Model, Any]]:
    """Return each row with a text about how much the action would affect, such as "3 messages"."""
    extent = ACTIONS[action].extent
    return [(row, extent(row.pk) if extent else "") for row in rows]


def ask_about(
    request: HttpRequest,
    action: str,
    title: Any,
    rows: Sequence[tuple[Model, Any]],
    form: forms.Form,
    chosen: Iterable[Model] | None = None,
) -> HttpResponse:
    """Show the page that asks for the details of an action before it runs.

    `chosen` are the rows that the form submits again, by default all of `rows`.
    """
    if chosen is None:
        chosen = [row for row, _extent in rows]
    context = {
        **site.each_context(request),
        "title": title,
        "form": form,
        "rows": rows,
        "chosen": [row.pk for row in chosen],
        "action": action,
        "checkbox": helpers.ACTION_CHECKBOX_NAME,
        "submit": gettext("Do it"),
    }
    return render(request, "admin/moderation/why.html", context)
