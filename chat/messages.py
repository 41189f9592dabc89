"""Cleaning, storing and reading chat messages. The caller decides the audience of each message."""

from collections.abc import Mapping
from typing import Any

from accounts.bounded import TooLarge, normalized
from accounts.characters import is_seen, without_hidden
from accounts.words import calm, is_unwanted
from chat.models import Message

LONGEST = 500
KEPT_AT_HAND = 50
READ_AT_ONCE = 2 * KEPT_AT_HAND


class BadMessage(ValueError):
    """A text that cannot be posted. `code` gives the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def plain(text: str, longest: int) -> str:
    """Return the text in NFC, trimmed and on one line.

    Hidden characters and marks that run over other lines are removed. A text without a visible
    character becomes "". Raise BadMessage if more than `longest` characters are left.
    """
    try:
        text = normalized(text, longest)
    except TooLarge:
        raise BadMessage("too_long") from None
    text = " ".join(text.split())
    text = calm(without_hidden(text)).strip()
    if len(text) > longest:
        raise BadMessage("too_long")
    return text if is_seen(text) else ""


def clean(text: str) -> str:
    """Return a text cleaned for posting.

    Raise BadMessage if nothing is left, or if the text is too long or contains unwanted words.
    """
    text = plain(text, LONGEST)
    if not text:
        raise BadMessage("not_visible")
    if is_unwanted(text):
        raise BadMessage("blocked_word")
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
    """Store a cleaned message. `after` is the position in the chapter at which it was sent."""
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
    """Return the visible messages of a chapter that make a claim, oldest first."""
    found = Message.objects.filter(thread=thread, chapter=chapter, hidden=False)
    return list(found.exclude(claim__isnull=True))


def newest(thread: str) -> list[Message]:
    """Return a thread's newest messages, oldest first, without removed ones.

    However many messages one audience has, enough messages for the others are included.
    """
    shown = Message.objects.filter(thread=thread, hidden=False).order_by("-pk")
    found = list(shown[:READ_AT_ONCE])
    if len(found) == READ_AT_ONCE:
        audiences = shown.order_by().values_list("audience", flat=True).distinct()
        each = [shown.filter(audience=audience)[:READ_AT_ONCE] for audience in audiences]
        found = sorted((m for some in each for m in some), key=lambda m: m.pk, reverse=True)
    return found[::-1]
