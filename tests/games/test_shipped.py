"""Games that ship with Parlour have everything that is optional for other games."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from games.pages.templating import has_own_look
from games.registry import GAMES
from tests.kit.corpus import stored
from tests.kit.repository import ROOT
from tests.kit.shipped import SHIPPED


def parts(slug: str) -> Iterator[tuple[str, bool]]:
    """Yield what a shipped game must have, and whether it has it."""
    presets = [one.key for one in GAMES[slug].telling.presets]
    static = ROOT / f"games/{slug}/web/static"
    yield "presets official, party and quick", presets == ["official", "party", "quick"]
    yield "art.html.jinja, with the pictures of a turn", has_own_look(slug, "art")
    yield "moment.html.jinja, with drawings over the scene", has_own_look(slug, "moment")
    yield "poster.svg", (static / "poster.svg").is_file()
    yield "og.png (python -m tests.posters)", (static / "og.png").is_file()
    yield f"examples/{slug}_bot.py", (ROOT / f"examples/{slug}_bot.py").is_file()
    in_corpus = slug in {path.stem for path in stored()}
    yield f"stored match (python -m tests.kit.corpus NAME {slug})", in_corpus


@pytest.mark.parametrize("slug", SHIPPED)
def test_shipped_game_has_every_optional_part(slug: str) -> None:
    missing = [name for name, is_there in parts(slug) if not is_there]
    assert not missing, f"{GAMES[slug].name} lacks: {'; '.join(missing)}"
