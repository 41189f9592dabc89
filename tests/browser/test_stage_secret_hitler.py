"""Secret Hitler at ten seats: whatever is asked, everything it takes is in sight at every size."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import PHONE, open_table
from tests.kit.secret_hitler_look import Drawn, asked, said
from tests.kit.stage import SIZES, check_sizes, unseen

pytestmark = pytest.mark.django_db(transaction=True)

PUT = """regions => {
  for (const [id, html] of Object.entries(regions)) document.getElementById(id).outerHTML = html;
  document.querySelectorAll("#status time").forEach((one) => { one.textContent = "1:00"; });
}"""
"""Put regions into a page, as its socket would."""
IN_SIGHT = (
    "#hand .sh-role",
    "#hand .sh-knows p",
    ".sh-track li",
    ".sh-meta p",
    ".sh-meta summary",
    ".sh-banner",
    ".seat .face",
    ".seat .name",
    ".sh-office",
)
REGIONS = ("seats", "board", "hand", "status", "actions", "setup", "ending", "legend")


CUT = """() => ["#board .sh-scene", ".dock"].filter((one) => {
  const box = document.querySelector(one);
  return box.scrollHeight > box.clientHeight + 1;
})"""
"""What holds more than it can show."""


def out_of_sight(page: Page) -> list[str]:
    """What cannot be seen whole, at all sizes."""
    found = []
    for size in SIZES:
        page.set_viewport_size(size)
        wrong = unseen(page, *IN_SIGHT) + [f"{one} is cut off" for one in page.evaluate(CUT)]
        found += [f"{size['width']}x{size['height']}: {one}" for one in wrong]
    page.set_viewport_size(PHONE)
    expect(page.locator("#panel-log")).to_be_hidden()
    return found


def put(page: Page, regions: dict[str, str]) -> None:
    page.evaluate(PUT, {name: regions[name] for name in REGIONS})


def test_every_question_is_in_sight_with_all_it_is_about(person: Callable[..., Page]) -> None:
    page = person(PHONE, reduced_motion="reduce")
    open_table(page, "Ann", "secret_hitler")
    drawn = Drawn()
    claims = [said("Ines", "drawn", "FFL", 0), said("Cleo", "received", "FL", 0)]
    found = []
    for phase, table in asked().items():
        put(page, drawn.at(table, claims=claims))
        found += [f"{phase}, {one}" for one in out_of_sight(page)]
    assert not found, "\n".join(found)


def test_who_is_hitler_reads_so_above_the_ballots_and_can_cover_it(
    person: Callable[..., Page],
) -> None:
    page = person(PHONE, reduced_motion="reduce")
    open_table(page, "Ann", "secret_hitler")
    put(page, Drawn().at(asked()["vote"], by=2))
    role, ballots = page.locator(".sh-role"), page.locator(".act-vote .choices")
    expect(role).to_be_visible()
    above, below = role.bounding_box(), ballots.bounding_box()
    assert above is not None
    assert below is not None
    assert above["y"] + above["height"] <= below["y"]
    page.evaluate("document.body.classList.add('is-covered')")
    expect(role).to_be_hidden()
    expect(ballots).to_be_visible()


def test_the_history_opens_over_the_scene_and_leaves_the_rest(person: Callable[..., Page]) -> None:
    page = person(PHONE, reduced_motion="reduce")
    open_table(page, "Ann", "secret_hitler")
    put(page, Drawn().at(asked()["vote"]))
    page.click(".past > summary")
    expect(page.locator(".past .sh-past li").first).to_be_visible()
    assert not check_sizes(page, "#hand .sh-role", ".seat .face", ".past > summary")
    page.click(".past > summary")
    expect(page.locator(".past .sh-past li").first).to_be_hidden()
