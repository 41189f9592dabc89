"""The word filter: finds blocked words regardless of case, even in look-alike letters."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set
from functools import lru_cache
from itertools import groupby

from accounts.likeness import skeleton
from accounts.word_filter import WordFilter

MARKS_AT_ONCE = 4
"""Maximum combining marks per letter. No script needs more, and more would cover other lines."""

_DIGITS_FOR_LETTERS = str.maketrans("0156|", "oisbl")
_WORD = re.compile(r"[^\W_]+")


def is_unwanted(*texts: str) -> bool:
    """Whether any of these texts contains a word or phrase that the site's word filter blocks."""
    unwanted: set[str] = set()
    for words in WordFilter.objects.values_list("words", flat=True):
        unwanted |= _forms_of_all(words)
    return bool(unwanted) and any(_has(form, unwanted) for t in texts for form in _forms(t))


@lru_cache(maxsize=4)
def _forms_of_all(words: str) -> frozenset[str]:
    return frozenset(form for line in words.splitlines() for form in _forms(line)) - {""}


def _forms(text: str) -> set[str]:
    """Return the forms to compare: as written, in lower case, and with digits read as letters."""
    small = text.casefold()
    return {_folded(each) for each in (text, small, small.translate(_DIGITS_FOR_LETTERS))}


def _folded(text: str) -> str:
    """Return the words of a text for comparison, separated by one space.

    Marks, invisible characters and case are removed. Look-alike characters become equal.
    """
    looks = skeleton(unicodedata.normalize("NFKC", text)).casefold()
    decomposed = unicodedata.normalize("NFD", looks)
    plain = "".join(c for c in decomposed if unicodedata.category(c) not in ("Mn", "Cf"))
    return " ".join(_WORD.findall(plain))


def calm(text: str) -> str:
    """Return the text without excess combining marks."""
    heaps = (list(some) for _is, some in groupby(text, _is_mark))
    return "".join("".join(h[:MARKS_AT_ONCE] if _is_mark(h[0]) else h) for h in heaps)


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me")


def _has(text: str, unwanted: Set[str]) -> bool:
    padded = f" {text} "
    return any(f" {words} " in padded for words in unwanted)
