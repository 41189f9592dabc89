"""A big screen at a table of Cards, and a user who continues on another device."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.kit.browser import PHONE, look, open_panel, open_table, start
from tests.kit.cards_in_browsers import play
from tests.kit.staged import Staged, put

pytestmark = pytest.mark.slow

People = Callable[..., Page]
TELEVISION: ViewportSize = {"width": 1920, "height": 1080}
LARGE: ViewportSize = {"width": 3840, "height": 2160}

VOICE = """window.spoken = [];
window.SpeechSynthesisUtterance = class extends EventTarget {
  constructor(text) { super(); this.text = text; }
};
Object.defineProperty(window, "speechSynthesis", { value: {
  cancel() {},
  speak(words) {
    if (words.text) window.spoken.push(words.text);
    setTimeout(() => words.dispatchEvent(new Event("end")));
  },
} });"""
PRESSABLE = """[...document.querySelectorAll("button, a:not(.skip), input, summary")]
  .filter((one) => one.checkVisibility()).length"""
SCROLLS = """(() => {
  const { scrollWidth, scrollHeight } = document.documentElement;
  return scrollWidth > innerWidth || scrollHeight > innerHeight;
})()"""


CUT = """() => {
  const stage = document.querySelector(".stage").getBoundingClientRect();
  const { left, top, right } = document.querySelector(".scene").getBoundingClientRect();
  const PARTS_OF_SEATS = ".sh-ballot, .sh-office, .seat .name, .seat .held";
  const { top: above } = document.querySelector(".above").getBoundingClientRect();
  const scene = { left, top, right, bottom: above };
  const outside = (frame) => (one) => {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const across = left < frame.left - 1 || right > frame.right + 1;
    return across || top < frame.top - 1 || bottom > frame.bottom + 1;
  };
  return [
    ...[...document.querySelectorAll(PARTS_OF_SEATS)].filter(outside(stage)),
    ...[...document.querySelectorAll(".step, .stake, .lying, .sh-banner")].filter(outside(scene)),
  ].map((one) => one.outerHTML);
}"""


def _width(page: Page, selector: str) -> float:
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["width"]


def test_big_screen_reads_answers_aloud_and_phones_become_controllers(
    person: People,
) -> None:
    ann, television = person(PHONE), person(TELEVISION, own=True)
    television.add_init_script(VOICE)
    code = open_table(ann, "Ann", "cards", bots=2, pace="none")
    television.goto(f"/t/{code}/screen/")
    expect(television.locator(".invitation .code-large")).to_have_text(code)
    expect(ann.locator("#status[data-screen]")).to_have_count(1)
    expect(television.locator("#seats .seat:not(.chair)")).to_have_count(3)
    television.click("[data-heard=aloud]")
    expect(television.locator("#to-be-heard")).to_be_hidden()
    start(ann)
    seats = ann.locator("#seats").bounding_box()
    assert seats is not None
    assert seats["y"] < 100  # no empty space above the table
    play(ann)
    expect(television.locator("#reading")).to_contain_text("answer")
    answers = [
        one.locator("mark").all_text_contents() for one in television.locator(".ballot li").all()
    ]
    television.wait_for_function("many => window.spoken.length === many", arg=len(answers))
    spoken = television.evaluate("window.spoken")
    for said, answer in zip(spoken, answers, strict=True):
        assert all(card.strip("\u2068\u2069").lower() in said.lower() for card in answer)
    assert television.evaluate(PRESSABLE) == 0
    assert not television.evaluate(SCROLLS)
    expect(television.locator(".beside .qr")).to_be_visible()
    narrow = _width(television, ".beside .code-large code")
    television.set_viewport_size(LARGE)
    assert abs(_width(television, ".beside .code-large code") / narrow - 2) < 0.05
    expect(television.locator("#hand, #actions, #chat-lines")).to_have_count(0)


def test_person_can_continue_on_another_device(person: People) -> None:
    phone, tablet = person(PHONE), person(PHONE)
    code = open_table(phone, "Ann")
    open_panel(phone, "more")
    phone.click("text=Play on another device")
    shown = phone.locator("#sheet .code-large").inner_text()
    expect(phone.locator("#sheet .qr")).to_be_visible()
    tablet.goto("/device/")
    look(tablet)
    tablet.fill("#code", shown.lower())
    tablet.click("text=Go on")
    tablet.click("text=Play on as Ann")
    tablet.wait_for_url(f"**/t/{code}/")
    expect(tablet.locator(".seat.you .name")).to_have_text("Ann")
    expect(phone.locator("#notice")).to_have_text(
        "You play on another device now. This one is logged out."
    )
    expect(phone.locator("#sheet")).to_be_hidden()
    phone.goto(f"/t/{code}/")
    expect(phone.locator("main")).to_contain_text("You play on another device now")
    phone.goto(f"/device/{shown.replace('-', '')}/")
    expect(phone.locator("main")).to_contain_text("This code has been used")


@pytest.mark.parametrize("game", ["chamber", "secret_hitler", "coup"])
@pytest.mark.django_db(transaction=True)
def test_full_table_is_not_truncated_on_a_big_screen(person: People, game: str) -> None:
    ann, television = person(PHONE), person(TELEVISION)
    code = open_table(ann, "Ann", game)
    television.goto(f"/t/{code}/screen/")
    expect(television.locator(".invitation .code-large")).to_have_text(code)
    moments = Staged(game).moments(examples=(1, 4))
    watched = [one for one in moments if one.eyes == "watching" and one.phase != "over"]
    assert watched
    for moment in watched:
        seats = moment.regions["seats"].replace("button", "span")  # seats are not buttons there
        put(television, {"seats": seats, "board": moment.regions["board"]})
        assert television.evaluate(CUT) == [], moment.kind
