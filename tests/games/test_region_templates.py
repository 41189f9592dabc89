"""Region templates have separate texts for each language and are compiled only once."""

from __future__ import annotations

from typing import Any

import pytest

from games.pages import templating
from tests.kit.repository import templates


def test_templates_import_macros_without_context() -> None:
    remade = [
        str(path) for path in templates() if "with context %}" in path.read_text(encoding="utf-8")
    ]
    assert remade == []


class Made(dict[str, str]):
    """A fake catalogue that translates each sentence by adding the language's name to it."""

    def __missing__(self, message: str) -> str:
        return f"{self['name']}: {message}"


def test_every_language_has_its_own_text(monkeypatch: pytest.MonkeyPatch) -> None:
    def made(language: str) -> Any:
        words = Made(name=language)
        words.plural = None  # type: ignore[attr-defined]
        return words

    monkeypatch.setattr(templating, "catalogue", made)
    for language in ("aa", "bb"):
        figures: Any = templating.environment.__wrapped__(language).get_template(
            "chamber/figures.html.jinja"
        )
        assert figures.module.BRIEFLY["skip"] == f"{language}: a player"
        assert figures.module is figures.module
