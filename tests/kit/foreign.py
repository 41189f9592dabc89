"""Untranslated text on a page: words of English sentences that no translation contains."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from html.parser import HTMLParser

import polib

from games.cards.rules.packs import BUILT_IN
from games.registry import GAMES
from tests.kit.messages import messages
from tests.messages import CATALOGUES

WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
PLACE = re.compile(r"%\(\w+\)[sd]|<[^>]*>|https?://\S+")
SAID = re.compile(
    r"aria-label|title|placeholder|alt|data-s\d+|data-(?:lost|gone|out|much|turn|done)"
)
"""Attributes that users see or hear."""
LANGUAGES = sorted(path.name for path in CATALOGUES.iterdir())
NOT_SAID = {"script", "style", "code", "pre"}
VOID = {
    "area",
    "br",
    "col",
    "hr",
    "img",
    "input",
    "link",
    "meta",
    "source",
    "use",
    "path",
    "circle",
}
OURS = sorted({game.name for game in GAMES.values()} | {"Parlour"}, key=len, reverse=True)


@cache
def foreign_words(language: str) -> frozenset[str]:
    """Return the words that show that a text is not in this language.

    On English pages, these are words that occur only in translations. On other pages, these are
    words of English sentences that the translation does not contain. Words of card texts in this
    language are never included, and on English pages those of any language.
    """
    asked, said = _words(_asked()), {one: _words(_said(one)) for one in LANGUAGES}
    if language == "en":
        return _longer(set().union(*said.values()) - asked - _words(_cards(*LANGUAGES)))
    return _longer(asked - said[language] - _words(_cards(language)))


def _longer(words: set[str]) -> frozenset[str]:
    return frozenset(word for word in words if len(word) > 1)


def _asked() -> Iterator[str]:
    for message in messages():
        yield from (message.id, message.plural)


def _said(language: str) -> Iterator[str]:
    for one in polib.pofile(str(CATALOGUES / language / "LC_MESSAGES" / "django.po")):
        yield from (one.msgstr, *one.msgstr_plural.values())


def _cards(*languages: str) -> Iterator[str]:
    for pack in BUILT_IN.values():
        if pack.language in languages:
            yield from (card.text for card in (*pack.prompts, *pack.answers))


def foreign(html: str, language: str, names: Iterable[str] = ()) -> list[str]:
    """Return the texts of this HTML that contain a foreign word other than these names."""
    words = foreign_words(language)
    without = re.compile("|".join(map(re.escape, (*names, *OURS))))
    return [text for text in texts(html, language) if words & _words([without.sub(" ", text)])]


@lru_cache(maxsize=4000)
def texts(html: str, language: str) -> list[str]:
    """Return the text that people read or hear in this HTML.

    Leave out text marked as another language and text written by users.
    """
    reader = _Texts(language)
    reader.feed(html)
    return [" ".join(text.split()) for text in reader.found if text.strip()]


def _words(sentences: Iterable[str]) -> set[str]:
    return {
        word.lower() for sentence in sentences for word in WORD.findall(PLACE.sub(" ", sentence))
    }


class _Texts(HTMLParser):
    def __init__(self, language: str) -> None:
        super().__init__()
        self.language, self.found = language, list[str]()
        self.open: list[tuple[str, bool]] = []
        """Track open elements, and whether their content is skipped."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        skipped = self._is_skipped() or self._is_apart(tag, given)
        if not skipped:
            self.found += [value for name, value in attrs if value and SAID.fullmatch(name)]
        if tag not in VOID:
            self.open.append((tag, skipped))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not self._is_skipped():
            self.found.append(data)

    def _is_skipped(self) -> bool:
        return bool(self.open) and self.open[-1][1]

    def _is_apart(self, tag: str, given: dict[str, str | None]) -> bool:
        lang = given.get("lang")
        return (
            tag in NOT_SAID
            or given.get("dir") == "auto"
            or (lang or self.language) != self.language
        )
