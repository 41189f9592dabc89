"""Chamber in browsers: visible shots, items, private knowledge, touch and keyboard."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games.chamber.rules.state import Shot
from games.contract.data import Seat
from tests.kit.browser import (
    DESKTOP,
    PHONE,
    SMALLEST,
    act_and_wait,
    is_over,
    join,
    let_stand,
    look,
    open_table,
    start,
    wait_for_change,
    wait_until_gone,
)
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.drawings import pieces
from tests.kit.staged import Staged, put
from tests.kit.waiting import patiently

pytestmark = pytest.mark.slow

People = Callable[..., Page]

LONG = {"startLives": "20", "itemsPerRound": "8"}
"""Settings under which nobody is out early and nearly every item is dealt."""
LANDSCAPE: ViewportSize = {"width": 844, "height": 390}
STILL = """() => document.getAnimations().every(
  a => a.playState !== "running" || a.effect.getTiming().iterations === Infinity)"""
WITHIN_REACH = """buttons => buttons.map(button => {
  button.scrollIntoView({ block: "center", behavior: "instant" });
  const { left, right, top, width, height } = button.getBoundingClientRect();
  const seen = button.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  return { text: button.innerText, seen, left, right, width, height };
})"""
"""Scroll to each element. Return whether a tap hits it, and its size."""
STEALING = 'class="pick stealing'
FIRE = f"""async pieces => {{
  const templates = pieces.map((html) => {{
    const piece = document.createElement("template");
    piece.dataset.at = "0";
    piece.innerHTML = html;
    return piece;
  }});
  const beat = {{ text: "", stage: "shot", templates, late: 0, held: 60000 }};
  while (!document.querySelector("#moment .bang")) {{
    document.dispatchEvent(new CustomEvent("parlour:beat", {{ detail: beat }}));
    await {TWO_FRAMES};
  }}
  for (const one of document.getAnimations()) {{
    one.pause();
    one.currentTime = 500; // after the flash
  }}
}}"""
"""Draw a shot once the script is loaded, and stop it while "BANG!" is shown."""
HIDE_GUN = "document.querySelectorAll('.pistol').forEach(one => one.style.visibility = 'hidden')"
FELT = (
    "document.addEventListener('animationstart', e => (window.felt ??= []).push(e.animationName))"
)


def click(page: Page, selector: str) -> None:
    """Make one move with a button old enough to be tapped."""
    button = page.locator(selector).first
    button.wait_for()
    let_stand(page)
    form = button.evaluate("b => b.form.id")
    button.click()
    wait_until_gone(page, form)


def until(wanted: Callable[[], bool], *people: Page, others: str = "") -> None:
    """Let players add rounds if they can, and shoot themselves, until the condition holds.

    `others`: shoot the player of this name instead.
    """
    for _ in patiently("it never happens", 300):
        if wanted():
            return
        if is_over(people[0]):
            start(people[0])
        for page in people:
            aimed = page.locator(f"#actions button[aria-label^='Shoot: {others},']")
            if others and aimed.count():
                click(page, f"#actions button[aria-label^='Shoot: {others},']")
                break
            if act_and_wait(page):
                break
        else:
            wait_for_change(people[0])


def last_shot(page: Page) -> str:
    return str(page.locator("#board .gun").get_attribute("id"))


def test_shot_animates_once_and_live_and_blank_shots_differ(person: People) -> None:
    ann, bob, still = (person(PHONE, animated=moves, own=True) for moves in (True, True, False))
    for page in (ann, bob, still):
        page.add_init_script(FELT)
    code = open_table(ann, "Ann", "chamber", startLives="20", itemsPerRound="0")
    join(bob, code, "Bob")
    join(still, code, "Cat", watch=True)
    start(ann)
    expect(bob.locator("#board .gun")).to_be_visible()
    words: list[str] = []
    while len(set(words)) < 2:
        shooter = ann if ann.locator("#status.mine").count() else bob
        before = last_shot(bob)
        bob.evaluate("window.felt = []")
        click(shooter, ".act-shootplayer .others button")
        for page in (ann, bob, still):
            expect(page.locator("#board .gun")).not_to_have_id(before)
        words.append(bob.locator(".shot .word").inner_text().lower())
        felt = {"bang!": "chamber-recoil", "click.": "chamber-puff"}
        bob.wait_for_function("name => window.felt.includes(name)", arg=felt.pop(words[-1]))
        (other,) = felt.values()
        assert other not in bob.evaluate("window.felt")
        assert last_shot(still) == last_shot(bob)
        assert len(words) < 60
    bob.wait_for_function(STILL)
    bob.evaluate("window.felt = []")
    ann.locator("#tab-chat").click()
    ann.fill("#message", "Ouch.")
    ann.keyboard.press("Enter")
    expect(bob.locator("#chat-lines")).to_contain_text("Ouch.")
    bob.evaluate(TWO_FRAMES)
    assert bob.evaluate("window.felt") == []
    assert not still.evaluate("window.felt")
    expect(still.locator(".shot .word")).to_be_visible()


@pytest.mark.django_db(transaction=True)
def test_gun_is_seen_while_it_fires(person: People, settings: Any) -> None:
    settings.BEATS = 1.0
    shot, _ = pieces("chamber", Shot(Seat(0), Seat(1), "live", 1, False))
    page = person(PHONE, animated=True)
    open_table(page, "Ann", "chamber", bots=1)
    start(page)
    for size in (SMALLEST, PHONE, LANDSCAPE, DESKTOP):
        page.set_viewport_size(size)
        page.evaluate("document.querySelector('#moment').replaceChildren()")
        page.evaluate(FIRE, shot)
        with_gun = page.locator(".stage").screenshot(animations="allow")
        page.evaluate(HIDE_GUN)
        assert page.locator(".stage").screenshot(animations="allow") != with_gun, size


def within_reach(page: Page, width: int) -> None:
    """Check that a player who steals can tap every choice while all parts are open."""
    let_stand(page)
    visible = page.locator("#actions :is(button:enabled, summary):visible")
    buttons = visible.evaluate_all(WITHIN_REACH)
    page.locator(".stealing > summary").click()
    expect(page.locator(".stealing .from").first).to_be_in_viewport()
    expect(page.locator(".stealing .asks")).to_be_in_viewport()
    other = page.locator("#status .sentence.own")
    assert other.evaluate("one => one.offsetWidth <= 1"), "two questions are asked at once"
    for whose in page.locator(".stealing .from").all():
        if not whose.evaluate("d => d.open"):
            whose.locator("summary").click()
    look(page)
    alive = page.locator(".seat:not(.you, .out)").count()
    buttons += visible.evaluate_all(WITHIN_REACH)
    assert len(buttons) > alive + 3
    for button in buttons:
        assert button["seen"], button
        assert button["height"] >= 44, button
        assert button["width"] >= 44, button
        assert button["left"] >= 0, button
        assert button["right"] <= width, button
    assert page.locator(".others button").count() == alive


@pytest.mark.django_db(transaction=True)
def test_all_actions_are_within_thumb_reach_at_a_table_of_eight(person: People) -> None:
    page = person(SMALLEST)
    open_table(page, "Ann", "chamber")
    staged = Staged("chamber", startLives=20, itemsPerRound=6)
    moments = staged.moments(examples=range(1, 100))
    steals = next(one.regions for one in moments if STEALING in one.regions["actions"])
    for size in (SMALLEST, PHONE):
        page.set_viewport_size(size)
        put(page, steals)
        within_reach(page, size["width"])


def tab_to(page: Page, selector: str) -> bool:
    """Move the focus to one of the possible actions, using keys only."""
    page.keyboard.press("Alt+a")
    for _ in range(80):
        page.keyboard.press("Tab")
        inside, there = page.evaluate(
            """s => { const a = document.activeElement;
            return [Boolean(a.closest('#actions')), a.matches(s)]; }""",
            selector,
        )
        if there or not inside:
            return bool(there)
    return False


def press(page: Page, *selectors: str) -> bool:
    """Focus each of these elements by keyboard and press it.

    Return False if the question is withdrawn.
    """
    for selector in selectors:
        let_stand(page)
        if not tab_to(page, f"#actions {selector}"):
            assert not page.locator(f"#actions {selector}").count(), selector
            return False
        page.keyboard.press("Enter")
    wait_for_change(page)
    return True


def test_match_with_items_and_a_theft_can_be_played_by_keyboard(person: People) -> None:
    page = person()
    open_table(page, "Ann", "chamber", bots=2, startLives="4", itemsPerRound="8", maxRounds="3")
    done = {"items": 0, "thefts": 0}
    for _ in range(12):  # replayed if no Steal was dealt, or the player was shot too early
        start(page)
        stolen = done["thefts"]
        play_by_keys(page, done)
        log = page.locator("#log-lines").inner_text()
        assert ("You steal" in log) == (done["thefts"] > stolen)
        if all(done.values()):
            return
    raise AssertionError(f"not everything could be tried: {done}")


def play_by_keys(page: Page, done: dict[str, int]) -> None:
    """Play a whole match by keyboard, with one theft and up to three items. Count both."""
    for _ in patiently("the match does not end"):
        if is_over(page):
            break
        if page.locator(".stealing").count() and not done["thefts"]:
            whose = [".from > summary"] if page.locator(".from:not([open])").count() else []
            done["thefts"] += press(page, ".stealing > summary", *whose, ".from button")
        elif page.locator(".kit > form > button").count() and done["items"] < 3:
            done["items"] += press(page, ".kit > form > button")
        elif page.locator("#actions > form").count():
            press(page, "form button")
        else:
            wait_for_change(page)
    expect(page.locator("#ending .end")).to_be_visible()


def test_rules_panel_highlights_the_rules_that_apply_now(person: People) -> None:
    page = person()
    open_table(page, "Ann", "chamber", bots=1, **LONG)
    start(page)
    page.locator("#tab-rules").click()
    marked = set()
    until(lambda: bool(marked_part(page, marked)) and len(marked) == 2, page)
    assert marked == {"rebalance", "turn"}
    look(page)


def marked_part(page: Page, marked: set[str]) -> str:
    """Return the phase. Check that highlighted rules are about it, and note it in `marked`."""
    phase, parts = page.evaluate(
        """() => [document.querySelector('#status').dataset.phase,
        [...document.querySelectorAll('#rules .now')].map(p => p.dataset.part)]"""
    )
    assert set(parts) <= {phase}
    if parts:
        marked.add(phase)
    return str(phase)
