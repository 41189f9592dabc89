"""The user's own page: names, tokens of programs, and preferences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from allauth.account.decorators import reauthentication_required
from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts import reserved_names, tokens
from accounts.characters import first_hidden, is_seen
from accounts.isolation import isolated
from accounts.models import User
from accounts.names import NAME_FIELD, BadName, clean_name, clean_user_name
from accounts.people import for_somebody, somebody
from accounts.preferences import PreferencesForm
from accounts.sanctions import mute_of, sentence, was_taken_away
from accounts.sent_forms import is_repeat, token_of

TERMS = {"30": _("30 days"), "90": _("90 days"), "365": _("a year"), "": _("until I revoke it")}


class NameForm(forms.Form):
    """Form for a new display name."""

    name = forms.CharField(
        label=_("Your name"),
        max_length=200,
        widget=forms.TextInput(attrs=NAME_FIELD),
    )

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data, initial={"name": str(user)}, auto_id="name_%s")
        self.user = user

    def clean_name(self) -> str:
        return _chosen(self.cleaned_data["name"], clean_name, self.user)


def _chosen(typed: str, clean: Callable[[str], str], user: User) -> str:
    """Return the cleaned new name. Raise ValidationError if this user may not take it."""
    try:
        name = clean(typed)
        if (mute := mute_of(user.pk)) is not None:
            raise forms.ValidationError(sentence(mute))
        if was_taken_away(user.pk, name):
            raise BadName("UsernameRemoved")
        reserved_names.check(name, user)
    except BadName as bad:
        raise forms.ValidationError(bad.sentence) from None
    return name


class UserNameForm(forms.Form):
    """Form for a new user name, for accounts whose name only works in its exact spelling."""

    username = forms.CharField(
        label=_("User name"),
        max_length=200,
        widget=forms.TextInput(
            attrs={**NAME_FIELD, "autocomplete": "username", "autocapitalize": "none"}
        ),
    )

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data, auto_id="user_%s")
        self.user = user

    def clean_username(self) -> str:
        return _chosen(self.cleaned_data["username"], clean_user_name, self.user)


class TokenForm(forms.Form):
    """Form for a new token: its purpose and how long it is valid."""

    name = forms.CharField(
        label=_("What it's for"),
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    days = forms.ChoiceField(
        label=_("Valid for"), choices=list(TERMS.items()), initial="90", required=False
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="token_%s")

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if first_hidden(name) or not is_seen(name):
            raise forms.ValidationError(gettext("Use visible characters only."))
        return name


@for_somebody
@require_safe
def you(request: HttpRequest) -> HttpResponse:
    """Show the user's own page."""
    return _you(request)


@for_somebody
@require_POST
def rename(request: HttpRequest) -> HttpResponse:
    """Change the display name. Tables the user has already joined keep the old one."""
    user = somebody(request)
    form = NameForm(request.POST, user=user)
    if not form.is_valid():
        return _you(request, name_form=form, status=422)
    user.name = form.cleaned_data["name"]
    user.save(update_fields=["name"])
    messages.success(request, gettext("Your name is now %(name)s.") % {"name": isolated(str(user))})
    return redirect("you")


@for_somebody
@require_POST
def change_user_name(request: HttpRequest) -> HttpResponse:
    """Change the user name if an older account has the same one in a different case."""
    user = somebody(request)
    if user.is_guest or user.login_key is not None:
        return redirect("you")
    form = UserNameForm(request.POST, user=user)
    if not form.is_valid():
        return _you(request, user_name_form=form, status=422)
    user.username = form.cleaned_data["username"]
    user.save(update_fields=["username"])
    text = gettext("You log in as %(name)s from now on.")
    messages.success(request, text % {"name": isolated(user.username)})
    return redirect("you")


def _make_token(request: HttpRequest) -> HttpResponse:
    """Create a token. It is shown only in responses to this form."""
    user, sent = somebody(request), token_of(request)
    if is_repeat(request):
        return _you(request, made=tokens.made_by(user, sent), status=201)
    form = TokenForm(request.POST)
    if not form.is_valid():
        return _you(request, token_form=form, status=422)
    days = form.cleaned_data["days"]
    try:
        made = tokens.make(user, form.cleaned_data["name"], int(days) if days else None, sent)
    except tokens.TooMany:
        text = gettext("You already have %(most)s tokens. Revoke one first.")
        form.add_error(None, text % {"most": tokens.MOST})
        return _you(request, token_form=form, status=422)
    return _you(request, made=made, status=201)


make_token = for_somebody(require_POST(reauthentication_required(_make_token, app="accounts")))


@for_somebody
@require_POST
def revoke_token(request: HttpRequest, number: int) -> HttpResponse:
    """Revoke a token. Programs that use it are disconnected within seconds."""
    gone, _each = somebody(request).tokens.filter(pk=number).delete()
    if gone:
        messages.success(request, gettext("Token revoked."))
    return redirect("you")


@for_somebody
@require_POST
def meet_again(request: HttpRequest, number: int) -> HttpResponse:
    """Delete the user's mute or block of another user."""
    kept = somebody(request).mutes_and_blocks.filter(pk=number).first()
    if kept is not None:
        kept.delete()
        text = gettext("%(name)s is no longer muted or blocked.")
        messages.success(request, text % {"name": isolated(kept.name)})
    return redirect("you")


@for_somebody
@require_POST
def have_read(request: HttpRequest, number: int) -> HttpResponse:
    """Mark a moderator's message as read, so that it is not shown again."""
    told = somebody(request).sanctions.filter(pk=number, seen_at=None)
    told.update(seen_at=timezone.now())
    there = request.POST.get("next", "/")
    safe = url_has_allowed_host_and_scheme(there, {request.get_host()}, request.is_secure())
    return redirect(there if safe else "front")


def _you(
    request: HttpRequest,
    name_form: NameForm | None = None,
    user_name_form: UserNameForm | None = None,
    token_form: TokenForm | None = None,
    made: str = "",
    status: int = 200,
) -> HttpResponse:
    user = somebody(request)
    context = {
        "name_form": name_form or NameForm(user=user),
        "user_name_form": user_name_form or UserNameForm(user=user),
        "token_form": token_form or TokenForm(),
        "tokens": user.tokens.order_by("-created_at", "-pk"),
        "preferences": PreferencesForm(instance=user, auto_id="prefer_%s"),
        "mutes_and_blocks": user.mutes_and_blocks.order_by("name", "pk"),
        "now": timezone.now(),
        "made": made,
    }
    return render(request, "account/you.html", context, status=status)
