"""Forms of the lobby: a name, a code, a new table."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from accounts.guests import passing_name
from accounts.names import AS_TYPED, NAME_FIELD, BadName, clean_name
from games.models import Room
from games.models.rooms import LONGEST_TYPED, read_code
from games.tables.sentences import NOTICES, say

SECRET = {"autocomplete": "off", **AS_TYPED}
"""HTML attributes of a table's password."""


class NameForm(forms.Form):
    """Form for the name of a visitor without an account."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=200,
        error_messages={"required": _("Type your name first.")},
        widget=forms.TextInput(attrs=NAME_FIELD),
    )

    def clean_name(self) -> str:
        try:
            return clean_name(self.cleaned_data["name"])
        except BadName as bad:
            raise forms.ValidationError(bad.sentence) from None


class PassingForm(NameForm):
    """Form for an optional name, for visitors who only want to learn a game."""

    name = forms.CharField(max_length=200, required=False)

    def clean_name(self) -> str:
        return super().clean_name() if self.cleaned_data["name"] else passing_name()


class CodeForm(forms.Form):
    """Form for a table's code or link (`read_code`)."""

    code = forms.CharField(
        label=_("Table code"),
        max_length=LONGEST_TYPED,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", **AS_TYPED, "autocapitalize": "characters"}
        ),
    )

    def clean_code(self) -> str:
        code = read_code(self.cleaned_data["code"])
        if not Room.objects.filter(code=code).exclude(status=Room.Status.CLOSED).exists():
            raise forms.ValidationError(say(NOTICES["InvalidRoom"]))
        return str(code)


class JoinForm(NameForm):
    """Form to join a table: a name, and the password of a locked table."""

    password = forms.CharField(
        label=_("Table password"),
        required=False,
        max_length=100,
        widget=forms.PasswordInput(attrs=SECRET),
    )
    spectate = forms.BooleanField(label=_("Just watch"), required=False)

    def __init__(self, *args: Any, locked: bool, name: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["name"] = name
        self.fields["name"].required = not self.data.get("spectate")
        if not locked:
            del self.fields["password"]

    def clean_name(self) -> str:
        """Return the name. Spectators may leave it out."""
        if self.cleaned_data["name"]:
            return super().clean_name()
        return str(self.initial["name"]) or passing_name()


class TableForm(forms.Form):
    """Form for a new table: who may find it, and an optional password.

    Game options are separate.
    """

    name = NameForm.base_fields["name"]
    visibility = forms.ChoiceField(
        label=_("Who can join"),
        choices=[
            ("unlisted", _("Anyone with the link")),
            ("public", _("Anyone (listed)")),
            ("invited", _("Invited people")),
        ],
        widget=forms.RadioSelect,
        initial="unlisted",
    )
    password = forms.CharField(
        label=_("Password (optional)"),
        required=False,
        max_length=100,
        widget=forms.TextInput(attrs=SECRET),
    )
    bots = forms.IntegerField(label=_("Bots"), min_value=0, max_value=20, initial=0, required=False)

    clean_name = NameForm.clean_name

    def __init__(self, *args: Any, name: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial["name"] = name
