"""Chamber at its most players: all one knows, is asked and can do is in sight at every size."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.kit.browser import PHONE, is_over, let_stand, open_table, start, wait_for_change
from tests.kit.stage import check_sizes
from tests.kit.waiting import patiently

SHOT = ".shot .word, .shot .line, .shot .did"
PUBLIC = ("#seats .seat .lives", "#seats .seat .held", ".rack .count", SHOT)
KNOWN = "#hand .known"
ANSWER = """() => {
  const wanted = [".act-usechambercheckitem button", ".others button", "#actions > form button"];
  const found = wanted.map(one => document.querySelector(one)).find(Boolean);
  found?.click();
  return Boolean(found);
}"""
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


def answer(page: Page) -> bool:
    """The chamber checked, else a shot at somebody else, else whatever is asked; False for none."""
    let_stand(page)
    return bool(page.evaluate(ANSWER))


def test_eight_players_see_everything_at_once_in_every_phase(person: Callable[..., Page]) -> None:
    page = person(PHONE, reduced_motion="reduce")
    open_table(page, "Ann", "chamber", bots=7, startLives="20", itemsPerRound="6")
    start(page)
    seen: set[str] = set()
    for _ in patiently(f"not every phase comes: {seen}", 200):
        now = moment(page)
        if now not in seen and now in WANTED:
            found = check_sizes(page, *PUBLIC, *([KNOWN] if "knows" in now else []))
            if moment(page) == now:  # bots have not gone on meanwhile
                seen.add(now)
                assert found == []
        if seen == WANTED:
            return
        if is_over(page):
            start(page)
        if not answer(page):
            wait_for_change(page)
