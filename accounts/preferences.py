"""Preferences: stored with the user, read by pages as data- attributes."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from accounts.languages import keep_language
from accounts.models import User
from accounts.people import for_somebody, somebody
from accounts.themes import keep_theme

HABITS = {
    "declines": "passes",
    "blur": "covers",
    "sound": "sounds",
    "quiet": "quiet_bots",
    "unhinted": "no_hints",
}
"""Preferences that can be changed at a table: their names at the table, and their fields."""
THEMES = [
    (User.Theme.SYSTEM, _("Same as device")),
    (User.Theme.LIGHT, _("Daylight")),
    (User.Theme.DARK, _("Evening")),
]


class PreferencesForm(forms.ModelForm):  # type: ignore[type-arg]
    """All preferences, on the user's own page."""

    confirms = forms.BooleanField(label=_("Ask before risky moves"), required=False)
    sounds = forms.BooleanField(label=_("Sounds at tables"), required=False)
    covers = forms.BooleanField(label=_("Hide my cards when I leave the window"), required=False)
    passes = forms.BooleanField(label=_("Auto-pass unless I'm the target"), required=False)
    quiet_bots = forms.BooleanField(label=_("Quiet bots"), required=False)
    no_hints = forms.BooleanField(label=_("First matches without hints"), required=False)
    lists_matches = forms.BooleanField(label=_("List my matches on my page"), required=False)
    seen_by = forms.ChoiceField(
        label=_("Who sees where I am"),
        choices=User.SeenBy.choices,
        required=False,
        help_text=_(
            "They see when you are here. They also see your table and can join it, unless it is"
            " private."
        ),
    )
    theme = forms.ChoiceField(label=_("Colours"), choices=THEMES, required=False)
    language = forms.ChoiceField(
        label=_("Language"),
        choices=lambda: [("", _("Browser default")), *settings.LANGUAGES],
        required=False,
    )

    class Meta:
        model = User
        fields = (
            "confirms",
            "sounds",
            "covers",
            "passes",
            "quiet_bots",
            "no_hints",
            "lists_matches",
            "seen_by",
            "theme",
            "language",
        )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if len(settings.LANGUAGES) < 2:
            del self.fields["language"]
        if self.instance.is_guest:  # guests have no page, and nobody can follow them
            del self.fields["lists_matches"], self.fields["seen_by"]


@for_somebody
@require_POST
def prefer(request: HttpRequest) -> HttpResponse:
    """Store the preferences. If any value is not valid, change nothing."""
    user = somebody(request)
    form = PreferencesForm(request.POST, instance=user)
    if not form.is_valid():
        messages.error(request, gettext("That isn't a valid choice. Nothing was changed."))
        return redirect("you")
    user.save(update_fields=list(form.Meta.fields))
    messages.success(request, gettext("Preferences saved."))
    response = redirect("you")
    keep_language(response, user.language)
    keep_theme(response, user.theme)
    return response


@for_somebody
@require_POST
def keep_habit(request: HttpRequest) -> HttpResponse:
    """Store one preference that was set at a table (`static/room.js`).

    Return status 204, or 422 if the preference is unknown.
    """
    user, field = somebody(request), HABITS.get(request.POST.get("habit", ""))
    if field is None:
        return HttpResponse(status=422)
    setattr(user, field, request.POST.get("on") == "yes")
    user.save(update_fields=[field])
    return HttpResponse(status=204)
