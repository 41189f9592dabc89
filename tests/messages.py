"""`make messages`: update every catalogue from the sentences in the code, and list its gaps
(docs/translate.md)."""

from __future__ import annotations

import re
import sys

import polib

from tests.kit.messages import Found, Message, gaps, messages, of_entry
from tests.kit.served import ROOT

CATALOGUES = ROOT / "locale"
BORROWED = ("django", "allauth")
"""Packages whose sentences a catalogue may override, recognized by an entry's location."""


def main(languages: list[str]) -> int:
    """Create or update the catalogues of these languages, or of all. Return 1 if one has gaps."""
    found, missing = messages(), 0
    for language in languages or sorted(path.name for path in CATALOGUES.iterdir()):
        path = CATALOGUES / language / "LC_MESSAGES" / "django.po"
        catalogue = polib.pofile(str(path), wrapwidth=100) if path.exists() else begun(language)
        update(catalogue, found)
        path.parent.mkdir(parents=True, exist_ok=True)
        catalogue.save(str(path))
        lacking = gaps(catalogue, found)
        missing += len(lacking)
        print(f"{path.relative_to(ROOT)}: {len(catalogue)} sentences, {len(lacking)} to translate")
        for message in lacking:
            print(f"  {found[message][0]}: {message.id!r}")
    return int(missing > 0)


def begun(language: str) -> polib.POFile:
    """Return an empty catalogue. Its translator writes the header, with the plural forms."""
    catalogue = polib.POFile(wrapwidth=100)
    catalogue.metadata = {
        "Project-Id-Version": "Parlour",
        "Language": language,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=UTF-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": "nplurals=2; plural=(n != 1);",
    }
    return catalogue


def update(catalogue: polib.POFile, found: Found) -> None:
    """Add new messages in the order of the files. Drop messages that are no longer used."""
    known = {of_entry(entry): entry for entry in catalogue}
    borrowed = [entry for entry in catalogue if is_borrowed(entry)]
    catalogue[:] = [_entry(known.get(one), one, files) for one, files in found.items()]
    catalogue.extend(entry for entry in borrowed if of_entry(entry) not in found)
    forms = re.search(r"nplurals=(\d+)", catalogue.metadata.get("Plural-Forms", ""))
    for entry in (entry for entry in catalogue if entry.msgid_plural):
        for form in range(int(forms[1]) if forms else 2):
            entry.msgstr_plural.setdefault(form, "")


def is_borrowed(entry: polib.POEntry) -> bool:
    """Return whether an entry overrides a sentence of a package we use."""
    return any(where.split(".")[0] in BORROWED for where, _line in entry.occurrences)


def _entry(known: polib.POEntry | None, message: Message, files: list[str]) -> polib.POEntry:
    entry = known or polib.POEntry(msgid=message.id)
    if known is None and message.context:
        entry.msgctxt = message.context
    if known is None and message.plural:
        entry.msgid_plural = message.plural
    entry.obsolete = False
    entry.occurrences = [(where, "") for where in files]
    return entry


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
