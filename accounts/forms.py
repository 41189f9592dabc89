"""Account forms: allauth's, with Parlour's labels instead of placeholders."""

from __future__ import annotations

from typing import Any

from allauth.account import forms as allauth
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.forms import SetPasswordForm as DjangoSetPasswordForm
from django.core.validators import MaxLengthValidator
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import resets, staff_hours
from accounts.guests import guest_of
from accounts.invitations import use
from accounts.models import User
from accounts.names import AS_TYPED, LONGEST
from accounts.signals import registered

GOOD_PASSWORD = _("At least 8 characters, not just numbers, and nothing easy to guess.")


LONGEST_FIELD = 1000
"""Maximum length of fields that have no other limit, such as passwords and addresses."""


class Plain:
    """Mixin: labels instead of placeholders, a maximum length for every text, and focus on the
    first error.
    """

    fields: dict[str, Any]
    labels: dict[str, Any] = {}
    helps: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.widget.attrs.pop("placeholder", None)
            field.label = self.labels.get(name, field.label)
            field.help_text = self.helps.get(name, "")
            if isinstance(field, forms.CharField) and field.max_length is None:
                field.max_length = LONGEST_FIELD
                field.validators.append(MaxLengthValidator(LONGEST_FIELD))

    def full_clean(self) -> None:
        super().full_clean()  # type: ignore[misc]
        for name in list(self.errors)[:1]:  # type: ignore[attr-defined]
            if name in self.fields:
                self.fields[name].widget.attrs["autofocus"] = True


class SignupForm(Plain, allauth.SignupForm):
    """Registration form: a user name and a password.

    The form has an e-mail address only if the server can send email.
    """

    labels = {
        "username": _("User name"),
        "email": _("E-mail (optional, only to reset a forgotten password)"),
        "password1": _("Password"),
        "password2": _("Password again"),
    }
    helps = {"password1": GOOD_PASSWORD, "email": _("We will send a confirmation link to it.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.update({"maxlength": LONGEST, **AS_TYPED})
        if (guest := guest_of(context.request)) is not None:
            self.initial.setdefault("username", guest.name)
        if not settings.MAIL:
            del self.fields["email"]

    def clean_email(self) -> str:
        return str(super().clean_email()) if settings.MAIL else ""

    def try_save(self, request: HttpRequest) -> Any:
        """Create the account, or turn a guest into one.

        Show an error if somebody else has just taken the name or the invitation.
        """
        was_guest = guest_of(request) is not None
        try:
            with transaction.atomic():
                user, response = super().try_save(request)
                if user is not None and not use(request, user):
                    raise IntegrityError
        except IntegrityError:
            text = _("Somebody was faster: this name or invitation has just been taken.")
            messages.error(request, str(text))
            raise ImmediateHttpResponse(HttpResponseRedirect(reverse("account_signup"))) from None
        if was_guest and user is not None:
            registered.send(User, user=user)
        return user, response


class LoginForm(Plain, allauth.LoginForm):
    labels = {"login": _("User name or e-mail"), "password": _("Password")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs.update({"autocomplete": "username", **AS_TYPED})
        if not settings.MAIL:
            self.fields["login"].label = _("User name")

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> Any:
        """Log in. For staff, set the shorter session lifetime immediately."""
        answer = super().login(request, redirect_url)
        staff_hours.is_over(request)
        return answer


class ChangePasswordForm(Plain, allauth.ChangePasswordForm):
    labels = {
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("New password again"),
    }
    helps = {"password1": GOOD_PASSWORD}


class SetPasswordForm(Plain, allauth.SetPasswordForm):
    labels = {"password1": _("New password"), "password2": _("New password again")}
    helps = {"password1": GOOD_PASSWORD}


class ResetPasswordKeyForm(Plain, allauth.ResetPasswordKeyForm):
    labels = {"password1": _("New password"), "password2": _("New password again")}
    helps = {"password1": GOOD_PASSWORD}


class ResetPasswordForm(Plain, allauth.ResetPasswordForm):
    """Form to request a password reset.

    The address is looked up outside the request (`accounts.resets`).
    """

    labels = {"email": _("E-mail")}

    def clean_email(self) -> str:
        return str(self.cleaned_data["email"]).lower()

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Queue the email with the link. Raise Busy if the queue is full."""
        email = str(self.cleaned_data["email"])
        resets.ask(request, email)
        return email


class AddEmailForm(Plain, allauth.AddEmailForm):
    labels = {"email": _("E-mail")}


class ReauthenticateForm(Plain, allauth.ReauthenticateForm):
    labels = {"password": _("Password")}


class WelcomeForm(Plain, DjangoSetPasswordForm):  # type: ignore[type-arg]
    labels = {"new_password1": _("Password"), "new_password2": _("Password again")}
    helps = {"new_password1": GOOD_PASSWORD}
