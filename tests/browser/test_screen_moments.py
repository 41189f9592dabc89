"""A big screen in a match of each game: legible, with a headline that covers nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from games.engine.snapshots import load_snapshot
from games.pages.beats import beats_region
from games.pages.templating import has_own_look, render
from games.pages.viewpoint import viewpoint_of
from games.registry import GAMES
from games.tables.loading import load
from tests.kit.acting import looks
from tests.kit.browser import open_table
from tests.kit.contrast import too_low
from tests.kit.served import as_served
from tests.kit.stage import lay_out
from tests.kit.staged import Moment, Staged, put

pytestmark = pytest.mark.slow

People = Callable[..., Page]

TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
LARGE: ViewportSize = {"width": 3840, "height": 2160}
ACTS = 40
NAMES = ".sentence, .headline, .scored, .reading, .verdict, .name, .points, figcaption, .code-large"
READY = """async () => {
  const isThere = (name) => performance.getEntriesByType("resource").some((one) => {
    return one.responseEnd && one.name.includes("/moments.") && one.name.endsWith(name);
  });
  while (!isThere(".css") || !isThere(".js")) {
    await new Promise((done) => requestAnimationFrame(done));
  }
}"""
"""Wait for the resources that are fetched after the page has loaded."""
DRAW = """html => {
  const list = Object.assign(document.createElement("ol"), { innerHTML: html });
  const templates = [...list.querySelectorAll("template")];
  const said = [...list.querySelectorAll("li[data-from]")];
  const tell = (item, stage) => {
    const text = item.dataset.beside ?? item.textContent;
    const headline = document.createElement("p");
    headline.className = "headline";
    headline.textContent = text;
    headline.classList.toggle("long", text.length > 60);
    document.querySelector("#beat").replaceChildren(headline);
    const detail = { text, stage, templates, flies: "", late: stage ? 60000 : 0, held: 1 };
    document.dispatchEvent(new CustomEvent("parlour:beat", { detail }));
  };
  document.body.classList.add("is-showing");
  tell(said.find((item) => item.dataset.stage), "drawn");
  window.tellTheRest = () => tell(said.at(-1), "");
}"""
"""Render an act up to its result, with all its pieces at once."""
MEETS = """() => {
  const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const words = document.querySelectorAll("#beat .headline, #status .sentence, #reading");
  const rows = [...words].filter(seen).map((one) => one.getBoundingClientRect());
  const speaks = (one) =>
    [...one.childNodes].some((part) => part.nodeType === Node.TEXT_NODE && part.data.trim());
  const drawn = [...document.querySelectorAll(".scene *, #moment *, .seats *")]
    .filter((one) => seen(one) && !one.closest(".unseen, svg *, .lights, .rays"))
    .filter((one) => one.matches("img, svg, i, progress") || speaks(one));
  const meets = (box, other) => box.left < other.right - 1 && box.right > other.left + 1
    && box.top < other.bottom - 1 && box.bottom > other.top + 1;
  return drawn.map((one) => [one, one.getBoundingClientRect()])
    .filter(([, box]) => box.width && rows.some((row) => meets(box, row)))
    .map(([one]) => `the headline covers ${one.outerHTML.slice(0, 90)}`);
}"""
SMALL = """() => {
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const small = new Set();
  while (walk.nextNode()) {
    const { data, parentElement: one } = walk.currentNode;
    if (!data.trim() || one.closest("script, style, template, .unseen, svg")) continue;
    const { width, height } = one.getBoundingClientRect();
    if (width < 2 || height < 2 || !one.checkVisibility({ visibilityProperty: true })) continue;
    const share = 100 * parseFloat(getComputedStyle(one).fontSize) / innerHeight;
    if (share < 1.95) small.add(`${data.trim().slice(0, 30)}: ${share.toFixed(1)} % of the height`);
  }
  return [...small];
}"""
OFF_CENTRE = """() => {
  const headline = document.createElement("p");
  headline.className = "headline";
  headline.textContent = "Ann makes Bela miss a turn";
  document.querySelector("#beat").replaceChildren(headline);
  document.body.classList.add("is-showing");
  const middle = (one) => {
    const { left, right } = one.getBoundingClientRect();
    return (left + right) / 2;
  };
  return Math.abs(middle(headline) - middle(document.querySelector(".scene")));
}"""
BELOW = """() => {
  const headline = document.createElement("p");
  headline.className = "headline";
  headline.textContent = "Fay, Bela, Cleo, Dora, Ann, Gus and Emil lose the round";
  document.querySelector("#beat").replaceChildren(headline);
  document.body.classList.add("is-showing");
  const detail = { text: "", stage: "", templates: [], flies: "", late: 0, held: 1 };
  document.dispatchEvent(new CustomEvent("parlour:beat", { detail }));
  const { bottom } = document.querySelector(".above").getBoundingClientRect();
  return headline.getBoundingClientRect().bottom - bottom;
}"""
"""Pixels of a long headline that are below its row."""
LINES = """() => {
  const words = document.querySelector(".shot :is(.line, .did)") ?? document.querySelector(".shot");
  const range = document.createRange();
  range.selectNodeContents(words);
  return new Set([...range.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
}"""
FILLS = """letters => {
  const card = document.querySelector("#moment .best > :only-child");
  const words = card.querySelector("p");
  words.textContent = "Some words of it ".repeat(letters).slice(0, letters);
  const detail = { sounds: [], felt: [] };
  document.dispatchEvent(new CustomEvent("parlour:piece", { detail }));
  const { fontSize, paddingTop, paddingBottom } = getComputedStyle(card);
  const room = card.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom);
  return {
    letters,
    size: Math.round(1000 * parseFloat(fontSize) / innerHeight) / 10,
    filled: Math.round(100 * words.offsetHeight / room),
    cut: card.scrollHeight > card.clientHeight,
  };
}"""
"""Replace the best sentence by one of this length. Return its size in percent of the window."""
SHARED = """() => {
  const lines = (card) => {
    const range = document.createRange();
    range.selectNodeContents(card);
    return [...range.getClientRects()];
  };
  const faces = [...document.querySelectorAll("#moment .authors .portrait")]
    .map((one) => one.getBoundingClientRect());
  const isCovered = ({ right, top, bottom }) => faces.some((face) =>
    right > face.left && top < face.bottom && bottom > face.top);
  return [...document.querySelectorAll("#moment .best > *")].map((card) => ({
    size: Math.round(1000 * parseFloat(getComputedStyle(card).fontSize) / innerHeight) / 10,
    blanks: card.querySelectorAll("mark").length,
    cut: card.scrollHeight > card.clientHeight,
    covered: lines(card).some(isCovered),
  }));
}"""
"""The sentences that share a round, with the sizes of their type in percent of the window."""
SHARE = """selector => {
  const { width, height } = document.querySelector(selector).getBoundingClientRect();
  return Math.round(1000 * width * height / innerWidth / innerHeight) / 10;
}"""


class Televised(Staged):
    """A match as a big screen shows it."""

    def drawings(self, acts: int) -> Iterator[tuple[str, dict[str, str]]]:
        """Return the beats of each kind of drawing in the first acts, with the resulting
        regions. Drawings with more faces are another kind."""
        met: set[tuple[str, int]] = set()
        looks(self.room, *self.people)
        now = load(self.room.pk)
        for _ in range(acts):
            seen = load_snapshot(self.match.pk)
            if seen.over:
                return
            self.move(seen)
            now = load(self.room.pk, now)
            region = beats_region(now, now.acts, viewpoint_of(now, None, "en"))
            kind = " ".join(beat["stage"] for beat in region.part["beats"] if beat["stage"])
            if region.part["told"] is None:
                continue
            beats = as_served(render(now, region, "en"))
            faces = beats.count("</figure>")
            if (kind, faces) not in met:
                met.add((kind, faces))
                told = self._drawn(load(self.room.pk, with_story=True), "watching", self.watcher.pk)
                yield beats, _of_a_television(told)


def _of_a_television(moment: Moment) -> dict[str, str]:
    shown = {id: moment.regions[id] for id in ("status", "board", "ending")}
    return {**shown, "seats": moment.regions["seats"].replace("button", "span")}


@pytest.fixture
def television(person: People) -> Callable[[str], Page]:
    def at(game: str) -> Page:
        host, page = person(), person(TELEVISION, own=True)
        page.goto(f"/t/{open_table(host, 'Ann', game)}/screen/")
        page.evaluate(READY)
        return page

    return at


def wrong_with(page: Page, share: float, of: str = ".scene", dimmed: bool = False) -> list[str]:
    """Return what is wrong with a big screen in both sizes.

    `dimmed` says that parts are intentionally faint until an answer is shown.
    """
    found = []
    for size in (LARGE, TELEVISION):
        lay_out(page, size)
        found += page.evaluate(SMALL)
    is_shown = page.evaluate(SHARE, of)
    if is_shown < share:
        found.append(f"{of} has {is_shown} % of the window")
    found += page.evaluate(MEETS) if of == "#moment" else []
    return found if dimmed else found + too_low(page, NAMES, least=4)


def test_headline_is_in_the_middle_of_a_big_screen(television: Callable[[str], Page]) -> None:
    page = television("chamber")
    for size in (LARGE, TELEVISION):
        lay_out(page, size)
        assert page.evaluate(OFF_CENTRE) < 2


def test_long_headline_stays_in_its_row_on_a_big_screen(television: Callable[[str], Page]) -> None:
    page = television("mia")
    for size in (LARGE, TELEVISION):
        lay_out(page, size)
        assert page.evaluate(BELOW) <= 1


@pytest.mark.django_db(transaction=True)
def test_words_beside_the_gun_are_not_stacked(television: Callable[[str], Page]) -> None:
    page = television("chamber")
    moments = Staged("chamber", players=4).moments(examples=(1,))
    put(page, _of_a_television(next(one for one in moments if one.kind == "turn watching")))
    lay_out(page, TELEVISION)
    assert page.evaluate(LINES) <= 2


@pytest.mark.django_db(transaction=True)
def test_best_sentence_of_any_length_fills_a_big_screen(
    television: Callable[[str], Page], settings: Any
) -> None:
    settings.BEATS = 3
    page = television("cards")
    drawings = Televised("cards", players=3).drawings(ACTS)
    beats, told = next(drawn for drawn in drawings if drawn[0].count("</figure>") == 1)
    page.evaluate(DRAW, beats)
    before, after = [], []
    for found in (before, after):
        for size in (TELEVISION, LARGE):
            lay_out(page, size)
            found += [page.evaluate(FILLS, letters) for letters in (20, 60, 131, 300)]
        page.evaluate("tellTheRest()")
        put(page, told)
    assert before == after  # the author appears below the sentence, which stays as it is
    for one in before:
        assert not one["cut"], one
        assert one["filled"] > 50 or one["size"] > 11, one


@pytest.mark.parametrize(("winners", "least"), [(2, 6), (3, 5)])
@pytest.mark.django_db(transaction=True)
def test_sentences_that_share_a_round_fill_a_big_screen(
    television: Callable[[str], Page], settings: Any, winners: int, least: int
) -> None:
    settings.BEATS = 3
    page = television("cards")
    drawings = Televised("cards", seed=2, players=6, pointsToWin=30).drawings(900)
    beats, told = next(drawn for drawn in drawings if drawn[0].count("</figure>") == winners)
    page.evaluate(DRAW, beats)
    before, after = [], []
    for found in (before, after):
        for size in (TELEVISION, LARGE):
            lay_out(page, size)
            found.append(page.evaluate(SHARED))
        page.evaluate("tellTheRest()")
        put(page, told)
    assert before == after  # the authors appear beside their sentences
    for sentences in after:
        assert len(sentences) == winners
        assert len({one["size"] for one in sentences}) == 1
        for one in sentences:
            assert one["blanks"], one
            assert one["size"] > least, one
            assert not one["cut"], one
            assert not one["covered"], one


@pytest.mark.long
@pytest.mark.parametrize("game", ["cards", "chamber", "secret_hitler"])
@pytest.mark.django_db(transaction=True)
def test_match_is_legible_on_a_big_screen(television: Callable[[str], Page], game: str) -> None:
    page = television(game)
    found = [f"waiting: {one}" for one in wrong_with(page, 70)]
    for moment in Staged(game, players=6).moments(examples=(1,)):
        if moment.eyes == "watching":
            put(page, _of_a_television(moment))
            over = moment.phase == "over"
            wrong = wrong_with(page, 85 if over else 70, "#ending" if over else ".scene")
            found += [f"{moment.phase}: {one}" for one in wrong]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("game", [slug for slug in GAMES if has_own_look(slug, "moment")])
@pytest.mark.django_db(transaction=True)
def test_headline_covers_nothing_on_a_big_screen(
    television: Callable[[str], Page], game: str, settings: Any
) -> None:
    settings.BEATS = 3
    page = television(game)
    found, drawn = [], 0
    match = Televised(game, players=min(6, GAMES[game].seats[1]))
    for beats, told in match.drawings(ACTS):
        page.evaluate(DRAW, beats)
        found += [
            f"before it is told: {one}" for one in wrong_with(page, 70, "#moment", dimmed=True)
        ]
        page.evaluate("tellTheRest()")
        put(page, told)
        found += [f"told: {one}" for one in wrong_with(page, 70, "#moment")]
        drawn += 1
    assert drawn
    assert not found, "\n".join(found)
