"""Film a match: `python -m tests.film GAME FILE.webp`.

A player plays against bots at human pace, on a phone-sized browser, with screenshots at regular
intervals. Identical frames are merged into a longer one.
"""

from __future__ import annotations

import argparse
import io
import tempfile
import time
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, ViewportSize, sync_playwright

from tests.installed import FLAGS, chromium
from tests.kit.browser import act, is_over, open_table, start
from tests.kit.served import Served

PHONE: ViewportSize = {"width": 390, "height": 780}
WIDTH = 300
"""Size of the film in pixels."""
EVERY = 0.35
"""Seconds between two frames, both captured and shown."""
THINKS = 5
"""Number of frames for which a question is shown before it is answered."""

Frame = tuple[Image.Image, int]
"""A picture and its duration in milliseconds."""


def film(page: Page, seconds: float) -> list[Frame]:
    """Play for this long, or until the match ends. Return the frames."""
    frames: list[Frame] = []
    waited = 0
    for _ in range(int(seconds / EVERY)):
        begun = time.monotonic()
        _add(frames, page)
        if is_over(page):
            break
        asked = page.locator("#actions form button:enabled").count() > 0
        waited = waited + 1 if asked else 0
        if waited > THINKS:
            act(page)
            waited = 0
        time.sleep(max(0.0, EVERY - (time.monotonic() - begun)))
    return frames


def _add(frames: list[Frame], page: Page) -> None:
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    small = shot.resize((WIDTH, round(shot.height * WIDTH / shot.width)), Image.Resampling.LANCZOS)
    if frames and small.tobytes() == frames[-1][0].tobytes():
        small, stood = frames.pop()
        frames.append((small, stood + round(EVERY * 1000)))
    else:
        frames.append((small, round(EVERY * 1000)))


def main() -> None:
    """Play, take screenshots, write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game")
    parser.add_argument("file", type=Path)
    parser.add_argument("--bots", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=25.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        served = Served(Path(folder), BEATS="1", BOT_DELAY="0.8")
        served.manage("prepare")
        served.start()
        try:
            browser = playwright.chromium.launch(executable_path=chromium(), args=FLAGS)
            context = browser.new_context(
                base_url=served.url, viewport=PHONE, color_scheme="dark", device_scale_factor=1
            )
            page = context.new_page()
            open_table(page, "You", given.game, bots=given.bots)
            start(page)
            frames = film(page, given.seconds)
            browser.close()
        finally:
            served.stop()
    first, *rest = [picture for picture, _ in frames]
    stands = [milliseconds for _, milliseconds in frames]
    first.save(given.file, save_all=True, append_images=rest, duration=stands, loop=0, quality=55)
    print(f"{given.file}: {len(frames)} frames, {given.file.stat().st_size // 1024} KB")


if __name__ == "__main__":
    main()
