"""Check that right-to-left user text is isolated from the sentence around it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

from accounts.isolation import CLOSES, OPENS

MARK = "\u05e9"
"""A letter that only the names and texts under test contain."""
ISOLATED = re.compile(f"{OPENS}[^{CLOSES}]*{CLOSES}")
READ = frozenset({"alt", "aria-label", "content", "label", "placeholder", "title"})
"""Attributes that users see or hear. Scripts announce `data-s0` and similar ones."""
SAID = re.compile(r"data-(?:s\d+|said|result|who)")
EMPTY = frozenset(
    {"br", "circle", "col", "hr", "img", "input", "link", "meta", "path", "polyline", "rect", "use"}
)


def loose(html: str) -> list[str]:
    """Return every text and attribute in which `MARK` can reorder the text around it."""
    reader = _Reader()
    reader.feed(html)
    reader.close()
    return reader.found


def is_loose(text: str) -> bool:
    return MARK in ISOLATED.sub("", text)


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.open: list[tuple[str, bool]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if (name in READ or SAID.fullmatch(name)) and is_loose(value or ""):
                self.found.append(f"<{tag} {name}={value!r}>")
        if tag not in EMPTY:
            apart = tag in ("bdi", "script", "textarea") or ("dir", "auto") in attrs
            self.open.append((tag, apart))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if is_loose(data) and not any(apart for _tag, apart in self.open):
            at = self.open[-1][0] if self.open else "text"
            self.found.append(f"<{at}>{data.strip()}")
