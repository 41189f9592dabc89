"""A big screen at a table of Cards, and a user who continues on another device."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.utils import timezone
from playwright.sync_api import Page, ViewportSize, expect

from games.models import Member
from tests.kit.browser import PHONE, look, open_panel, open_table, start
from tests.kit.cards_in_browsers import play
from tests.kit.stage import SIZES, lay_out
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

MEETING = """() => {
  const what = (one) => `${one.className} ${one.textContent}`;
  const box = (one) => Object.assign(one.getBoundingClientRect(), { what: what(one) });
  const seen = (one) => one.checkVisibility({ visibilityProperty: true }) && box(one).width > 2;
  const meet = (a, b) => a.left < b.right - 2 && b.left < a.right - 2
    && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  const seats = [...document.querySelectorAll("#seats .seat")].map((seat) =>
    [...seat.querySelectorAll(".face, .name, .badge")].filter(seen).map(box));
  const found = [];
  seats.forEach((seat, at) => {
    for (const one of seat) {
      const others = (seats[at + 1] ?? []).filter((other) => meet(one, other));
      found.push(...others.map((other) => `${one.what} meets ${other.what}`));
    }
  });
  for (const selector of [".beside", "#to-be-heard"]) {
    const corner = box(document.querySelector(selector));
    const covered = seats.flat().filter((one) => meet(one, corner));
    found.push(...covered.map((one) => `${selector} covers ${one.what}`));
  }
  const row = box(document.querySelector(".above"));
  for (const one of document.querySelectorAll("#status > *")) {
    const { top, bottom } = box(one);
    const leaves = top < row.top - 1 || bottom > row.bottom + 1;
    if (seen(one) && leaves) found.push(`${one.textContent} leaves the row`);
  }
  return found;
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


def test_big_screen_shows_the_luck_code_at_the_start_of_a_match(person: People) -> None:
    ann, television = person(PHONE), person(TELEVISION, own=True)
    television.goto(f"/t/{open_table(ann, 'Ann', 'coup', bots=3, pace='none')}/screen/")
    expect(television.locator("#seats .seat:not(.chair)")).to_have_count(4)
    start(ann)
    code = television.locator("#log-lines .luck")
    expect(code).to_have_text(ann.locator("#log-lines .luck").text_content() or "no code")
    expect(code).to_be_visible()
    expect(television.locator("#log-lines .line:not(.luck):visible")).to_have_count(0)
    television.evaluate("""for (let n = 0; n < 8; n++) document.getElementById("log-lines")
      .insertAdjacentHTML("beforeend", "<p class='line'>A later act.</p>")""")
    expect(code).to_be_hidden()


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


@pytest.mark.parametrize("game", ["chamber", "secret_hitler", "cards"])
@pytest.mark.django_db(transaction=True)
def test_seats_of_absent_players_are_apart_on_a_big_screen_of_any_size(
    person: People, game: str
) -> None:
    ann, screen = person(PHONE), person(TELEVISION, own=True)
    screen.goto(f"/t/{open_table(ann, 'Ann', game)}/screen/")
    expect(screen.locator("#to-be-heard")).to_be_visible()
    staged = Staged(game)
    Member.objects.filter(room=staged.room).update(away_since=timezone.now())
    moment = next(one for one in staged.moments(examples=(1,)) if one.eyes == "watching")
    seats = moment.regions["seats"].replace("button", "span")
    put(screen, {**{id: moment.regions[id] for id in ("status", "board")}, "seats": seats})
    expect(screen.locator(".seat.away")).to_have_count(len(staged.people))
    found = []
    for size in (TELEVISION, *SIZES):
        lay_out(screen, size)
        found += [f"{size['width']}: {one}" for one in screen.evaluate(MEETING)]
    assert not found, "\n".join(found)


@pytest.mark.django_db(transaction=True)
def test_buttons_for_sound_are_below_the_headline_if_people_can_only_watch(person: People) -> None:
    ann, screen = person(PHONE), person(TELEVISION, own=True)
    screen.goto(f"/t/{open_table(ann, 'Ann', 'mia')}/screen/")
    expect(screen.locator("#to-be-heard")).to_be_visible()
    moment = next(one for one in Staged("mia").moments() if one.eyes == "watching")
    put(screen, {id: moment.regions[id] for id in ("status", "board")})
    screen.locator("#join-in").evaluate("one => { one.textContent = 'Auf dem Handy zuschauen'; }")
    buttons, row = (screen.locator(one).bounding_box() for one in ("#to-be-heard", ".above"))
    assert buttons
    assert row
    assert buttons["y"] >= row["y"] + row["height"]


@pytest.mark.django_db(transaction=True)
def test_last_moment_of_a_match_has_all_seats_on_a_big_screen(person: People) -> None:
    ann, screen = person(PHONE), person(TELEVISION, own=True)
    screen.goto(f"/t/{open_table(ann, 'Ann', 'secret_hitler')}/screen/")
    expect(screen.locator("#to-be-heard")).to_be_visible()
    moments = Staged("secret_hitler").moments(examples=(1,))
    last = next(one for one in moments if one.phase == "over" and one.eyes == "watching")
    seats = last.regions["seats"].replace("button", "span")
    put(screen, {**{id: last.regions[id] for id in ("status", "board", "ending")}, "seats": seats})
    expect(screen.locator(".beside > .again")).to_be_visible()
    screen.evaluate("document.body.classList.add('is-showing')")  # the last act is still shown
    expect(screen.locator(".beside > .again")).to_be_hidden()
    assert screen.evaluate(MEETING) == []
