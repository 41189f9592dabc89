"""The languages that are offered: English, and every other whose catalogue is complete.

A catalogue is `locale/<code>/LC_MESSAGES/django.po`, and nothing else: it is compiled where data is
kept, by the first process that finds it complete. Half a language is worse than none: with
`lang="de"` over English sentences nobody understands a screen reader.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

import polib
from django.conf.locale import LANG_INFO

ENGLISH = ("en", "English")  # what the sentences in the code are written in
INSIDE = Path("LC_MESSAGES")


class Offer(NamedTuple):
    """Code and own name of each language that can be chosen, English first; and the folders in
    which gettext finds those that are compiled."""

    languages: list[tuple[str, str]]
    folders: list[Path]


def offered(sources: Path, compiled: Path) -> Offer:
    """What there is in `sources`, compiled below `compiled`.

    A folder there is named by what it was compiled from, so a new version of Parlour never reads
    an old catalogue. A language that cannot be written there is not offered.
    """
    offer = Offer([ENGLISH], [])
    for catalogue in sorted(sources.glob(f"*/{INSIDE}/django.po")):
        code = catalogue.parent.parent.name
        text = catalogue.read_bytes()
        folder = compiled / f"{code}-{hashlib.sha256(text).hexdigest()[:16]}"
        if _is_compiled(text, folder / code / INSIDE / "django.mo"):
            offer.languages.append(_with_name(code.lower().replace("_", "-")))
            offer.folders.append(folder)
    return offer


def is_complete(catalogue: polib.POFile) -> bool:
    """Whether no entry is missing or fuzzy."""
    entries = [entry for entry in catalogue if not entry.obsolete]
    return bool(entries) and all(entry.translated() for entry in entries)


def _with_name(code: str) -> tuple[str, str]:
    return code, LANG_INFO[code]["name_local"].capitalize() if code in LANG_INFO else code


def _is_compiled(text: bytes, wanted: Path) -> bool:
    """Whether this catalogue stands here compiled, as it does from now on where it is complete."""
    if wanted.exists():
        return True
    try:
        catalogue = polib.pofile(text.decode())
    except (OSError, ValueError):  # polib's word for what is no catalogue; not UTF-8
        return False
    if not is_complete(catalogue):
        return False
    try:
        wanted.parent.mkdir(parents=True, exist_ok=True)
        _write(wanted, catalogue.to_binary())
    except OSError:
        return False
    return True


def _write(wanted: Path, binary: bytes) -> None:
    """Write it as a whole: several processes start at once."""
    handle, name = tempfile.mkstemp(dir=wanted.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(binary)
    os.chmod(name, 0o644)
    os.replace(name, wanted)
