"""Acts with an animation, delivered to a page whose clock stands still between two steps: no test
depends on the speed of the machine."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import count
from typing import Any, NamedTuple

from playwright.sync_api import Page

from games.engine.snapshots import load_snapshot
from games.pages.beats import beats_region
from games.pages.page_diff import page_diff
from games.pages.viewpoint import viewpoint_of
from games.tables.loading import load
from tests.kit.acting import looks
from tests.kit.later import moving_on
from tests.kit.served import as_served
from tests.kit.staged import Staged
from tests.kit.waiting import patiently

Stages = tuple[str, ...]

LINE = """
  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      if (!/[/](table|screen)[/]/.test(address[0])) return;
      window.line = this;
      this.addEventListener("message", (event) => {
        if (window.isFed && !event.fed) event.stopImmediatePropagation();
      });
    }
  };
"""
"""Keep the page's connection, and later refuse what its own table sends. Run this before the page's
own scripts."""
READY = """() => {
  const isThere = () => !document.dispatchEvent(new CustomEvent("parlour:hold", {
    detail: { begins: 0, told: 0 }, cancelable: true,
  }));
  window.isFed = window.line?.readyState === WebSocket.OPEN && isThere();
  return window.isFed;
}"""
"""Whether the page is connected, and the script of animations has been loaded."""
DELIVER = """frames => {
  for (const data of frames) {
    line.dispatchEvent(Object.assign(new MessageEvent("message", { data }), { fed: true }));
  }
}"""
STEP = """ms => {
  window.stepped ??= new WeakSet();
  dispatchEvent(new Event("resize"));  // the dock may have opened
  const timed = (one) => one.timeline === document.timeline;  // and not by scrolling
  for (const one of document.getAnimations().filter(timed)) {
    if (!stepped.has(one)) {
      one.pause();
      one.currentTime = 0;
      stepped.add(one);
    }
    one.currentTime = Number(one.currentTime) + ms;
  }
}"""
"""Advance the animations, which do not follow the page's clock."""


A_MINUTE = 60


class ShownAct(NamedTuple):
    """An act with an animation, as one page receives it."""

    viewer: str
    """`asked` (who must answer next), `watching` or `screen`."""
    stages: Stages
    begins: int
    """When the animation begins, in milliseconds of the server's clock."""
    told: int
    """Milliseconds after that at which the page may show the result."""
    over: int
    """Milliseconds after that at which the next answer is expected."""
    said: frozenset[str]
    """The texts of the beats that are animated, which do not tell the result."""
    before: str
    """The whole page before the act."""
    frames: tuple[str, ...]
    """The animation, and the changes of the act."""
    after: str
    """The whole page after the act, as a new connection receives it."""

    def __str__(self) -> str:
        return f"{' '.join(self.stages)}, {self.viewer}"


def shown_acts(
    staged: Staged, viewers: Sequence[str] = ("asked", "watching"), of_a_kind: int = 1
) -> Iterator[ShownAct]:
    """Play a match. Return examples of the acts of each kind for each viewer."""
    met: Counter[Stages] = Counter()
    looks(staged.room, *staged.people, staged.watcher)
    with moving_on() as pass_:
        for minutes in count(1):
            seen = load_snapshot(staged.match.pk)
            if seen.over:
                return
            before = load(staged.room.pk, with_story=True)
            pass_(timedelta(minutes=minutes))  # until everything was shown
            staged.move(seen)
            now = load(staged.room.pk, before)
            part: Any = beats_region(now, now.acts, viewpoint_of(now, None, "en")).part
            stages = tuple(beat["stage"] for beat in part["beats"] if beat["stage"])
            if part["told"] is None or met[stages] == of_a_kind:
                continue
            met[stages] += 1
            begins = next(beat["from"] for beat in part["beats"] if beat["stage"])
            last = part["beats"][-1]
            anew = load(staged.room.pk, with_story=True)
            for viewer in viewers:
                user = _user(staged, viewer)
                viewpoint = viewpoint_of(now, user, "en")
                beats: Any = beats_region(now, now.acts, viewpoint).part["beats"]
                yield ShownAct(
                    viewer,
                    stages,
                    begins,
                    part["told"] - begins,
                    last["from"] + last["ms"] - begins,
                    frozenset(beat["text"] for beat in beats if beat["stage"]),
                    *map(as_served, page_diff(None, before, user, "en", {})),
                    tuple(map(as_served, page_diff(before, now, user, "en", {}))),
                    *map(as_served, page_diff(None, anew, user, "en", {})),
                )


def _user(staged: Staged, viewer: str) -> int | None:
    if viewer == "screen":
        return None
    if viewer == "watching":
        return staged.watcher.pk
    match = load_snapshot(staged.match.pk)
    return match.players[min(match.game.rules.awaited(match.state), default=0)].user_id


def stop_clock(page: Page) -> None:
    """Stop the clock of a page opened after `page.clock.install()` with the script `LINE`."""
    page.wait_for_function(READY)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))


def show_before(page: Page, act: ShownAct) -> None:
    """Show the page before an act, with everything before it over."""
    page.keyboard.press("Escape")
    page.clock.set_system_time((act.begins - _skew(page)) / 1000 - A_MINUTE)
    page.evaluate(DELIVER, [act.before])
    page.clock.run_for(1000)


def begin(page: Page, act: ShownAct, late: int = 0) -> None:
    """Deliver an act to a page that shows what was before, so many milliseconds late."""
    page.clock.set_system_time((act.begins + late - _skew(page)) / 1000)
    page.evaluate(DELIVER, act.frames)


def _skew(page: Page) -> float:
    found: float = page.evaluate("serverNow() - Date.now()")
    return found


def reconnect(page: Page, act: ShownAct) -> None:
    """Cut the connection. Its successor receives the whole page."""
    page.evaluate("window.old = line; line.dispatchEvent(new CloseEvent('close', { code: 1006 }))")
    for _ in patiently("the page does not reconnect"):
        page.clock.run_for(100)
        if page.evaluate("line !== old && line.readyState === WebSocket.OPEN"):
            break
    page.evaluate(DELIVER, [act.after])


def step(page: Page, ms: int) -> None:
    """Advance the page by this many milliseconds."""
    page.clock.run_for(ms)
    page.evaluate(STEP, ms)
