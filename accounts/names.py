"""Names people are called by: what is allowed, and when two are too much alike."""

import unicodedata
from typing import Any

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.bounded import TooLarge, normalized
from accounts.words import BLANK, alike, calm, is_seen, is_unwanted

LONGEST = 20
FORMER = "former player"
"""What somebody who is erased was called, in the matches of others; nobody else is."""

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

SENTENCES: dict[str, Any] = {
    "UsernameTaken": _("That name is taken, or looks too much like another."),
    "UsernameTooLong": _("Names have at most 20 characters."),
    "UsernameInvalid": _(
        "Names need at least one visible character, and can't contain line breaks or blocked words."
    ),
    "UsernameIsMail": _("User names can't contain @."),
}


class BadName(ValueError):
    """The name cannot be used; `args[0]` is a key of SENTENCES."""

    @property
    def sentence(self) -> str:
        """Why, for the person who chose the name."""
        return str(SENTENCES[self.args[0]])


def clean_name(name: str) -> str:
    """The name trimmed and in NFC. Raise BadName."""
    try:
        name = normalized(name, LONGEST).strip()
    except TooLarge:
        raise BadName("UsernameTooLong") from None
    if len(name) > LONGEST:
        raise BadName("UsernameTooLong")
    if not is_seen(name) or not is_shown(name) or calm(name) != name:
        raise BadName("UsernameInvalid")
    if is_unwanted(name):
        raise BadName("UsernameInvalid")
    if name_key(name).startswith(name_key(FORMER)):
        raise BadName("UsernameTaken")
    return name


def is_shown(text: str) -> bool:
    """Whether every character is one that is seen, in one line, in the order it is written."""
    hidden = (unicodedata.category(letter) in _HIDDEN or letter in BLANK for letter in text)
    return not any(hidden)


def clean_user_name(name: str) -> str:
    """The name as one to log in with. Raise BadName, also for `UsernameIsMail`."""
    name = clean_name(name)
    if "@" in name:
        raise BadName("UsernameIsMail")
    return name


def valid_user_name(name: str) -> None:
    """A validator for forms of the back office. Raise ValidationError.

    Longer than a shown name it may be: guests and scripts have such user names.
    """
    if not name or not is_shown(name):
        raise ValidationError(SENTENCES["UsernameInvalid"])


def name_key(name: str) -> str:
    """What two names share when one could be taken for the other."""
    key = "".join(alike(name).split())
    return (key or name.casefold())[:80]
