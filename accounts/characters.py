"""Visible and invisible characters of a text, by their Unicode properties.

The properties come from `regex`, so they do not depend on the Unicode version of Python.
"""

from __future__ import annotations

import idna
import regex

# Unicode calls these letters, marks or symbols, but every font draws them as empty space.
_BLANK = (
    r"[\u2800\U0001D159\U00016FE4"  # Braille blank, null notehead, Khitan filler
    r"\p{Block=Egyptian_Hieroglyph_Format_Controls}\p{Block=Specials}"
    r"\p{Default_Ignorable_Code_Point}]"
)
# An emoji is written with characters that are invisible anywhere else (UTS 51, ED-15a and ED-16).
_PICTURE = (
    r"\p{Extended_Pictographic}(?:\p{Emoji_Modifier}|[\uFE0E\uFE0F])?"
    r"(?:[\U000E0030-\U000E0039\U000E0061-\U000E007A]{1,6}\U000E007F)?"
)
_EMOJI = (
    r"\p{Regional_Indicator}{2}|[0-9#*]\uFE0F\u20E3"
    rf"|{_PICTURE}(?:\u200D{_PICTURE})*"
)
# Variants of one Chinese character, as used in Japanese names, and of Mongolian letter forms.
_VARIANT = r"\p{Han}[\uFE00-\uFE02\U000E0100-\U000E01EF]|\p{Mongolian}[\u180B-\u180D\u180F]"

_RUN = regex.compile(
    rf"(?:{_EMOJI}|{_VARIANT}|(?!{_BLANK})[\p{{L}}\p{{M}}\p{{N}}\p{{P}}\p{{S}} ])+"
)
_NAMING = regex.compile(rf"{_EMOJI}|(?!{_BLANK})[\p{{L}}\p{{N}}]")
_VISIBLE = regex.compile(rf"{_EMOJI}|(?!{_BLANK})[\p{{L}}\p{{Mc}}\p{{N}}\p{{P}}\p{{S}}]")
_SPACES = regex.compile(r"\p{Zs}+")
_IGNORABLE = regex.compile(r"\p{Default_Ignorable_Code_Point}")
_UNASSIGNED = regex.compile(rf"(?!{_BLANK})\p{{Cn}}")
_JOINERS = "\u200c\u200d"


def first_hidden(text: str) -> str:
    """Return the first character that is invisible at its position, or "" if there is none.

    U+200C and U+200D are allowed if the spelling of a script needs them (RFC 5892, CONTEXTJ).
    """
    at = 0
    while at < len(text):
        if found := _RUN.match(text, at):
            at = found.end()
        elif is_spelling(text, at):
            at += 1
        else:
            return text[at]
    return ""


def without_hidden(text: str) -> str:
    """Return the text without the characters that `first_hidden` finds.

    Characters newer than Parlour's Unicode data are kept: another device may have a font for them.
    """
    kept, at = [], 0
    while at < len(text):
        found = _RUN.match(text, at) or _UNASSIGNED.match(text, at)
        end = found.end() if found else at + 1
        if found or is_spelling(text, at):
            kept.append(text[at:end])
        at = end
    return "".join(kept)


def is_spelling(text: str, at: int) -> bool:
    """Whether the character at this position is a joiner that the spelling of its word requires."""
    return text[at] in _JOINERS and bool(idna.valid_contextj(text, at))


def can_name(text: str) -> bool:
    """Whether a text has a visible letter, digit or emoji."""
    return _NAMING.search(text) is not None


def is_seen(text: str) -> bool:
    """Whether a text has any visible character, including punctuation."""
    return _VISIBLE.search(text) is not None


def one_space(text: str) -> str:
    """Return the text with each run of spaces replaced by one space, as pages show it."""
    return str(_SPACES.sub(" ", text)).strip(" ")


def without_ignorable(text: str) -> str:
    """Return the text without Unicode's default-ignorable characters."""
    return str(_IGNORABLE.sub("", text))
