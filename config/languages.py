"""The languages that are offered: English, and every other whose catalogue is complete.

A catalogue is `locale/<code>/LC_MESSAGES/django.po` with its compiled `django.mo`. Half a language
is worse than none: with `lang="de"` over English sentences nobody understands a screen reader.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import polib
from django.conf.locale import LANG_INFO

ENGLISH = ("en", "English")  # what the sentences in the code are written in


def offered(locale: Path) -> list[tuple[str, str]]:
    """Code and own name of each language that can be chosen, English first."""
    return [ENGLISH, *_complete(locale)]


def _complete(locale: Path) -> Iterator[tuple[str, str]]:
    for catalogue in sorted(locale.glob("*/LC_MESSAGES/django.po")):
        code = catalogue.parent.parent.name.lower().replace("_", "-")
        if is_complete(catalogue):
            yield code, LANG_INFO[code]["name_local"].capitalize() if code in LANG_INFO else code


def is_complete(catalogue: Path) -> bool:
    """Whether no entry is missing or fuzzy, and all of them are compiled."""
    compiled = catalogue.with_suffix(".mo")
    entries = [entry for entry in polib.pofile(str(catalogue)) if not entry.obsolete]
    if not entries or not compiled.exists():
        return False
    known = {entry.msgid for entry in polib.mofile(str(compiled))}
    return all(entry.translated() and entry.msgid in known for entry in entries)
