"""No result is revealed early on the page, in labels, or in the live region."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.kit import moments
from tests.kit.acting_in_browsers import move
from tests.kit.browser import PHONE, join, open_table, say, start, wait_for_change
from tests.kit.waiting import patiently

pytestmark = pytest.mark.slow

People = Callable[..., Page]


@pytest.fixture
def person(shown_to: People) -> People:
    return shown_to


SAMPLED_EVERY = 100
"""Milliseconds between two samples."""


def doubted(people: list[Page]) -> Page:
    """Let a player announce 6-6 in Mia and be challenged. Return the challenger."""
    move(people, "roll")
    move(people, "announce")
    doubts = people[0]
    for _ in patiently("nobody can doubt"):
        asked = [page for page in people if page.locator(".act-see button").count()]
        if asked:
            doubts = asked[0]
            break
        wait_for_change(people[0])
    for page in people:
        page.evaluate("document.querySelector('#skip').click()")
        moments.watch(page)
    move([doubts], "see")
    return doubts


def table_of_two(person: People, **more: Any) -> list[Page]:
    both = [person(**more), person(**more)]
    join(both[1], open_table(both[0], "Ann", "mia"), "Bob")
    start(both[0])
    return both


TELLS = ("Under the cup", "uncovered", "Next round", "life gone", "Lives left")


def test_result_is_not_in_the_page_before_it_is_revealed(person: People) -> None:
    both = table_of_two(person)
    doubted(both)
    for page in both:
        expect(page.locator("#board .uncovered")).to_have_count(1)
        before = moments.held(page)
        assert len(before) > 10
        for sample in before:
            assert sample["inert"]
            assert not [tell for tell in TELLS if tell in sample["said"]], sample["said"]
        drawn = [sample["drawn"] for sample in before if sample["kind"] == "clock"]
        assert "6-6!" in drawn[-1]
        assert not [one for one in drawn if "Bluff" in one or "True" in one]
        begun = next(at for at, sample in enumerate(before) if sample["animated"])
        assert begun < len(before) / 2
        assert all(sample["animated"] for sample in before[begun:])
        first = moments.since(page)[0]  # a single message changed all of this
        assert "Lives left" in first["said"]
        assert "Next round" in first["said"]
        assert "life gone" in first["said"]
        assert not first["inert"]
        assert first["at"] > page.evaluate("told") - SAMPLED_EVERY  # a busy machine may be late


def test_skipping_reveals_the_result_only_to_that_player(person: People) -> None:
    ann, bob = table_of_two(person)
    doubted([ann, bob])
    expect(ann.locator("#call button")).to_be_visible()
    ann.click("#call button")
    expect(ann.locator("#board .uncovered")).to_have_count(1)
    assert ann.evaluate("performance.now() < told")
    assert bob.locator("#board .uncovered").count() == 0
    bob.keyboard.press("Escape")
    expect(bob.locator("#board .uncovered")).to_have_count(1)
    assert bob.evaluate("performance.now() < told")


def test_chat_is_not_delayed_and_a_reload_reveals_the_result(person: People) -> None:
    ann, bob = table_of_two(person)
    doubted([ann, bob])
    say(ann, "Oh no")
    expect(bob.locator("#chat-lines")).to_contain_text("Oh no")
    assert bob.evaluate("document.body.classList.contains('is-held')")
    bob.reload()
    expect(bob.locator("#board .uncovered")).to_have_count(1)
    expect(ann.locator("body.is-held")).to_have_count(1)


def test_reveal_does_not_animate_with_reduced_motion(person: People) -> None:
    both = table_of_two(person, reduced_motion="reduce", viewport=PHONE)
    doubted(both)
    for page in both:
        expect(page.locator("#board .uncovered")).to_have_count(1)
        before = moments.held(page)
        assert not any(sample["animated"] for sample in before)
        assert len(before) > 10


LAY = """async () => {
  const piece = document.createElement("template");
  piece.dataset.at = "0";
  piece.innerHTML = "<i data-seat=0></i><i data-seat=1></i>";
  const beat = { text: "", stage: "x", templates: [piece], late: 0, held: 60000 };
  const laid = document.querySelector("#moment").children;
  while (!laid.length) {
    document.dispatchEvent(new CustomEvent("parlour:beat", { detail: beat }));
    await new Promise(requestAnimationFrame);
  }
  return [...laid].map((one) => one.style.getPropertyValue("--rank"));
}"""
"""Draw a piece for each of two seats once the script is loaded. Return the drawing order."""


def test_elements_of_a_drawing_are_in_each_viewers_seat_order(person: People) -> None:
    ann, bob = table_of_two(person)
    assert ann.evaluate(LAY) == ["1", "0"]
    assert bob.evaluate(LAY) == ["0", "1"]


PLAY_ON = f"""async () => {{
  await ({LAY})();
  const box = document.querySelector("#moment");
  const playing = () => box.getAnimations({{ subtree: true }}).filter((one) => one.animationName);
  const update = async () => {{
    document.dispatchEvent(new CustomEvent("htmx:after:ws:message"));
    await null;  // moved elements have been replaced
  }};
  await update();
  box.firstElementChild.style.animation = "breathes 60s infinite";
  for (const one of playing()) {{
    if (one.animationName === "breathes") one.currentTime = 30000;
    else one.finish();
  }}
  box.style.left = "9px";
  await update();
  return playing().map((one) => [one.animationName, one.currentTime >= 30000]);
}}"""
"""Move a drawing, as an update does. Return its animations, and whether they kept their times."""


def test_drawing_plays_on_when_the_page_changes_around_it(person: People) -> None:
    ann, _ = table_of_two(person)
    assert ann.evaluate(PLAY_ON) == [["breathes", True]]
