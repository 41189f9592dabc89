"""Similar names are distinguishable on a phone: at seats, on buttons, at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from games.registry import GAMES
from tests.kit.browser import PHONE, SMALLEST, open_table
from tests.kit.staged import Staged, each

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ALIKE = (
    *("Christian", "Christina", "Christoph", "Christopher"),
    *("Christine", "Chris", "Kristina", "Christa"),
)
SHOWN = """names => {
  const drawn = (one) => one.checkVisibility({ visibilityProperty: true }) && one.offsetWidth > 2;
  const wide = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return range.getBoundingClientRect();
  };
  // The letters of a text that are not clipped by what holds it, nor covered by its ellipsis.
  const seen = (text) => {
    let [left, right] = [-Infinity, Infinity];
    for (let one = text.parentElement; one; one = one.parentElement) {
      const style = getComputedStyle(one);
      if (style.overflowX === "visible" || style.display === "inline") continue;
      const box = one.getBoundingClientRect();
      const dots = style.textOverflow === "ellipsis" && one.scrollWidth > one.clientWidth;
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = style.font;
      const ellipsis = dots ? pen.measureText("…").width : 0;
      left = Math.max(left, box.left + parseFloat(style.paddingLeft));
      right = Math.min(right, box.right - parseFloat(style.paddingRight) - ellipsis);
    }
    return [...text.data].filter((_, at) => {
      const range = document.createRange();
      range.setStart(text, at);
      range.setEnd(text, at + 1);
      const box = range.getBoundingClientRect();
      return box.left >= left - 1 && box.right <= right + 1;
    }).join("");
  };
  const texts = (one) => {
    const walk = document.createTreeWalker(one, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walk.nextNode()) found.push(walk.currentNode);
    return found.filter((text) => text.data.trim() && drawn(text.parentElement));
  };
  // What holds one name: where a name is in two parts, their element.
  const holds = (one) => {
    const part = one.closest(".cut");
    return part ? part.textContent : one.childElementCount ? "" : one.textContent.trim();
  };
  const groups = [...document.querySelectorAll(".seats, .finish, #actions .choices")];
  const people = (group) => {
    return group.matches(".finish") ? group.querySelectorAll("li") : group.children;
  };
  return groups.map((group) => [group.classList[0], [...people(group)].map((one) => {
    const named = texts(one).filter((text) => names.includes(holds(text.parentElement)));
    return named.map(seen).join("…");
  }).filter(Boolean)]);
}"""


class Similar(Staged):
    """Eight people with similar names."""

    names = (*ALIKE, "Ann", "Bo")


@pytest.mark.parametrize("game", GAMES)
def test_similar_names_are_distinguishable(person: Callable[..., Page], game: str) -> None:
    page = person(PHONE)
    open_table(page, "Ann", game)
    players = min(8, GAMES[game].seats[1])
    met = Counter[str]()
    moments = list(Similar(game, players=players).moments(examples=(1,)))
    for moment, size, groups in each(page, moments, (PHONE, SMALLEST), SHOWN, ALIKE):
        for group, names in groups:
            assert len(set(names)) == len(names), (moment.kind, size, names)
            assert group == "choices" or len(names) in (0, players), (moment.kind, size, names)
            met[group] += len(names) > 1
    assert met["seats"]
    assert met["finish"]
    assert met["choices"] or game not in ("chamber", "secret_hitler")
