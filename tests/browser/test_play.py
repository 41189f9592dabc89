"""Whole matches in real browsers: against bots, among human players, and with spectators."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Request, Route, expect

from tests.kit.browser import (
    PHONE,
    hear_events,
    join,
    let_stand,
    open_panel,
    open_table,
    play_now,
    play_on,
    play_until,
    say,
    shown,
    start,
    until_mine,
)
from tests.kit.browser_scripts import LET_STAND
from tests.kit.served import Served
from tests.kit.waiting import patiently

People = Callable[..., Page]


@pytest.mark.slow
def test_iron_throne_is_played_to_the_end_with_sealed_answers(person: People) -> None:
    page = person(animated=True)
    open_table(page, "Ann", "coup", bots=3, windowMode="sealed")
    start(page)
    play_on(page)
    expect(page.locator("#status .sentence")).to_contain_text(re.compile(r"\bwins?: "))


def test_reload_second_tab_and_back_button_show_the_same_seat(person: People) -> None:
    page = person()
    play_now(page, "Ann")
    until_mine(page)
    page.reload()
    expect(page.locator(".seat.you .name")).to_have_text("Ann")
    second = page.context.new_page()
    second.goto(page.url)
    expect(second.locator(".seat.you .name")).to_have_text("Ann")
    expect(second.locator("#actions form")).not_to_have_count(0)
    page.goto("/")
    page.go_back()
    expect(page.locator(".seat.you .name")).to_have_text("Ann")
    until_mine(page)


def hear_from(page: Page) -> None:
    """Wait for an answer from the server.

    By then, the server has processed everything that this page sent.
    """
    open_panel(page, "chat")
    page.fill("#message", "Anybody there?")
    page.press("#message", "Enter")
    expect(page.locator("#chat-lines")).to_contain_text("Anybody there?")


def test_a_double_click_makes_one_move(person: People) -> None:
    page = person()
    open_table(page, "Ann", bots=1)
    start(page)
    play_until(shown(".act-roll button"), page)
    let_stand(page)
    rolled = page.locator("#log-lines").inner_text().count("You roll.")
    page.locator(".act-roll button").dblclick()
    page.wait_for_selector("#hand:not([hidden])")
    hear_from(page)
    assert page.locator("#log-lines").inner_text().count("You roll.") == rolled + 1


def test_tapped_button_stays_pressed_until_the_update_arrives(person: People) -> None:
    page = person()
    open_table(page, "Ann", bots=1)
    start(page)
    play_until(shown(".act-roll button"), page)
    pressed = page.evaluate(
        f"""() => {{
            ({LET_STAND})();  // in the same turn of the page: no update makes the button new
            const button = document.querySelector('.act-roll button');
            button.click();
            return button.classList.contains('sent');
        }}"""
    )
    assert pressed
    expect(page.locator(".act-announce").first).to_be_visible()
    expect(page.locator(".sent")).to_have_count(0)


def test_a_tap_on_a_button_that_has_just_appeared_does_nothing(person: People) -> None:
    page = person()
    open_table(page, "Ann", bots=1)
    start(page)
    play_until(shown(".act-roll button"), page)
    page.evaluate(
        f"""() => {{
            window.sent = 0;
            document.addEventListener('htmx:before:ws:request', e => {{
                if (e.detail.body.move === 'Announce') window.sent += 1;
            }});
            document.addEventListener('htmx:after:ws:message', () => {{
                const button = document.querySelector('.act-announce button');
                if (button && !window.tapped) {{ window.tapped = true;
                    const tap = {{ bubbles: true, cancelable: true, detail: 1 }};
                    button.dispatchEvent(new MouseEvent('click', tap)); }}
            }});
            ({LET_STAND})();
            document.querySelector('.act-roll button').click();
        }}"""
    )
    page.wait_for_function("() => window.tapped")
    hear_from(page)
    assert page.evaluate("window.sent") == 0
    let_stand(page)
    page.locator(".act-announce button:visible").first.click()
    page.wait_for_function("() => window.sent === 1")


CHANGE_SIDES = """async times => {
  const button = () => [...document.querySelectorAll("#setup .start form")].at(-1).lastElementChild;
  for (let n = 0; n < times; n += 1) {
    const before = button().textContent, from = performance.now();
    button().click();
    while (button().textContent === before) {
      if (performance.now() - from > 60000) throw new Error(`${before} is not heard`);
      await new Promise(requestAnimationFrame);
    }
  }
}"""
"""Switch between watching and playing this often, waiting for each confirmation."""


@pytest.mark.slow
def test_typing_in_the_chat_survives_fifty_updates(person: People) -> None:
    ann, bob = person(), person()
    code = open_table(ann, "Ann")
    join(bob, code, "Bob")
    open_panel(ann, "chat")
    ann.fill("#message", "a thought half typed")
    ann.focus("#message")
    ann.evaluate("document.querySelector('#message').setSelectionRange(2, 9)")
    bob.evaluate(CHANGE_SIDES, 50)
    say(bob, "That was the last time.")
    expect(ann.locator("#chat-lines")).to_contain_text("the last time")
    state = ann.evaluate(
        """() => { const m = document.querySelector('#message');
        return [document.activeElement === m, m.value, m.selectionStart, m.selectionEnd]; }"""
    )
    assert state == [True, "a thought half typed", 2, 9]


def test_tap_before_the_scripts_load_takes_effect_afterwards(person: People) -> None:
    ann, bob = person(), person(own=True)
    code = open_table(ann, "Ann")
    join(bob, code, "Bob")
    late: list[Route] = []
    bob.route("**/ext/hx-ws-4*.js", lambda route: late.append(route))
    bob.goto(f"/t/{code}/", wait_until="commit")
    bob.locator("#setup .start form").last.locator("button").click(no_wait_after=True)
    for script in late:
        script.continue_()
    expect(bob.locator("#setup .start form").last.locator("button")).to_have_text("Sit down")


LOADED = """() => performance.getEntriesByType("resource")
  .some(({ name }) => name.includes("/verify."))"""
"""Whether the last script has arrived, which another script imports."""


def test_offline_notice_is_shown_at_once_and_hidden_when_back_online(person: People) -> None:
    page = person(own=True)
    play_now(page, "Ann")
    page.wait_for_function(LOADED)
    page.context.set_offline(True)
    page.evaluate("window.dispatchEvent(new Event('offline'))")
    expect(page.locator("#offline")).to_be_visible()
    page.context.set_offline(False)
    page.reload()
    expect(page.locator("#offline")).to_be_hidden()
    page.wait_for_selector("#seats .seat")


def test_moves_are_sent_from_an_insecure_context(person: People, served: Served) -> None:
    page = person(base=f"http://parlour.test:{served.port}")
    play_now(page, "Ann")
    assert page.evaluate("window.isSecureContext") is False
    until_mine(page)
    before = page.locator("#log-lines .line").count()
    play_until(f"document.querySelectorAll('#log-lines .line').length > {before}", page)


def test_table_list_updates_automatically(person: People) -> None:
    ann, bob = person(), person(PHONE)
    bob.goto("/")
    code = open_table(ann, "Ann", public=True)
    expect(bob.locator(f"#table-{code}")).to_contain_text("Ann")
    open_panel(ann, "more")
    ann.click(".sure summary")
    ann.click(".sure button")
    expect(bob.locator(f"#table-{code}")).to_have_count(0)


@pytest.mark.slow
def test_daphne_serves_a_whole_match(
    person: People, tmp_path_factory: pytest.TempPathFactory
) -> None:
    server = Served(tmp_path_factory.mktemp("daphne"), "daphne", BOT_DELAY="0.05")
    server.prepare()
    server.start()
    try:
        page = person(base=server.url)
        open_table(page, "Ann", bots=1, lives="1")
        start(page)
        play_on(page)
    finally:
        server.stop()


SCRIPTS = ("hx-ws", "htmx-4", "room")


@pytest.mark.slow
@pytest.mark.parametrize("late", SCRIPTS)
def test_page_works_if_one_script_loads_late(person: People, late: str) -> None:
    page = person(own=True)

    others = set(SCRIPTS) - {late}
    come: set[str] = set()

    def note(request: Request) -> None:
        come.update(name for name in SCRIPTS if f"/{name}" in request.url)

    def delay(route: Route) -> None:
        for _ in patiently(f"not all of {others} come"):
            if come >= others:
                break
            hear_events(page)
        come.clear()
        route.continue_()

    page.on("requestfinished", note)
    page.route(f"**/{late}*.js", delay)
    open_table(page, "Ann", bots=1)
    start(page)
    expect(page.locator("#seats .seat")).to_have_count(2)
