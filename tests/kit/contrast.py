"""The contrast of every text on a page, as shown by a bad projector."""

from __future__ import annotations

from playwright.sync_api import Page

LOW = """([strong, most, least]) => {
  const taps = new CSSStyleSheet();
  taps.replaceSync("* { pointer-events: auto !important; }");
  document.adoptedStyleSheets.push(taps);
  const drawing = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const colour = (text) => {
    drawing.clearRect(0, 0, 1, 1);
    drawing.fillStyle = text;
    drawing.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = drawing.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const over = (top, below) => [0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3]));
  const light = (rgb) => {
    const linear = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    const [red, green, blue] = rgb.map((part) => linear(part / 255));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const ratio = (one, other) => {
    const [dark, bright] = [light(one), light(other)].sort((a, b) => a - b);
    return (bright + 0.05) / (dark + 0.05);
  };
  const COLOUR = /(?:rgba?|hsla?|oklch|oklab|color)\\([^()]*\\)|#[0-9a-f]{3,8}/gi;
  // What is painted by one element, each colour of a gradient by itself; the uppermost first.
  const painted = (one) => {
    const look = getComputedStyle(one);
    const gradients = look.backgroundImage.split(/, (?=[a-z-]+-gradient)/);
    const coloursOf = (one) => (one.includes("gradient") ? one.match(COLOUR) ?? [] : []);
    const stops = gradients.map((one) => coloursOf(one).map(colour));
    return [...stops, [colour(look.backgroundColor)]].filter((some) => some.length);
  };
  const grounds = (one, x, y) => {
    const stack = document.elementsFromPoint(x, y);
    const layers = stack.slice(Math.max(0, stack.indexOf(one))).flatMap(painted);
    let found = [[0, 0, 0]];
    for (const some of layers.reverse()) {
      found = some.flatMap((top) => found.map((below) => over(top, below)));
      const [sorted] = [found.sort((a, b) => light(a) - light(b))];
      found = [sorted[0], sorted.at(-1)];
    }
    return found;
  };
  const low = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const text = walk.currentNode;
    const one = text.parentElement;
    if (!text.data.trim() || one.closest("script, style, template, .unseen")) continue;
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const { left, top, width, height } = range.getBoundingClientRect();
    const [x, y] = [left + width / 2, top + height / 2];
    if (width < 2 || x < 0 || y < 0 || x > innerWidth || y > innerHeight) continue;
    if (!document.elementsFromPoint(x, y).includes(one)) continue; // clipped
    const ink = colour(getComputedStyle(one).color);
    for (let part = one; part; part = part.parentElement) {
      ink[3] *= Number(getComputedStyle(part).opacity);
    }
    const ratios = grounds(one, x, y).map((ground) => ratio(over(ink, ground), ground));
    const worst = Math.min(...ratios);
    const wanted = one.closest(strong) ? most : least;
    const said = text.data.trim().slice(0, 40);
    if (worst < wanted) low.push(`${said}: ${worst.toFixed(1)} < ${wanted}`);
  }
  document.adoptedStyleSheets.pop();
  return low;
}"""


def too_low(page: Page, strong: str, most: float = 7, least: float = 4.5) -> list[str]:
    """Return visible texts with a contrast below `most` if `strong` selects them, else `least`."""
    found: list[str] = page.evaluate(LOW, [strong, most, least])
    return found
