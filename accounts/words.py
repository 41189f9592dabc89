"""Words a site does not want: found in a text whatever their case, and in look-alike letters."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby

from accounts.word_filter import WordFilter

# Letters of other scripts that look like Latin ones in common typefaces.
LOOKS_LIKE = str.maketrans(
    {
        **dict(zip("аеорсухіјѕԁԛԝһɡӏѵү", "aeopcyxijsdqwhglvy", strict=True)),
        **dict(zip("αονιρτυκχ", "aoviptukx", strict=True)),
        **dict(zip("вкмнт", "bkmht", strict=True)),
        **dict(zip("ᴀʙᴄᴅᴇɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢɑɩǀ", "abcdeghijklmnoprstuvwyzaii", strict=True)),
        **dict(zip("օսոհ", "ounh", strict=True)),
        **dict(zip("0156|", "oisbl", strict=True)),
        "ı": "i",
        "l": "i",
    }
)

# Greek capitals do, too, where what they look like is not what their small letters look like.
_CAPITALS = str.maketrans(dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX", strict=True)))
_GREEK = re.compile("[\u0370-\u03ff]")

BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
"""Characters that are seen as little as a space, though Unicode takes them for letters or marks."""
MARKS_AT_ONCE = 4
"""No script needs more marks on one letter; more of them run over the lines around."""

_WORD = re.compile(r"[^\W_]+")


def is_unwanted(*texts: str) -> bool:
    """Whether any of these texts has a word, or a phrase, of the list of this site."""
    lists = WordFilter.objects.values_list("words", flat=True)
    unwanted = frozenset[str]().union(*map(_folded_lines, lists))
    return bool(unwanted) and any(_has(folded(text), unwanted) for text in texts)


@lru_cache(maxsize=2)
def _folded_lines(words: str) -> frozenset[str]:
    """The list of a site as it is compared; folded once, not for every text."""
    return frozenset(folded(line) for line in words.splitlines()) - {""}


def folded(text: str) -> str:
    """The words of a text with one space between them, as they are compared.

    Marks, invisible characters and case are gone; letters and digits that look alike are one.
    """
    plain = "".join(c for c in alike(text) if unicodedata.category(c) != "Mn")
    return " ".join(_WORD.findall(plain))


def alike(text: str) -> str:
    """A text by what it looks like: two that could be taken for each other are equal."""
    text = unicodedata.normalize("NFKD", text)
    if {ord(c) for c in _GREEK.findall(text)} <= set(_CAPITALS):  # (not in Greek words)
        text = text.translate(_CAPITALS)
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in decomposed if not _is_unseen(c))
    # Twice: what looks like an l looks like an i.
    return plain.translate(LOOKS_LIKE).translate(LOOKS_LIKE)


def calm(text: str) -> str:
    """The text without marks that are heaped on each other."""
    heaps = (list(some) for _is, some in groupby(text, _is_mark))
    return "".join("".join(h[:MARKS_AT_ONCE] if _is_mark(h[0]) else h) for h in heaps)


def is_seen(text: str) -> bool:
    """Whether there is anything to see in a text."""
    return any(not (c.isspace() or _is_mark(c) or _is_unseen(c)) for c in text)


def _is_mark(letter: str) -> bool:
    return unicodedata.category(letter) in ("Mn", "Me")


def _is_unseen(letter: str) -> bool:
    """What changes nothing in how a text looks, or next to nothing."""
    selects = "\ufe00" <= letter <= "\ufe0f" or "\U000e0100" <= letter <= "\U000e01ef"
    hidden = selects or letter in BLANK or unicodedata.category(letter) == "Cf"
    return hidden or unicodedata.combining(letter) != 0


def _has(text: str, unwanted: frozenset[str]) -> bool:
    padded = f" {text} "
    return any(f" {words} " in padded for words in unwanted)
