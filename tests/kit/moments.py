"""What a page shows while an animation plays, and after the result is shown."""

from __future__ import annotations

from typing import TypedDict

from playwright.sync_api import Page

WATCH = """() => {
  const LABELS = ["aria-label", "title", "alt", "class"];
  const box = document.querySelector("#moment");
  const said = () => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ALL);
    const found = [document.title];
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      if (box.contains(node) || node.parentElement.closest("script, style")) continue;
      if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
      else if (node.matches) found.push(...LABELS.map((name) => node.getAttribute(name) ?? ""));
    }
    return found.join("\\n");
  };
  const isRunning = (one) => one.playState === "running" && box.contains(one.effect?.target);
  window.samples = [];
  const take = (kind) => samples.push({
    kind,
    at: performance.now(),
    held: document.body.classList.contains("is-held"),
    said: said(),
    drawn: box.innerText,
    inert: document.querySelector(".question")?.inert ?? true,
    animated: document.getAnimations().filter(isRunning).length,
  });
  document.addEventListener("parlour:hold", (event) => {
    window.told = performance.now() + event.detail.told;
  });
  document.addEventListener("htmx:after:ws:message", () => take("message"));
  setInterval(() => take("clock"), 100);
}"""


class Sample(TypedDict):
    """A page at one moment."""

    kind: str
    """Its trigger: the timer or a message."""
    at: float
    held: bool
    said: str
    """Every text and label outside the drawing, visible or not, with the title and the classes."""
    drawn: str
    inert: bool
    animated: int
    """Running animations in the drawing."""


def watch(page: Page) -> None:
    """Start sampling, every 100 ms and after every message."""
    page.evaluate(WATCH)


def held(page: Page) -> list[Sample]:
    """The samples taken while the result of the first act was held back."""
    rest = _since_the_first(page)
    last = next((at for at, sample in enumerate(rest) if not sample["held"]), len(rest))
    return rest[:last]


def since(page: Page) -> list[Sample]:
    """The samples taken after the result of the first act was shown."""
    return [sample for sample in _since_the_first(page) if not sample["held"]]


def _since_the_first(page: Page) -> list[Sample]:
    samples: list[Sample] = page.evaluate("samples")
    first = next(at for at, sample in enumerate(samples) if sample["held"])
    return samples[first:]
