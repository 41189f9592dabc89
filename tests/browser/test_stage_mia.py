"""Mia at the most players: whatever one needs is in sight in every phase, at every size."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.kit.browser import (
    act_and_wait,
    join,
    let_stand,
    open_table,
    start,
    wait_for_change,
    wait_until_gone,
)
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.stage import check_sizes
from tests.kit.waiting import patiently

People = Callable[..., Page]

WANTED = {
    "turn mine",
    "turn mine claim",
    "announce mine",
    "announce mine claim",
    "announce theirs claim",
    "result",
}
MOMENT = """() => {
  const { phase, mine } = document.querySelector("#status").dataset;
  const claim = document.querySelector("#board .claim") ? " claim" : "";
  return phase === "result" ? phase : `${phase} ${mine === "yes" ? "mine" : "theirs"}${claim}`;
}"""
TRUTH = """() => {
  const button = document.querySelector("#actions button.true");
  const said = button?.checkVisibility() && button.id !== window.saidBefore;
  if (said) { window.saidBefore = button.id; button.click(); }
  return said ? button.form.id : "";
}"""


def test_all_that_counts_is_in_sight_at_every_size(person: People) -> None:
    ann, bob = person(reduced_motion="reduce"), person()
    code = open_table(ann, "Ann", "mia", bots=6, lives="9", pace="fast")
    join(bob, code, "Bob")
    start(ann)
    seen: dict[str, list[str]] = {}
    for _ in patiently("not every phase has come about"):
        if seen.keys() >= WANTED:
            break
        moment = ann.evaluate(MOMENT)
        if moment not in seen and _stands(ann, bob, moment):
            ann.evaluate(TWO_FRAMES)
            seen[moment] = check_sizes(ann, *_needed(ann, moment))
        acted = [_say_the_truth(page) or act_and_wait(page) for page in (ann, bob)]
        if not any(acted):
            wait_for_change(ann)
    assert {moment: found for moment, found in seen.items() if found} == {}


def _say_the_truth(page: Page) -> bool:
    """Announce what one has, where that loses nothing: so that rounds go all the way round."""
    let_stand(page)
    form = page.evaluate(TRUTH)
    if form:
        wait_until_gone(page, form)
    return bool(form)


def _stands(ann: Page, bob: Page, moment: str) -> bool:
    """Whether nobody but these two can end this moment."""
    if moment == "result":
        return True
    return any(page.locator("#status.mine").count() for page in (ann, bob))


def _needed(page: Page, moment: str) -> tuple[str, ...]:
    needed = ["#seats .seat .face"]
    if "claim" in moment:
        needed += ["#board .claim", "#board .claim .die"]
    if moment == "announce mine":
        expect(page.locator("#actions .act-announce .choices button:visible")).to_have_count(20)
    if moment.startswith("announce mine"):
        needed += ["#hand .die", "#hand strong"]
    if page.locator("#board .uncovered").count():
        needed += ["#board .uncovered .die", "#board .claim strong"]
    elif moment != "result":
        needed += ["#board .cup"]
    return tuple(needed)


def test_what_is_true_is_marked_for_its_owner_unless_secrets_are_covered(person: People) -> None:
    page = person()
    open_table(page, "Ann", "mia", bots=1)
    start(page)
    for _ in patiently("Ann never announces"):
        if page.locator("#actions.announcing").count():
            break
        act_and_wait(page)
        wait_for_change(page)
    if not page.locator("button.true:visible").count():
        return
    true = page.locator("button.true:visible")
    plain = page.locator("#actions .choices button:not(.true)").first
    look = "e => getComputedStyle(e).backgroundImage"
    assert true.evaluate(look) != plain.evaluate(look)
    page.evaluate("document.body.classList.add('is-covered')")
    assert true.evaluate(look) == plain.evaluate(look)
    expect(page.locator("#actions .truth:visible")).to_have_count(0)
    expect(page.locator("#hand .die").first).to_be_hidden()
