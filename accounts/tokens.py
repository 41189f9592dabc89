"""Access tokens of programs: shown once, stored as hashes, revocable at any time."""

from __future__ import annotations

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from datetime import timedelta

from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import Token, User

MOST = 20
"""Maximum tokens per user."""
USED_EVERY = timedelta(minutes=1)


class TooMany(Exception):
    """The user already has the maximum number of tokens."""


def make(user: User, name: str = "", days: int | None = 30, form: str = "") -> str:
    """Create a token that is valid for `days` days, or until it is revoked if `days` is None. Raise
    TooMany if the user has the maximum number of tokens.

    `form` is the form token of the request, for `made_by`.
    """
    if form and (made := made_by(user, form)):
        return made
    if user.tokens.count() >= MOST:
        raise TooMany
    token = _of_form(user, form) if form else _drawn()
    expires = None if days is None else timezone.now() + timedelta(days=days)
    Token.objects.create(user=user, name=name, digest=digest(token), expires_at=expires)
    return token


def made_by(user: User, form: str) -> str:
    """Return the token that this form has created, so that a repeated submission can show it again.

    Return "" if the token was revoked.
    """
    token = _of_form(user, form)
    return token if user.tokens.filter(digest=digest(token)).exists() else ""


def _of_form(user: User, form: str) -> str:
    """Derive a token from the form token and the secret key. Neither token is stored.

    The token starts with a letter, because commands would read a leading dash as an option.
    """
    made = salted_hmac("parlour.token", f"{user.pk}:{form}", algorithm="sha256").digest()
    return "f" + urlsafe_b64encode(made[:24]).decode()


def _drawn() -> str:
    """Return a random token without a leading dash, which commands would read as an option."""
    while (drawn := secrets.token_urlsafe(24)).startswith("-"):
        pass
    return drawn


def holder(token: str) -> User | None:
    """Return the owner of a token, or None if it is unknown or expired, or its owner is
    inactive.
    """
    held = _valid().select_related("user").filter(digest=digest(token)).first()
    if held is None:
        return None
    note_use([held.digest])
    return held.user


def still_valid(digests: Iterable[str]) -> set[str]:
    """Return the digests whose tokens are still valid."""
    return set(_valid().filter(digest__among=digests).values_list("digest", flat=True))


def note_use(digests: Iterable[str]) -> None:
    """Update the last-used time of these tokens, at most once a minute."""
    now = timezone.now()
    stale = Q(last_used_at=None) | Q(last_used_at__lt=now - USED_EVERY)
    used = Token.objects.filter(stale, digest__among=digests)
    if used.exists():
        used.update(last_used_at=now)


def digest(token: str) -> str:
    """Return the hash that is stored for a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def _valid() -> models.QuerySet[Token]:
    in_time = Q(expires_at=None) | Q(expires_at__gt=timezone.now())
    return Token.objects.filter(in_time, user__is_active=True)
