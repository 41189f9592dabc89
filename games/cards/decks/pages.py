"""Pages for decks: list, upload, preview, change and download."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import get_format
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from accounts.models import User
from accounts.people import user_of
from games.cards import decks
from games.cards.decks.decoding import LONGEST
from games.cards.decks.files import as_json
from games.cards.decks.languages import LONGEST_NAME
from games.cards.decks.reading import Reading, read_deck
from games.cards.decks.tables import as_csv
from games.cards.rules.packs import BUILT_IN, Pack, to_read
from games.contract.core import Refused
from games.models import Deck
from games.rooms.decks import delete, set_public, visible
from games.tables.report_reasons import reasons
from games.tables.sentences import refusal

PREVIEWED = 40


class DeckForm(forms.Form):
    """Form for a deck: a file or its text, a name and a language."""

    name = forms.CharField(
        label=_("Deck name"), max_length=60, widget=forms.TextInput(attrs={"data-draft": ""})
    )
    language = forms.CharField(
        label=_("Language (a code such as en or de)"), max_length=LONGEST_NAME, initial=get_language
    )
    file = forms.FileField(label=_("A file: CSV, JSON or one card per line"), required=False)
    text = forms.CharField(
        label=_("… or paste the text"),
        required=False,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 8, "spellcheck": "false", "data-draft": ""}),
    )

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or {}
        if not given.get("file") and not str(given.get("text", "")).strip():
            self.add_error("text", gettext("Choose a file, or paste the text of your cards."))
        return given

    def source(self) -> bytes:
        """Return the bytes of the file, or of the text if there is no file."""
        file = self.cleaned_data.get("file")
        if file is None:
            # Browsers send two characters per line break. They must not count against the limit.
            text = str(self.cleaned_data["text"]).replace("\r\n", "\n")
            return text.encode("utf-8", "replace")
        return bytes(file.read(LONGEST + 1))


@require_safe
def shelf(request: HttpRequest) -> HttpResponse:
    """List all decks this user may play with."""
    user = user_of(request)
    seen = visible(user.pk if user else None)
    found = seen.defer("pack").select_related("owner")
    context = {
        "built_in": [
            {"slug": p.slug, "name": p.name, "language": p.language, "pack": p}
            for p in BUILT_IN.values()
        ],
        "own": [deck for deck in found if user is not None and deck.owner_id == user.pk],
        "public": [deck for deck in found if user is None or deck.owner_id != user.pk],
        "user_known": user is not None,
    }
    return render(request, "cards/decks.html", context)


def new_deck(request: HttpRequest) -> HttpResponse:
    """Read an uploaded file, show the result, and save it on request."""
    user = user_of(request)
    if user is None:
        return render(request, "cards/deck_stranger.html", status=403)
    return _bring(request, user, None)


def one(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a deck with its cards. Its owner also sees controls to change it."""
    user = user_of(request)
    if slug in BUILT_IN:
        return _show(request, BUILT_IN[slug], None, owner=False)
    deck = _deck(slug, user)
    owner = user is not None and deck.owner_id == user.pk
    return _show(request, decks.pack_of(deck), deck, owner)


def replace(request: HttpRequest, slug: str) -> HttpResponse:
    """Replace a deck with a new file. Unchanged cards keep their numbers."""
    user = user_of(request)
    deck = own(slug, user)
    assert user is not None
    return _bring(request, user, deck)


@require_POST
def change(request: HttpRequest, slug: str) -> HttpResponse:
    """Make a deck public or private, or delete it."""
    deck = own(slug, user_of(request))
    wanted = request.POST.get("do")
    try:
        if wanted == "delete":
            delete(deck.pk).result()
            return redirect("decks")
        if wanted in ("public", "private"):
            set_public(deck.pk, wanted == "public").result()
    except Refused as refused:
        return _show(request, decks.pack_of(deck), deck, owner=True, problem=_why(refused))
    return redirect("deck", deck.slug)


