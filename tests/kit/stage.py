"""Check that the required parts of a table are visible without scrolling.

Used in phone and desktop sizes.
"""

from __future__ import annotations

from playwright.sync_api import Page, ViewportSize

from tests.kit.browser_scripts import TWO_FRAMES

SIZES: tuple[ViewportSize, ...] = (
    {"width": 320, "height": 640},
    {"width": 390, "height": 844},
    {"width": 844, "height": 390},
    {"width": 1440, "height": 900},
)

LOW_DESKS: tuple[ViewportSize, ...] = (
    {"width": 960, "height": 540},
    {"width": 1024, "height": 600},
    {"width": 1366, "height": 650},
    {"width": 1024, "height": 768},
)

HIDDEN = """selectors => {
  const found = [];
  const seen = { visibilityProperty: true };
  const tiny = (one) => one.getClientRects().length && one.offsetWidth <= 2;
  const clipped = (one) => one !== document.body && (tiny(one) || clipped(one.parentElement));
  const drawn = (one) => one.checkVisibility(seen) && one.getClientRects().length && !clipped(one);
  const label = (one) => one.id ? "#" + one.id : one.className || one.tagName;
  const name = (one) => `${label(one)} “${one.textContent.trim().slice(0, 30)}”`;
  const cut = (part, until, x, y) => {
    if (part === until) return false;
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const outside = x < left || x > right || y < top || y > bottom;
    const clips = getComputedStyle(part).overflow !== "visible";
    return (outside && clips) || cut(part.parentElement, until, x, y);
  };
  const look = (one) => {
    const part = one.closest("[data-scrolls]");
    if (part && part !== one) {
      const box = one.getBoundingClientRect();
      const frame = part.getBoundingClientRect();
      if (box.left < frame.left - 1 || box.right > frame.right + 1) {
        const said = getComputedStyle(part, "::after").opacity === "1";
        if (!said) found.push(`nothing says that ${name(part)} scrolls`);
        return look(part);
      }
      if (box.top < frame.top - 1 || box.bottom > frame.bottom + 1) {
        const said = getComputedStyle(part).maskImage !== "none";
        if (!said) found.push(`nothing says that ${name(part)} scrolls down`);
        return look(part);
      }
    }
    const { left, top, right, bottom } = one.getBoundingClientRect();
    if (left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1) {
      found.push(`${name(one)} is out of the window`);
      return;
    }
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const hit = document.elementFromPoint(x, y);
    if (one.contains(hit) || (hit?.contains(one) && !cut(one.parentElement, hit, x, y))) return;
    found.push(`${name(one)} is under ${hit ? name(hit) : "nothing"}`);
  };
  const { scrollHeight, scrollWidth } = document.scrollingElement;
  if (scrollHeight > innerHeight + 1) found.push(`the page scrolls down: ${scrollHeight}`);
  if (scrollWidth > innerWidth + 1) found.push(`the page scrolls sideways: ${scrollWidth}`);
  const answers = [
    "#actions :is(button, summary):not(:disabled)",
    "#spectating button:not(:disabled)",
    "#setup .start button:not(:disabled)",
  ];
  for (const selector of ["#status .sentence", "#status .clock", ...answers, ...selectors]) {
    const all = [...document.querySelectorAll(selector)].filter(drawn);
    if (selectors.includes(selector) && !all.length) found.push(`${selector} is not there`);
    for (const one of all) look(one);
  }
  const stage = document.querySelector(".stage").getBoundingClientRect();
  for (const bubble of [...document.querySelectorAll(".seat > .bubble")].filter(drawn)) {
    const { left, right } = bubble.getBoundingClientRect();
    const beside = left < stage.left - 1 || right > stage.right + 1;
    if (beside) found.push(`${name(bubble)} sticks out of the stage`);
  }
  const seats = [...document.querySelectorAll(".seat")].filter(drawn);
  const kept = seats.flatMap((seat) => [...seat.querySelectorAll(".face, .name")]).map((one) => {
    const { left, top, width, height } = one.getBoundingClientRect();
    const [x, y] = one.matches(".face") ? [0.3, 0.39] : [0.1, 0.15];
    const box = [left + x * width, top + y * height, left + (1 - x) * width];
    return [one, ...box, top + (1 - y) * height];
  });
  const laid = seats.flatMap((seat) => [...seat.querySelectorAll(":scope > * *, :scope > *")]);
  for (const one of laid.filter(drawn)) {
    const apart = getComputedStyle(one).position === "absolute";
    if (one.closest(".one-person") || (!apart && [...one.children].some(drawn))) continue;
    const box = one.getBoundingClientRect();
    for (const [part, left, top, right, bottom] of kept) {
      const across = Math.min(box.right, right) - Math.max(box.left, left);
      const down = Math.min(box.bottom, bottom) - Math.max(box.top, top);
      if (across > 1 && down > 1) found.push(`${name(one)} lies on ${name(part.parentElement)}`);
    }
  }
  return found;
}"""
"""Test the middle of each element, which finds anything that covers it or scrolls it away. A
scrolling part (`data-scrolls`) must be visible and show that it scrolls: sideways by an arrow,
down by a fading edge. Speech bubbles must stay on the stage, because panels would cover them beside
it. Nothing at a seat may cover a name, or the eyes and mouth of a face."""


