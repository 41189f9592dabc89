"""What may be said, how often, and who reads it: the audience of each message is given to us."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from accounts.bounded import TooLarge, normalized
from accounts.words import calm, is_unwanted
from chat.models import Message

LONGEST = 500
KEPT_AT_HAND = 50
READ_AT_ONCE = 2 * KEPT_AT_HAND

_HIDDEN = {"Cc", "Cs", "Zl", "Zp"}
_TURNS_AROUND = set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


class BadMessage(ValueError):
    """A text that cannot be posted."""


def plain(text: str, longest: int) -> str:
    """Return the text trimmed, in NFC, in one line, without characters that turn the writing around
    or marks that run over other lines. Raise BadMessage if more than `longest` characters are left.
    """
    try:
        text = normalized(text, longest)
    except TooLarge:
        raise BadMessage from None
    text = " ".join(text.split())
    text = calm("".join(letter for letter in text if _shown(letter))).strip()
    if len(text) > longest:
        raise BadMessage
    return text


def clean(text: str) -> str:
    """Return what is left to be posted of a text.

    Raise BadMessage if nothing is left, if it is too long, and for unwanted words.
    """
    text = plain(text, LONGEST)
    if not text or is_unwanted(text):
        raise BadMessage
    return text


def post(
    thread: str,
    author_id: int | None,
    name: str,
    text: str,
    audience: str,
    chapter: int | None,
    claim: Mapping[str, Any] | None = None,
    after: int | None = None,
) -> Message:
    """Store a cleaned message; `after` says how much of the chapter had happened."""
    return Message.objects.create(
        thread=thread,
        author_id=author_id,
        name=name,
        text=text,
        audience=audience,
        chapter=chapter,
        claim=claim,
        after=after,
    )


def claims(thread: str, chapter: int) -> list[Message]:
    """Every message of a chapter that asserts something, oldest first."""
    found = Message.objects.filter(thread=thread, chapter=chapter, hidden=False)
    return list(found.exclude(claim__isnull=True))


def newest(thread: str) -> list[Message]:
    """The newest messages of a thread that were not removed, oldest first.

    Enough for every audience, however much another one talks.
    """
    shown = Message.objects.filter(thread=thread, hidden=False).order_by("-pk")
    found = list(shown[:READ_AT_ONCE])
    if len(found) == READ_AT_ONCE:
        audiences = shown.order_by().values_list("audience", flat=True).distinct()
        each = [shown.filter(audience=audience)[:READ_AT_ONCE] for audience in audiences]
        found = sorted((m for some in each for m in some), key=lambda m: m.pk, reverse=True)
    return found[::-1]


def _shown(letter: str) -> bool:
    return unicodedata.category(letter) not in _HIDDEN and letter not in _TURNS_AROUND
