"""Forms that are processed once, even if their button is pressed several times (decision 143).

A form that creates something carries a random token (`{% form_token %}`). The first request with
this token is processed. A repeat (same fields, URL and user) gets the redirect of the first
response. Tokens are stored in the database, so this works across processes and restarts.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
import threading
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.auth import login
from django.db import DatabaseError, transaction
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import render
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from accounts.models import SentForm, User
from accounts.people import user_of

log = logging.getLogger(__name__)

FIELD = "form_token"
CSRF_FIELD = "csrfmiddlewaretoken"
SHORTEST, LONGEST = 16, 64
KEPT_FOR = timedelta(days=1)
WAITS = (0.05, 0.1, 0.2, 0.4, 0.8, 1.5, 2.0)
"""Seconds between checks of a form that another request is still processing."""
WAITING_AT_ONCE = 4
"""Maximum threads of this process that wait, out of 16 for all pages."""
UNKNOWN = 500
"""Response status after which it is unknown whether the form was processed."""
BACKEND = "django.contrib.auth.backends.ModelBackend"

_waiting = threading.BoundedSemaphore(WAITING_AT_ONCE)


def new_token() -> str:
    """Return a token for one rendering of a form."""
    return secrets.token_urlsafe(18)


def token_of(request: HttpRequest) -> str:
    """Return the token of the form that was posted, or "" if it has none."""
    token = request.POST.get(FIELD, "")
    return token if SHORTEST <= len(token) <= LONGEST else ""


class FormsOnce:
    """Middleware that processes each form with a token only once."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        sent: SentForm | None = getattr(request, "sent_form", None)
        if sent is not None:
            try:
                _note_answer(sent, request, response)
            except DatabaseError:  # the form has been processed nevertheless
                log.exception("the response to a form could not be stored")
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        """Claim the form for this request.

        If the request is a repeat, return the first response again.
        """
        if request.method != "POST" or not token_of(request):
            return None
        digest = _digest(request)
        for wait in (*WAITS, None):
            sent, is_first = _claim(request, digest)
            if is_first:
                request.sent_form = sent  # type: ignore[attr-defined]
                return None
            if not _is_sender(request, sent):
                return None
            if sent.done:
                return _again(request, sent)
            if wait is None or not _waiting.acquire(blocking=False):
                break
            try:
                time.sleep(wait)
            finally:
                _waiting.release()
        return _under_way(request)


def is_repeat(request: HttpRequest) -> bool:
    """Whether the form of this request has already been processed.

    A view that shows its result instead of redirecting (status 201) is called again for a repeat,
    and must only show it.
    """
    return bool(getattr(request, "is_repeat", False))


def forget_form(request: HttpRequest) -> None:
    """Allow the form of this request to be sent again, because it was not processed."""
    sent: SentForm | None = getattr(request, "sent_form", None)
    if sent is not None:
        sent.delete()
        request.sent_form = None  # type: ignore[attr-defined]


def answer_again(request: HttpRequest) -> HttpResponse | None:
    """Return the redirect of a form that this user has already sent, else None.

    This is for repeats that arrive after the first request has logged the user in, so that their
    CSRF token is no longer valid.
    """
    if not token_of(request) or not request.user.is_authenticated:
        return None
    sent = SentForm.objects.filter(digest=_digest(request), user=request.user.pk, done=True).first()
    return HttpResponseRedirect(sent.location) if sent and sent.location else None


def note_login(sender: Any, request: HttpRequest | None, user: User, **_: Any) -> None:
    """Record that a form has logged somebody in (receiver of `user_logged_in`)."""
    sent: SentForm | None = getattr(request, "sent_form", None)
    if sent is not None:
        sent.logs_in = True


def _digest(request: HttpRequest) -> str:
    """Return the hash of a form's token, URL and fields.

    The URL and fields are included because a page may have several buttons, and because a user may
    go back and type something else.
    """
    made = hashlib.sha256()
    fields = [(name, *given) for name, given in request.POST.lists() if name != CSRF_FIELD]
    files = [
        (name, str(file.name), file.size or 0)
        for name, given in request.FILES.lists()
        for file in given
    ]
    for part in (request.path, sorted(fields), sorted(files)):
        made.update(repr(part).encode("utf-8", "surrogatepass"))
    return salted_hmac("parlour.sent-form", made.hexdigest(), algorithm="sha256").hexdigest()


def _browser(request: HttpRequest) -> str:
    """Return the hash that identifies a browser before login.

    This is the hash of the CSRF cookie, which changes at every login.
    """
    cookie = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    if not cookie:
        return ""
    return salted_hmac("parlour.sent-form.browser", cookie, algorithm="sha256").hexdigest()


def _claim(request: HttpRequest, digest: str) -> tuple[SentForm, bool]:
    """Return the row of a form, and whether this request is the one that must process it."""
    if (known := SentForm.objects.filter(digest=digest).first()) is not None:
        return known, False
    user = user_of(request)
    with transaction.atomic():
        sent, is_first = SentForm.objects.get_or_create(
            digest=digest, defaults={"user": user, "browser": _browser(request)}
        )
        if is_first:
            SentForm.objects.filter(at__lt=timezone.now() - KEPT_FOR).delete()
    return sent, is_first


def _is_sender(request: HttpRequest, sent: SentForm) -> bool:
    if request.user.is_authenticated:
        return sent.user_id == request.user.pk
    same_browser = bool(sent.browser) and sent.browser == _browser(request)
    return same_browser and (sent.user_id is None or sent.logs_in)


def _again(request: HttpRequest, sent: SentForm) -> HttpResponseBase | None:
    """Repeat the response to the first submission.

    If the browser never received the response that logged it in, log it in now.
    """
    if sent.logs_in and sent.user is not None and not request.user.is_authenticated:
        login(request, sent.user, backend=BACKEND)
    if sent.location:
        return HttpResponseRedirect(sent.location)
    request.is_repeat = True  # type: ignore[attr-defined]
    return None


def _note_answer(sent: SentForm, request: HttpRequest, response: HttpResponseBase) -> None:
    """Store where the response redirects. If the form was not processed, allow it to be sent again.

    After a server error the form may have been processed, so it stays claimed.
    """
    location = response.headers.get("Location", "")
    if location or response.status_code == 201:
        sent.user = user_of(request)
        sent.location, sent.done = location, True
        sent.save()
    elif response.status_code != UNKNOWN:
        sent.delete()


def _under_way(request: HttpRequest) -> HttpResponse:
    text = gettext(
        "This form was already sent, and we do not know the result yet. It will not be "
        "processed twice. Wait a few seconds, then check whether it worked."
    )
    context = {"heading": gettext("Sent already"), "text": text}
    return render(request, "error.html", context, status=409)
