"""The languages on offer: English, and every language with a complete catalogue.

A catalogue is only `locale/<code>/LC_MESSAGES/django.po`. The first process that finds it complete
compiles it into the data folder. Incomplete languages are not offered, because screen readers would
read English sentences on a page with `lang="de"` in German pronunciation.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from pathlib import Path
from typing import NamedTuple

import polib
from django.conf.locale import LANG_INFO

ENGLISH = ("en", "English")  # the language of the source strings
INSIDE = Path("LC_MESSAGES")


class Offer(NamedTuple):
    """Code and native name of each language, English first, and the folders with compiled
    catalogues.
    """

    languages: list[tuple[str, str]]
    folders: list[Path]


def offered(sources: Path, compiled: Path) -> Offer:
    """Compile the complete catalogues in `sources` into folders under `compiled`.

    Return their languages, with English first.

    Compiled folders are named by a hash of their source, so a new version of Parlour never reads an
    old catalogue. If the compiled catalogue cannot be written, the language is not offered.
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
    """Whether the catalogue has no missing or fuzzy entries."""
    entries = [entry for entry in catalogue if not entry.obsolete]
    return bool(entries) and all(entry.translated() for entry in entries)


def _with_name(code: str) -> tuple[str, str]:
    return code, LANG_INFO[code]["name_local"].capitalize() if code in LANG_INFO else code


def _is_compiled(text: bytes, wanted: Path) -> bool:
    """Compile a catalogue if it is complete. Return whether its compiled form exists."""
    if wanted.exists():
        return True
    try:
        catalogue = polib.pofile(text.decode())
    except (OSError, ValueError):  # not a catalogue (polib raises OSError), or not UTF-8
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
    """Write the file atomically, because several processes may start at once."""
    handle, name = tempfile.mkstemp(dir=wanted.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(binary)
    os.chmod(name, 0o644)
    os.replace(name, wanted)
