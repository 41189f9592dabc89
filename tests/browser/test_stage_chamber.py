"""Chamber at its most players: all one knows, is asked and can do is in sight at every size."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.kit.browser import act, let_stand, open_table, start, wait_for_change
from tests.kit.stage import check_sizes
from tests.kit.waiting import patiently

PUBLIC = ("#seats .seat .lives", "#seats .seat .held", ".rack .count", ".shot .word, .shot .did")
KNOWN = "#hand .known"
ITEM = "#actions .kit > form > button"
WANTED = {"rebalance yes", "turn yes", "turn no", "turn yes knows"}


def moment(page: Page) -> str:
    """The phase, whether one is asked, and what one knows."""
    return str(
        page.evaluate(
            """() => [document.querySelector('#status').dataset.phase,
        document.querySelector('#status').dataset.mine,
        document.querySelector('#hand').hidden ? '' : 'knows'].join(' ').trim()"""
        )
    )


def test_eight_players_see_everything_at_once_in_every_phase(person: Callable[..., Page]) -> None:
    page = person(reduced_motion="reduce")
    open_table(page, "Ann", "chamber", bots=7, startLives="9", itemsPerRound="6")
    start(page)
    seen: set[str] = set()
    for _ in patiently(f"not every phase comes: {seen}", 200):
        if seen >= WANTED:
            return
        now = moment(page)
        if now not in seen:
            seen.add(now)
            assert check_sizes(page, *PUBLIC, *([KNOWN] if "knows" in now else [])) == []
        if "knows" not in now and page.locator(ITEM).count():
            let_stand(page)
            page.locator(ITEM).first.evaluate("b => b.click()")
            wait_for_change(page)
        elif not act(page):
            wait_for_change(page)
