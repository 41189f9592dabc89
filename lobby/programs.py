"""The page of a user's programs for the ladder."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import messages
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts import limits, own_address
from accounts.names import AS_TYPED, SENTENCES
from accounts.people import View, for_somebody, somebody
from accounts.sent_forms import is_repeat, token_of
from games.contract.core import Refused
from games.history import erasure
from games.history.leaderboard import Shown, shown
from games.models import Pool, Program, ProgramVersion, Rating
from games.models.programs import LONGEST_NAME
from games.registry import GAMES
from games.rooms import programs as commands
from games.rooms.ladder import CHECKS
from games.tables.sentences import refusal
from lobby.joining import blame
from lobby.visitors import language_of

LONGEST_ABOUT, LONGEST_LABEL = 1000, 60


class ProgramForm(forms.Form):
    """Form for a new program."""

    name = forms.CharField(
        label=_("Name of the program"),
        max_length=LONGEST_NAME,
        widget=forms.TextInput(
            attrs={"autocomplete": "off", **AS_TYPED, "autocapitalize": "words"}
        ),
    )
    about = forms.CharField(
        label=_("What it does (optional)"),
        max_length=LONGEST_ABOUT,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
    )


class VersionForm(forms.Form):
    """Form for a new version."""

    label = forms.CharField(
        label=_("What is new (optional)"), max_length=LONGEST_LABEL, required=False
    )


@dataclass(frozen=True)
class Version:
    """A version as its owner sees it. `seen` is when it was last connected, if it is not now."""

    version: ProgramVersion
    ratings: Sequence[Shown]
    seen: datetime | None

    @property
    def games(self) -> Sequence[str]:
        """The names of the games that it plays."""
        return [GAMES[slug].name for slug in self.version.games if slug in GAMES]


@dataclass(frozen=True)
class Own:
    """A program of the user, with its versions, newest first."""

    program: Program
    versions: Sequence[Version]
    retired: Sequence[Version]


@dataclass(frozen=True)
class Made:
    """A new token, which is shown once."""

    version: ProgramVersion
    token: str
    command: str


def with_ladder(view: View) -> View:
    """Decorator for pages that exist only on servers with a ladder, and not for strangers."""
    page = for_somebody(view)

    @wraps(view)
    def enter(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.LADDER:
            raise Http404
        return page(request, *args, **kwargs)

    return enter


@with_ladder
@require_safe
def programs(request: HttpRequest) -> HttpResponse:
    """Show the programs of the user."""
    return _programs(request)


@with_ladder
@require_POST
def make_program(request: HttpRequest) -> HttpResponse:
    """Make a program."""
    form = ProgramForm(request.POST, auto_id="program_%s")
    if not form.is_valid():
        return _programs(request, form, status=422)
    given = form.cleaned_data
    try:
        commands.make_program(somebody(request).pk, given["name"], given["about"]).result()
    except Refused as refused:
        blame(form, refused, _sentence(request, refused))
        return _programs(request, form, status=422)
    messages.success(request, gettext("Now make its first version."))
    return redirect("programs")


@with_ladder
@require_POST
def make_version(request: HttpRequest, number: int) -> HttpResponse:
    """Make a version of a program, and show its token."""
    user, form = somebody(request), VersionForm(request.POST)
    label = form.cleaned_data["label"] if form.is_valid() else ""
    try:
        if not is_repeat(request):
            limits.take("programs", limits.asker(request))
        made = commands.make_version(user.pk, number, label, token_of(request)).result()
    except Refused as refused:
        return _refused(request, refused)
    return _programs(request, made=_made(request, *made), status=201)


@with_ladder
@require_POST
def new_token(request: HttpRequest, number: int) -> HttpResponse:
    """Replace the token of a version, and show the new one."""
    user = somebody(request)
    try:
        token = commands.new_token(user.pk, number).result()
    except Refused as refused:
        return _refused(request, refused)
    version = ProgramVersion.objects.select_related("program").get(pk=number)
    return _programs(request, made=_made(request, version, token))


@with_ladder
@require_POST
def retire(request: HttpRequest, number: int) -> HttpResponse:
    """Take a version off the ladder for good."""
    return _done(request, commands.retire, number, gettext("The version is retired."))


@with_ladder
@require_POST
def wake(request: HttpRequest, number: int) -> HttpResponse:
    """Let a resting version play again, and check a failed one again."""
    return _done(request, commands.wake, number, gettext("The version plays again."))


@with_ladder
@require_POST
def describe(request: HttpRequest, number: int) -> HttpResponse:
    """Change what is said about a program."""
    about = request.POST.get("about", "")[:LONGEST_ABOUT]
    try:
        commands.describe(somebody(request).pk, number, about).result()
    except Refused as refused:
        return _refused(request, refused)
    messages.success(request, gettext("Saved."))
    return redirect("programs")


@with_ladder
@require_POST
def delete_program(request: HttpRequest, number: int) -> HttpResponse:
    """Delete a program with all its versions."""
    return _done(request, erasure.delete_program, number, gettext("The program is deleted."))


def _done(request: HttpRequest, command: Any, number: int, sentence: str) -> HttpResponse:
    try:
        command(somebody(request).pk, number).result()
    except Refused as refused:
        return _refused(request, refused)
    messages.success(request, sentence)
    return redirect("programs")


def _refused(request: HttpRequest, refused: Refused) -> HttpResponse:
    if refused.code == "gone":
        raise Http404
    messages.error(request, _sentence(request, refused))
    return redirect("programs")


def _sentence(request: HttpRequest, refused: Refused) -> str:
    if refused.code in SENTENCES:  # the sentences of `refusal` are about tables, not names
        return gettext(SENTENCES[refused.code]) % refused.facts
    return refusal(refused, language=language_of(request))


def _made(request: HttpRequest, version: ProgramVersion, token: str) -> Made:
    site = own_address.site(request).rstrip("/")
    start = f"python -m parlour_client mybot.py --ladder --url {site} --token {token}"
    return Made(version, token, start)


def _programs(
    request: HttpRequest,
    form: ProgramForm | None = None,
    made: Made | None = None,
    status: int = 200,
) -> HttpResponse:
    context = {
        "programs": _own(somebody(request).pk),
        "form": form or ProgramForm(auto_id="program_%s"),
        "made": made,
        "most_programs": commands.MOST_PROGRAMS,
        "most_versions": commands.MOST_VERSIONS,
        "checks": CHECKS,
    }
    return render(request, "lobby/programs.html", context, status=status)


def _own(user_id: int) -> Sequence[Own]:
    """Return the programs of a user, oldest first. Four statements."""
    versions = ProgramVersion.objects.select_related("user").order_by("-number")
    found = Program.objects.filter(owner=user_id).order_by("pk")
    found = found.prefetch_related(Prefetch("versions", versions), "versions__user__tokens")
    ratings = _ratings(user_id)
    return [_program(program, ratings) for program in found]


def _program(program: Program, ratings: Mapping[int, Sequence[Shown]]) -> Own:
    versions = [
        Version(one, ratings.get(one.user_id, ()), _seen(one)) for one in program.versions.all()
    ]
    retired = ProgramVersion.State.RETIRED
    return Own(
        program,
        [one for one in versions if one.version.state != retired],
        [one for one in versions if one.version.state == retired],
    )


def _seen(version: ProgramVersion) -> datetime | None:
    used = (token.last_used_at for token in version.user.tokens.all())
    return None if version.is_available else max(filter(None, used), default=None)


def _ratings(owner_id: int) -> Mapping[int, Sequence[Shown]]:
    """Return the ratings of all versions of a user's programs, by their accounts."""
    rows = Rating.objects.filter(
        pool=Pool.PROGRAMS, user__program_version__program__owner=owner_id, game__in=GAMES
    )
    now, by_user = timezone.now(), defaultdict(list)
    for row in rows.order_by("-matches", "game"):
        by_user[row.user_id].append(shown(row, now))
    return by_user
