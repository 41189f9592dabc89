"""Iron Throne at its most players: what one needs for an answer is in sight, at every size."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Page, TimeoutError, ViewportSize

from tests.kit.browser import (
    act_and_wait,
    is_over,
    join,
    let_stand,
    open_table,
    start,
    wait_for_change,
)
from tests.kit.stage import check_sizes
from tests.kit.waiting import patiently

WIDE: ViewportSize = {"width": 1440, "height": 900}


def test_what_one_needs_is_in_sight_in_every_phase(person: Callable[..., Page]) -> None:
    ann, eve = person(viewport=WIDE), person(viewport=WIDE)
    code = open_table(ann, "Ann", "coup", bots=5)
    assert not check_sizes(ann, ".welcome .code-large", ".seat .name")
    join(eve, code, "Eve", watch=True)
    start(ann)
    met: set[str] = set()
    for _ in patiently():
        if is_over(ann):
            break
        if not (phase := _phase(ann)):  # it has just ended
            continue
        whose = "mine" if ann.locator("#status.mine").count() else "theirs"
        if f"{phase} {whose}" not in met:
            found = check_sizes(ann, ".chain .step", ".seat .name", *_own(ann))
            if _phase(ann) == phase:
                met.add(f"{phase} {whose}")
                assert not found, (phase, whose, found)
        let_pass = ann.locator(".act-pass button")
        if let_pass.count():
            let_stand(ann)
            with suppress(TimeoutError):  # somebody else has challenged
                let_pass.click(timeout=1000)
        elif not act_and_wait(ann):
            wait_for_change(ann)
    assert {"action mine", "challenge_window mine"} <= met
    assert not check_sizes(ann, ".verdict", "#setup .start button.main")
    assert not check_sizes(eve, ".verdict")


def _phase(page: Page) -> str:
    return page.locator("#status").get_attribute("data-phase") or ""


def _own(page: Page) -> list[str]:
    return ["#hand .own-roles li"] if page.locator("#hand:not([hidden])").count() else []
