"""Names of users: what is allowed, and why a name is refused."""

from collections.abc import Iterable, Mapping
from urllib.parse import quote, urlencode

from django.core.exceptions import ValidationError
from django.utils.translation import gettext, gettext_noop

from accounts.bounded import TooLarge, normalized
from accounts.characters import can_name, first_hidden, one_space
from accounts.likeness import are_alike, login_key, looks_key
from accounts.words import MARKS_AT_ONCE, calm, is_unwanted

LONGEST = 20
AS_TYPED = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}
"""HTML attributes of fields that must be typed exactly. Phones must not change the text."""
NAME_FIELD = {
    "autocomplete": "nickname",
    "autocapitalize": "words",
    "autocorrect": "off",
    "spellcheck": "false",
    "maxlength": LONGEST,
}
"""HTML attributes of name fields. Phones must not autocorrect names."""
FORMER = "former player"
"""Reserved name of deleted users in the matches of others."""

SENTENCES: Mapping[str, str] = {
    "UsernameTaken": gettext_noop("That name is taken. Choose another one."),
    "UsernameLookalike": gettext_noop(
        "That name looks too much like another one here. Choose a different one."
    ),
    "UsernameTooLong": gettext_noop("Names have at most 20 characters."),
    "UsernameEmpty": gettext_noop("A name needs at least one letter, digit or emoji."),
    "UsernameInvalid": gettext_noop(
        "Names can't contain line breaks or invisible characters. Remove this one: %(character)s."
    ),
    "UsernameMarks": gettext_noop("A letter can have at most %(most)s accents."),
    "UsernameReserved": gettext_noop("That name is reserved. Choose another one."),
    "UsernameBlocked": gettext_noop("That name contains a blocked word. Choose another one."),
    "UsernameRemoved": gettext_noop("A moderator removed that name. Choose another one."),
    "ProgramNameTooLong": gettext_noop("Names of programs have at most %(most)s characters."),
    "UsernameIsMail": gettext_noop("User names can't contain @."),
}
"""Reasons for refusing a name, by their codes on the wire."""


class BadName(ValueError):
    """The name cannot be used. `code` is a key of SENTENCES, and `facts` fill its placeholders."""

    def __init__(self, code: str, **facts: str | int) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts

    @property
    def sentence(self) -> str:
        """The reason, translated for the user who chose the name."""
        return gettext(SENTENCES[self.code]) % self.facts


def clean_name(name: str) -> str:
    """Return the name in NFC, trimmed, with single spaces. Raise BadName if it is not allowed."""
    try:
        name = one_space(normalized(name, LONGEST))
    except TooLarge:
        raise BadName("UsernameTooLong") from None
    if len(name) > LONGEST:
        raise BadName("UsernameTooLong")
    if hidden := first_hidden(name):
        raise _invalid(hidden)
    if not can_name(name):
        raise BadName("UsernameEmpty")
    if calm(name) != name:
        raise BadName("UsernameMarks", most=MARKS_AT_ONCE)
    if is_reserved(name):
        raise BadName("UsernameReserved")
    if is_unwanted(name):
        raise BadName("UsernameBlocked")
    return name


def is_reserved(name: str) -> bool:
    """Whether this name looks like the name of deleted users, with or without a number."""
    starts = ((key(name), key(FORMER)) for key in (login_key, looks_key))
    return any(own.startswith(reserved) for own, reserved in starts)


def clean_known_name(name: str) -> str:
    """Return a name that is already in use. Raise BadName if it contains a blocked word.

    Stricter rules apply to new names only, so nobody loses their name.
    """
    if is_unwanted(name):
        raise BadName("UsernameBlocked")
    return name


def clean_user_name(name: str) -> str:
    """Return the cleaned user name, which is used to log in.

    Raise BadName if it is not allowed, for example because it is an e-mail address
    (`UsernameIsMail`).
    """
    name = clean_name(name)
    if "@" in name:
        raise BadName("UsernameIsMail")
    return name


def valid_user_name(name: str) -> None:
    """Validate a user name in forms of the back office. Raise ValidationError if it is not allowed.

    It may be longer than a display name: guests and scripts have such user names.
    """
    if hidden := first_hidden(name):
        raise ValidationError(_invalid(hidden).sentence)
    if not can_name(name):
        raise ValidationError(BadName("UsernameEmpty").sentence)


def page_of(user_name: str) -> str:
    """Return the path of a user's public page.

    Browsers normalize `.`, `..` and `//` in a path, so a name that contains one of these is passed
    as a query parameter instead.
    """
    if {"", ".", ".."} & set(user_name.split("/")):
        return f"/people/?{urlencode({'name': user_name})}"
    return f"/people/{quote(user_name)}/"


def why_taken(name: str, others: Iterable[str]) -> str:
    """Return the code of the error if a name conflicts with these names, or else ""."""
    alike = [other for other in others if are_alike(name, other)]
    if any(login_key(name) == login_key(other) for other in alike):
        return "UsernameTaken"
    return "UsernameLookalike" if alike else ""


def _invalid(hidden: str) -> BadName:
    return BadName("UsernameInvalid", character=f"U+{ord(hidden):04X}")
