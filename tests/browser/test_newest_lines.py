"""Growing lists stay scrolled to the newest entry."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.kit.browser import play_now, say

AT_THE_END = """() => {
  const list = document.querySelector("#chat-lines");
  return list.scrollHeight > list.clientHeight
    && list.scrollTop + list.clientHeight > list.scrollHeight - 2;
}"""
LONG = "what is said at length fills a list of any size. " * 4


def test_the_newest_line_of_the_chat_is_in_sight(person: Callable[..., Page]) -> None:
    ann = person()
    play_now(ann, "Ann")
    for at in range(5):
        say(ann, f"{at} {LONG}")
        expect(ann.locator("#chat-lines .line").last).to_contain_text(f"{at} what")
    ann.wait_for_function(AT_THE_END)
