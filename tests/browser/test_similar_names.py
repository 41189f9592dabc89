"""People whose names begin alike are told apart on the buttons of a phone."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.kit.browser import PHONE, open_table
from tests.kit.staged import Staged, put

pytestmark = pytest.mark.django_db(transaction=True)

ALIKE = ("Christian", "Christina", "Christoph", "Christine", "Christel", "Christiane", "Chris")
READ = """where => [...document.querySelectorAll(where)].map((one) => {
  const head = one.querySelector(".cut > i");
  if (!head) return one.textContent.trim();
  const [name, box] = [head.parentElement, one.getBoundingClientRect()];
  const right = name.getBoundingClientRect().right;
  if (name.scrollWidth > name.clientWidth + 1 || right > box.right + 1) return "cut";
  return `${head.textContent[0]} ${head.nextSibling.textContent}`;
})"""


class Similar(Staged):
    """Eight people, seven of whom are called much the same."""

    names = (*ALIKE, "Bo", "Ann", "Cleo")


@pytest.mark.parametrize(
    ("game", "buttons"),
    [("chamber", ".others .aimed"), ("secret_hitler", "#actions .choices button")],
)
def test_similar_names_are_told_apart(person: Callable[..., Page], game: str, buttons: str) -> None:
    page = person(PHONE)
    open_table(page, "Ann", game)
    moments = Similar(game, players=8).moments(examples=(1,))
    mine = next(
        one
        for one in moments
        if one.eyes == "mine" and one.phase in ("turn", "nominate") and one.regions["actions"]
    )
    put(page, mine.regions)
    named = page.evaluate(READ, buttons)
    assert len(set(named)) == len(named) == 7, named
    assert "cut" not in named
