"""Accounts created by staff, and help for users who lost access."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import mail_addresses, second_step, welcome
from accounts.models import User
from moderation import actions
from moderation.action_forms import tell_done, with_reason


class AddPersonForm(forms.ModelForm):  # type: ignore[type-arg]
    """A user name and an optional e-mail address. The user chooses the password later."""

    class Meta:
        model = User
        fields = ("username", "email")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].help_text = ""
        self.fields["email"].label = _("E-mail (optional)")
        self.fields["email"].help_text = _("The link to set a password is sent there.")

    def clean_username(self) -> str:
        return str(get_adapter().clean_username(self.cleaned_data["username"]))

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"]).lower()
        if email and mail_addresses.holders(email):
            raise forms.ValidationError(gettext("Another account has that address."))
        return email

    def save(self, commit: bool = True) -> User:
        user: User = super().save(commit=False)
        user.name = user.username
        user.set_unusable_password()
        user.save()
        if user.email:
            mail_addresses.give(user, user.email)
        return user

    def save_m2m(self) -> None:
        """Do nothing: there are no many-to-many fields."""


def link_page(request: HttpRequest, user: User) -> HttpResponse:
    """Create a link to set a password, and send it by email. If that fails, show the link once."""
    link = welcome.make_link(user)
    sent = welcome.send(request, user, link)
    context = {
        **admin.site.each_context(request),
        "title": gettext("Link for %(name)s") % {"name": user.username},
        "person": user,
        "link": "" if sent else link,
        "days": welcome.DAYS,
    }
    return render(request, "admin/moderation/link.html", context)


@with_reason(_("Make a link to set a password"), "change")
def new_link(
    of: admin.ModelAdmin[Any], request: HttpRequest, people: QuerySet[User], reason: str
) -> HttpResponse | None:
    """Create a link to set the first password of one account."""
    chosen = [one for one in people if of.has_change_permission(request, one)]
    if len(chosen) != 1 or not welcome.waits(chosen[0]):
        text = gettext("Choose one account that has no password yet.")
        messages.error(request, text)
        return None
    _note(request, "new_link", chosen[0], reason)
    return link_page(request, chosen[0])


@with_reason(_("Withdraw links to set a password"), "change")
def withdraw(
    of: admin.ModelAdmin[Any], request: HttpRequest, people: QuerySet[User], reason: str
) -> None:
    """Invalidate the links with which the owners of these accounts could set a first password."""
    done = 0
    for one in people:
        if of.has_change_permission(request, one) and welcome.waits(one):
            welcome.withdraw(one)
            _note(request, "withdraw", one, reason)
            done += 1
    tell_done(request, done)


@with_reason(_("Turn two-step login off"), "change")
def no_steps(
    of: admin.ModelAdmin[Any], request: HttpRequest, people: QuerySet[User], reason: str
) -> None:
    """Remove the second steps of users who lost their device."""
    done = 0
    for one in people:
        if of.has_change_permission(request, one) and second_step.remove_all(one.pk):
            _note(request, "no_steps", one, reason)
            done += 1
    tell_done(request, done)


ALL = (new_link, withdraw, no_steps)
NAMES = {action.__name__ for action in ALL}


def _note(request: HttpRequest, action: str, whom: User, reason: str) -> None:
    assert request.user.pk is not None
    actions.note(request.user.pk, action, "", whom.pk, reason).result()
