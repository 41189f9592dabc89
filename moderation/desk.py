"""How moderators say what they do, and why: the forms between choosing a deed and doing it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import ModelAdmin, helpers, site
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.models import Announcement
from games.rules.core import Refused
from games.sentences import refusal
from moderation import deeds
from moderation.deeds import DEEDS, LENGTHS, Order

Action = Callable[["ModelAdmin[Any]", HttpRequest, "QuerySet[Any]"], "HttpResponse | None"]


class WhyForm(forms.Form):
    """The reason for something; whoever it concerns reads it."""

    reason = forms.CharField(
        label=_("Reason (shown to whom it concerns)"),
        max_length=300,
        widget=forms.TextInput(attrs={"size": 60}),
    )


class LastingForm(WhyForm):
    """Something that ends by itself."""

    length = forms.ChoiceField(label=_("For how long"), choices=LENGTHS.items(), initial="day")
    field_order = ("length", "reason")


class SayForm(forms.Form):
    """A word to a table."""

    reason = forms.CharField(
        label=_("What to say"), max_length=300, widget=forms.TextInput(attrs={"size": 60})
    )
    level = forms.ChoiceField(label=_("How important"), choices=Announcement.Level.choices)


def form_for(deed: str) -> type[forms.Form]:
    """The form that asks what has to be known for a deed."""
    if deed == "tell":
        return SayForm
    return LastingForm if DEEDS[deed].lasts else WhyForm


def reasoned(deed: str) -> Action:
    """A deed as an action of a list in the back office: asks why, then does it to each."""

    def action(
        admin: ModelAdmin[Any], request: HttpRequest, chosen: QuerySet[Any]
    ) -> HttpResponse | None:
        form = form_for(deed)(request.POST if "why" in request.POST else None)
        if not form.is_valid():
            return _ask(request, deed, chosen, form)
        done = sum(_do(request, deed, row, form.cleaned_data) for row in chosen)
        if done:
            text = ngettext("Done, for %(count)s.", "Done, for %(count)s.", done)
            admin.message_user(request, text % {"count": done}, messages.SUCCESS)
        return None

    action.short_description = DEEDS[deed].label  # type: ignore[attr-defined]
    action.allowed_permissions = ("deed",)  # type: ignore[attr-defined]
    action.__name__ = deed
    return action


def all_of(*names: str) -> list[Any]:
    """Several deeds as actions."""
    return [reasoned(name) for name in names]


def order_for(request: HttpRequest, deed: str, target: int, given: dict[str, Any]) -> Order:
    """What is to be done to the row of this number, by what the form says."""
    length = given.get("length")
    assert request.user.pk is not None
    to: dict[str, Any] = {DEEDS[deed].to: target}
    return Order(
        by=request.user.pk,
        reason=given["reason"],
        until=deeds.until(length) if length and DEEDS[deed].lasts else None,
        level=given.get("level") or Announcement.Level.INFO,
        **to,
    )


def say_why_not(request: HttpRequest, refused: Refused) -> None:
    """A refusal as a message in the back office."""
    messages.error(request, refusal(refused, language=get_language() or "en"))


def _do(request: HttpRequest, deed: str, row: Model, given: dict[str, Any]) -> bool:
    try:
        deeds.do(deed, order_for(request, deed, row.pk, given)).result()
    except Refused as refused:
        messages.error(request, f"{row}: {refusal(refused, language=get_language() or 'en')}")
        return False
    return True


def _ask(request: HttpRequest, deed: str, chosen: QuerySet[Any], form: forms.Form) -> HttpResponse:
    context = {
        **site.each_context(request),
        "title": DEEDS[deed].label,
        "form": form,
        "rows": list(chosen),
        "action": deed,
        "checkbox": helpers.ACTION_CHECKBOX_NAME,
        "submit": gettext("Do it"),
    }
    return render(request, "admin/moderation/why.html", context)
