"""The user's own data: download everything as a file, or delete the account."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from accounts import limits
from accounts.models import User
from accounts.people import for_somebody, somebody
from games.contract.core import Refused
from games.engine.long_jobs import RESTS
from games.engine.reading import in_thread
from games.history.erasure import begin
from games.history.export import written
from games.tables.sentences import refusal
from lobby import progress


class DeleteAccountForm(forms.Form):
    """Form to confirm the deletion, with a checkbox, and with the password if the user has one."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        max_length=1000,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    sure = forms.BooleanField(label=_("Delete everything. I know that this can't be undone."))

    def __init__(self, data: Any = None, *, user: User) -> None:
        super().__init__(data, auto_id="delete_account_%s")
        self.user = user
        if user.is_guest or not user.has_usable_password():
            del self.fields["password"]

    def clean_password(self) -> str:
        password = str(self.cleaned_data["password"])
        if not self.user.check_password(password):
            raise forms.ValidationError(gettext("Wrong password."))
        return password


@for_somebody
@require_safe
def download(request: HttpRequest) -> StreamingHttpResponse:
    """Send all data about the user as a JSON file."""
    limits.take("exports", limits.asker(request))
    headers = {"Content-Disposition": 'attachment; filename="parlour-about-me.json"'}
    pieces = _with_rests(written(somebody(request)))
    return StreamingHttpResponse(pieces, content_type="application/json", headers=headers)


async def _with_rests(pieces: Iterator[bytes]) -> AsyncIterator[bytes]:
    """Yield pieces made in a thread.

    Pause after each piece, so that other threads get half the processor time.
    """
    while True:
        began = time.monotonic()
        piece = await in_thread(next, pieces, b"")
        if not piece:
            return
        yield piece
        await asyncio.sleep(min(RESTS, time.monotonic() - began))


@for_somebody
def delete_account(request: HttpRequest) -> HttpResponse:
    """Delete the user's account after confirmation."""
    user, who = somebody(request), limits.asker(request)
    limits.check("passwords", who)
    form = DeleteAccountForm(request.POST if request.method == "POST" else None, user=user)
    if form.is_valid():
        try:
            left = begin(user.pk)
        except Refused as refused:
            form.add_error(None, refusal(refused))
        else:
            request.session.flush()
            if left:
                return redirect("progress", progress.sign(user.pk))
            messages.success(request, gettext("Your account is deleted. Goodbye!"))
            return redirect("front")
    elif "password" in form.errors:
        limits.count("passwords", who)
    status = 422 if form.errors else 200
    return render(request, "account/delete_account.html", {"form": form}, status=status)