@require_safe
def download(request: HttpRequest, slug: str, kind: str) -> HttpResponse:
    """Send a deck as a file that can be uploaded again."""
    limits.take("downloads", limits.asker(request))
    pack = BUILT_IN.get(slug) or decks.pack_of(_deck(slug, user_of(request)))
    made, mime = (
        (as_csv(pack, _list_separator()), "text/csv; charset=utf-8")
        if kind == "csv"
        else (as_json(pack), "application/json")
    )
    headers = {"Content-Disposition": f'attachment; filename="{slug}.{kind}"'}
    return HttpResponse(made, content_type=mime, headers=headers)


def _bring(request: HttpRequest, user: User, known: Deck | None) -> HttpResponse:
    initial = {"name": known.name, "language": known.language} if known else None
    if request.method != "POST":
        return _bring_page(request, DeckForm(initial=initial), known)
    limits.take("decks", limits.asker(request))
    form = DeckForm(request.POST, request.FILES)
    if not form.is_valid():
        return _bring_page(request, form, known, status=422)
    given = form.cleaned_data
    chosen = _chosen(request)
    reading = read_deck(form.source(), given["name"], given["language"], known, chosen)
    if reading.problems:
        return _bring_page(request, form, known, reading, status=422)
    if reading.pack is None or "keep" not in request.POST:
        return _bring_page(request, form, known, reading)
    try:
        deck = decks.keep(user.pk, reading.pack, known).result()
    except Refused as refused:
        reading = Reading(None, (_why(refused),))
        return _bring_page(request, form, known, reading, status=422)
    return redirect("deck", deck.slug)


def _list_separator() -> str:
    """Return the separator that Excel expects in the page's language."""
    return ";" if get_format("DECIMAL_SEPARATOR") == "," else ","


def _chosen(request: HttpRequest) -> set[int]:
    """Return the positions of the ticked packs."""
    ticked = request.POST.getlist("pack")
    return {int(at) for at in ticked if at.isascii() and at.isdecimal() and len(at) < 6}


def _by_name(name: str) -> list[str | int]:
    """Return a sort key that puts Pack 2 before Pack 10.

    The key alternates between texts and numbers.
    """
    parts = re.split("([0-9]+)", name.casefold())
    return [int(part) if at % 2 else part for at, part in enumerate(parts)]


def _bring_page(
    request: HttpRequest,
    form: DeckForm,
    known: Deck | None,
    reading: Reading | None = None,
    status: int = 200,
) -> HttpResponse:
    reading = reading or Reading(None)
    offered = sorted(enumerate(reading.offered), key=lambda one: _by_name(one[1].name))
    context = {
        "form": form,
        "deck": known,
        "problems": reading.problems,
        "problem_count": len(reading.problems) + reading.unshown,
        "unshown": reading.unshown,
        "pack": reading.pack,
        "offered": offered,
        "none_ticked": "choosing" in request.POST,
        "source": reading.source,
        **(_preview(reading.pack) if reading.pack else {}),
    }
    return render(request, "cards/deck_new.html", context, status=status)


def _show(
    request: HttpRequest, pack: Pack, deck: Deck | None, owner: bool, problem: str = ""
) -> HttpResponse:
    context = {"pack": pack, "deck": deck, "owner": owner, "problem": problem, **_preview(pack)}
    context["reasons"] = reasons() if deck and not owner and user_of(request) else []
    return render(request, "cards/deck.html", context, status=422 if problem else 200)


def _why(refused: Refused) -> str:
    return refusal(refused)


def _preview(pack: Pack) -> dict[str, object]:
    picks = [sum(p.cards_to_pick == n for p in pack.prompts) for n in (1, 2, 3)]
    return {
        "picks": picks,
        "prompts": [(card, to_read(card.text)) for card in pack.prompts[:PREVIEWED]],
        "answers": pack.answers[:PREVIEWED],
        "more_prompts": max(0, len(pack.prompts) - PREVIEWED),
        "more_answers": max(0, len(pack.answers) - PREVIEWED),
    }


def _deck(slug: str, user: User | None) -> Deck:
    """Return a deck that this user may see. Raise Http404 if there is none."""
    deck = visible(user.pk if user else None).filter(slug=slug).first()
    if deck is None:
        raise Http404
    return deck


def own(slug: str, user: User | None) -> Deck:
    """Return a deck that this user owns. Raise Http404 if there is none."""
    deck = user.decks.filter(slug=slug).first() if user else None
    if deck is None:
        raise Http404
    return deck
