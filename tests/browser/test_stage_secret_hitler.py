"""Secret Hitler with ten seats: each question and its context fit on every screen size."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games.secret_hitler.tests.look import Drawn, asked, said
from tests.kit.browser import PHONE, open_table
from tests.kit.stage import check_sizes
from tests.kit.staged import AT_SIZES, Moment, Staged, at_the_end, put, see_all
from tests.kit.touch import check_faces

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

IN_SIGHT = (
    "#hand .sh-envelope",
    ".sh-track li",
    ".sh-meta p",
    ".sh-meta summary",
    ".sh-banner",
    ".seat .face",
    ".seat .name",
    ".sh-office",
)
MAYBE = {
    "#hand .sh-envelope": 'class="sh-envelope',
    ".sh-meta summary": "<summary",
}
"""Optional elements, and the HTML that shows whether they exist."""
MET = {
    *(f"vote {eyes}" for eyes in ("mine", "theirs", "out", "watching")),
    *(f"over {eyes}" for eyes in ("won", "lost", "watching")),
}


def needed(moment: Moment) -> tuple[str, ...]:
    if moment.phase == "over":
        return at_the_end(moment)
    regions = moment.regions["hand"] + moment.regions["board"]
    return tuple(one for one in IN_SIGHT if one not in MAYBE or MAYBE[one] in regions)


@AT_SIZES
def test_every_question_is_visible_with_its_context(
    person: Callable[..., Page], sizes: Sequence[ViewportSize]
) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "secret_hitler")
    drawn = Drawn()
    claims = [said("Ines", "drawn", "FFL", 0), said("Cleo", "received", "FL", 0)]
    moments = [
        Moment(phase, "mine", False, drawn.at(table, claims=claims))
        for phase, table in asked().items()
    ]
    see_all(page, moments, needed, sizes)


def test_eliminated_waiting_and_watching_viewers_see_everything(
    person: Callable[..., Page],
) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "secret_hitler")
    moments = list(Staged("secret_hitler", seed=3).moments())
    assert {one.kind for one in moments} >= MET
    see_all(page, moments, needed)
    check_faces(page, 10, moments)


def test_role_is_hidden_until_its_envelope_is_held_or_pressed(
    person: Callable[..., Page],
) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "secret_hitler")
    put(page, Drawn().at(asked()["vote"], by=2))
    envelope, role = page.locator(".sh-envelope"), page.locator("#own-role")
    expect(role).to_be_hidden()
    role.evaluate("""card => {
      window.seen = [];
      card.addEventListener("beforetoggle", (event) => seen.push(event.newState));
    }""")
    envelope.click(delay=400)  # hold it down
    expect(role).to_be_hidden()
    assert page.evaluate("seen") == ["open", "closed"]
    for key in ("Enter", "Space"):  # for users who cannot hold
        envelope.press(key)
        expect(role).to_be_visible()
        envelope.press(key)
        expect(role).to_be_hidden()
    envelope.click()
    expect(role.locator("h2")).to_contain_text("You are")
    expect(role).to_be_visible()
    page.evaluate("window.dispatchEvent(new Event('blur'))")
    expect(role).to_be_hidden()
    page.evaluate("document.body.classList.add('is-covered')")
    envelope.click()
    expect(role).to_be_visible()


def test_history_opens_over_the_scene_and_covers_nothing_else(person: Callable[..., Page]) -> None:
    page = person(PHONE)
    open_table(page, "Ann", "secret_hitler")
    put(page, Drawn().at(asked()["vote"]))
    page.click(".past > summary")
    expect(page.locator(".past .sh-past tbody tr").first).to_be_visible()
    assert not check_sizes(page, "#hand .sh-envelope", ".seat .face", ".past > summary")
    page.click(".past > summary")
    expect(page.locator(".past .sh-past tbody tr").first).to_be_hidden()