def unseen(page: Page, *selectors: str) -> list[str]:
    """Return complaints about what is not visible at the current size: the question, the clock,
    every answer, and the elements matched by the selectors, which must exist."""
    found: list[str] = page.evaluate(HIDDEN, list(selectors))
    return found


def check_sizes(page: Page, *selectors: str) -> list[str]:
    """Check all sizes in turn, then restore the window's size."""
    before = page.viewport_size
    found: list[str] = []
    for size in SIZES:
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        found += [f"{size['width']}x{size['height']}: {one}" for one in unseen(page, *selectors)]
    if before is not None:
        page.set_viewport_size(before)
    return found


WATCH_SHIFTS = """
  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      if (address[0].includes("/table/")) window.line = this;
    }
  };
  window.shift = { begun: false, sum: 0, moved: [] };
  const name = (node) => node?.id || node?.className || node?.parentElement?.className;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput || !shift.begun) continue;
      shift.sum += entry.value;
      shift.moved.push(`${entry.value} ${entry.sources.map(({ node }) => name(node))}`);
    }
  }).observe({ type: "layout-shift" });
"""
"""Sum the layout shift after the first frame, from the browser's own entries."""
FEED = f"""async frames => {{
  while (window.line?.readyState !== WebSocket.OPEN) await {TWO_FRAMES};
  for (const data of frames) {{
    line.dispatchEvent(new MessageEvent("message", {{ data }}));
    await {TWO_FRAMES};
    shift.begun = true;
  }}
}}"""
"""Deliver these frames through the page's connection."""
DRAWN_AT = 0.05
"""The scale at which `lay_out` draws a page."""
MOST_SHIFT = 0.1


def lay_out(page: Page, size: ViewportSize) -> None:
    """Resize a page of `person(own=True)`, and draw it tiny, because drawing an animated or large
    page takes most of its time. Its layout stays the same, but it cannot be clicked."""
    page.set_viewport_size(size)
    devtools = page.context.new_cdp_session(page)
    wanted = {**size, "deviceScaleFactor": 1, "mobile": False, "scale": DRAWN_AT}
    devtools.send("Emulation.setDeviceMetricsOverride", wanted)
    page.evaluate(TWO_FRAMES)


def stays_put(page: Page) -> None:
    """Check that the updates of a match together shift the page by less than a tenth."""
    shift, moved = page.evaluate("[shift.sum, shift.moved]")
    assert shift < MOST_SHIFT, "\n".join([f"{shift:.3f} of shift:", *moved])
