"""Compare names: equal names, and names that look alike."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import resources

from accounts.characters import without_ignorable

LONGEST_KEY = 80
"""Maximum characters of a key. A longer key is replaced with its hash."""


def login_key(name: str) -> str:
    """Return the case-insensitive lookup key of a name: its NFKC_Casefold form."""
    folded = without_ignorable(name)
    for _round in range(2):  # one pass may leave something to fold (Unicode, D146)
        folded = unicodedata.normalize("NFKC", folded.casefold())
    return _bounded(" ".join(folded.split()))


def looks_key(name: str) -> str:
    """Return a key that is equal for names that could be mistaken for each other.

    The skeleton is made before case is folded: a capital I looks like an l, a small i does not.
    Spaces are ignored, because BobSmith and Bob Smith are easily confused.
    """
    return _bounded("".join(skeleton(name).casefold().split()))


def keys(name: str) -> frozenset[tuple[str, str]]:
    """Return the keys of a name. Names that have a key in common are too much alike."""
    return frozenset({("login", login_key(name)), ("looks", looks_key(name))})


def keys_of(names: Iterable[str]) -> set[tuple[str, str]]:
    """Return the keys of several names, as one set."""
    return {key for name in names for key in keys(name)}


def are_alike(name: str, other: str) -> bool:
    """Whether two names differ only in case, or look the same."""
    return not keys(name).isdisjoint(keys(other))


def skeleton(text: str) -> str:
    """Return the skeleton of a text by UTS 39: one form for all texts that look the same."""
    decomposed = without_ignorable(unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", decomposed.translate(_prototypes()))


@cache
def _prototypes() -> dict[int, str]:
    """Return Unicode's table of confusable characters, which maps each character to its prototype.

    The data of `homoglyphs_fork` lists each pair in both directions. The prototype is the character
    that several others are confused with.
    """
    source = resources.files("homoglyphs_fork") / "confusables.json"
    pairs: dict[str, set[str]] = {}
    for one, others in json.loads(source.read_text(encoding="utf-8")).items():
        found = pairs.setdefault(without_ignorable(one), set())
        found.update(without_ignorable(other) for other in others)
    table = {ord(one): min(others) for one, others in pairs.items() if _is_source(one, pairs)}
    return {one: other.translate(table) for one, other in table.items()}


def _is_source(one: str, pairs: dict[str, set[str]]) -> bool:
    others = pairs[one]
    if len(one) != 1 or len(others) != 1:
        return False
    (other,) = others
    return len(other) != 1 or len(pairs.get(other, ())) > 1 or other < one


def _bounded(key: str) -> str:
    return key if len(key) <= LONGEST_KEY else hashlib.sha256(key.encode()).hexdigest()
