"""Words a site does not want: found in a text whatever their case, and in look-alike letters."""

from __future__ import annotations

import re
import unicodedata

# Letters of other scripts that look like Latin ones in common typefaces.
LOOKS_LIKE = str.maketrans(
    {
        **dict(zip("аеорсухіјѕԁԛԝһɡ", "aeopcyxijsdqwhg", strict=True)),
        **dict(zip("αονιρτυκχ", "aoviptukx", strict=True)),
        **dict(zip("вкмнт", "bkmht", strict=True)),
        **dict(zip("0156|", "oisbl", strict=True)),
        "ı": "i",
        "l": "i",
    }
)

_WORD = re.compile(r"[^\W_]+")


def is_unwanted(*texts: str) -> bool:
    """Whether any of these texts has a word, or a phrase, of the list of this site."""
    from accounts.models import WordFilter  # (models ask for names, which ask here)

    lists = WordFilter.objects.values_list("words", flat=True)
    unwanted = {folded(line) for words in lists for line in words.splitlines()} - {""}
    return bool(unwanted) and any(_has(folded(text), unwanted) for text in texts)


def folded(text: str) -> str:
    """The words of a text with one space between them, as they are compared.

    Marks, invisible characters and case are gone; letters and digits that look alike are one.
    """
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    plain = "".join(c for c in decomposed if unicodedata.category(c) not in ("Mn", "Cf"))
    # Twice: what looks like an l looks like an i.
    alike = plain.casefold().translate(LOOKS_LIKE).translate(LOOKS_LIKE)
    return " ".join(_WORD.findall(alike))


def _has(text: str, unwanted: set[str]) -> bool:
    padded = f" {text} "
    return any(f" {words} " in padded for words in unwanted)
