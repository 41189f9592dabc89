"""A host with a troublemaker, and a moderator with many reports, in real browsers."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.kit.browser import (
    PASSWORD,
    PHONE,
    SMALLEST,
    join,
    look,
    look_all_round,
    open_panel,
    open_table,
)
from tests.kit.served import Served

pytestmark = pytest.mark.slow

People = Callable[..., Page]


REPORTS = 8
MAKE_REPORTS = """
from accounts.models import User
from chat.models import Message
from django.contrib.auth.models import Group
from games import rooms
from games.models import Member, Room
from moderation import reports
from moderation.models import Report

Report.objects.all().delete()  # those of other tests
mod = User.objects.create_user("Mod", password="{password}", is_staff=True)
mod.groups.add(Group.objects.get(name="Moderators"))
room = Room.objects.get(code="{code}")
bob = Member.objects.get(room=room, name="Bob").user
told = []
for n in range(2):
    one = User.objects.create(username=f"told{{n}}", name=f"Teller {{n}}", is_guest=True)
    told.append(one)
    rooms.join(room.code, one.pk, str(one)).result()
for n in range({reports}):
    said = Message.objects.create(
        thread=rooms.thread(room.pk), author=bob, name="Bob", text=f"you turnip no. {{n}}"
    )
    reports.from_table(
            room.pk, told[n % 2].pk, "message", str(said.pk), "insult", "He never stops."
        ).result()
"""

MAKE_ADMIN = """
from accounts.models import User
User.objects.create_superuser("Chief", password="{password}")
"""


def say(page: Page, text: str) -> None:
    open_panel(page, "chat")
    page.fill("#message", text)
    page.click("#say button")


def tools(page: Page, name: str) -> Locator:
    """Open the actions for a member in the list."""
    found = page.locator("#sheet")
    if not found.evaluate("sheet => sheet.matches(':popover-open')"):
        open_panel(page, "people")
        page.locator("#people").get_by_role("button", name=name, exact=True).click()
    return found


def test_host_can_report_mute_block_and_kick_a_player(person: People) -> None:
    ann, bob = person(SMALLEST), person()
    code = open_table(ann, "Ann")
    join(bob, code, "Bob")
    say(bob, "you turnip")
    open_panel(ann, "chat")
    line = ann.locator("#chat-lines .line", has_text="you turnip")
    expect(line).to_be_visible()
    line.locator(".report > summary").click()
    fields = line.locator("select, input[name=note]")
    widths = {round(field.bounding_box()["width"]) for field in fields.all()}  # type: ignore[index]
    assert len(widths) == 1, "reasons and details have a line each"
    line.locator("select").select_option("spam")
    line.locator("input[name=note]").fill("again and again")
    say(bob, "and again")
    expect(ann.locator("#chat-lines")).to_contain_text("and again")
    expect(line.locator("input[name=note]")).to_have_value("again and again")
    look_all_round(ann)
    line.locator("button").click()
    expect(ann.locator("#notice")).to_contain_text("A moderator will look at it")
    expect(ann.locator("#notice p")).to_be_in_viewport()
    expect(line.locator("select")).to_be_hidden()
    sheet = tools(ann, "Bob")
    sheet.get_by_text("Report", exact=True).first.click()
    look_all_round(ann)
    sheet.locator("select[name=what]").select_option("name")
    sheet.locator(".report button").click()
    expect(sheet).to_be_hidden()
    expect(ann.locator("#people").get_by_role("button", name="Bob", exact=True)).to_be_focused()
    expect(ann.locator("#notice")).to_contain_text("A moderator will look at it")
    tools(ann, "Bob").locator("button:text-is('Mute')").click()
    expect(line).to_have_count(0)
    expect(bob.locator("#chat-lines")).to_contain_text("you turnip")
    expect(tools(ann, "Bob").locator("button:text-is('Unmute')")).to_be_visible()
    tools(ann, "Bob").locator("button:text-is('Block')").click()
    expect(tools(ann, "Bob").locator("button:text-is('Unblock')")).to_be_visible()
    tools(ann, "Bob").locator("text=Kick").click()
    expect(bob.locator("#notice")).to_contain_text("You were removed")
    other = open_table(ann, "Ann")
    bob.goto(f"/t/{other}/")
    bob.click("main button.main")
    expect(bob.locator("main")).to_contain_text("You were removed")
    ann.goto("/you/")
    look_all_round(ann)
    ann.click("#mutes-and-blocks >> text=Undo")
    expect(ann.locator("main")).to_contain_text("no longer muted or blocked")
    bob.goto(f"/t/{other}/")
    bob.click("main button.main")
    bob.wait_for_selector("#people li", state="attached")


def decide(page: Page, action: str, reason: str = "", length: str = "day") -> None:
    page.select_option("#id_action", action)
    page.select_option("#id_length", length)
    page.fill("#id_reason", reason)
    page.click("text=Decide and go to the next report")
    expect(page.locator(".messagelist")).to_contain_text("Done.")


def test_moderator_can_work_through_many_reports(person: People, served: Served) -> None:
    bob, mod = person(), person(PHONE, has_touch=True, is_mobile=True)
    code = open_table(bob, "Bob")
    made = MAKE_REPORTS.format(password=PASSWORD, code=code, reports=REPORTS)
    served.manage("shell", "-c", made)
    bob.reload()
    bob.wait_for_selector("#people li", state="attached")
    mod.goto("/admin/")
    mod.fill("#id_login", "Mod")
    mod.fill("#id_password", PASSWORD)
    mod.click("main button.main")
    mod.click("text=Reports")
    mod.goto("/admin/moderation/report/?state=open")
    rows = mod.locator("#result_list tbody tr")
    expect(rows).to_have_count(REPORTS)
    expect(rows.first).to_contain_text(f"{REPORTS} times")
    mod.click("#result_list tbody tr:first-child a")
    expect(mod.locator("#content")).to_contain_text("Teller 0 reports Bob's message")
    expect(mod.locator("#content")).to_contain_text("He never stops.")
    assert mod.evaluate("document.documentElement.scrollWidth <= innerWidth")

    decide(mod, "warn", "Please be kind.")
    expect(bob.locator("#words")).to_contain_text("A moderator warned you: Please be kind.")
    bob.click("text=Please read and confirm")
    expect(bob.locator("#words")).to_contain_text("Please be kind.")
    look(bob)
    bob.click("text=Got it")
    expect(bob.locator("#words")).not_to_contain_text("Please be kind.")
    bob.goto(f"/t/{code}/")
    open_panel(bob, "chat")
    expect(bob.locator("#chat-lines")).to_contain_text("you turnip no. 1")

    removed = bob.locator(".line", has_text="you turnip no. 1").locator("nth=0")
    expect(removed).to_be_visible()
    decide(mod, "remove", "An insult.")
    expect(bob.locator("#words")).to_contain_text("removed your message “you turnip no. 1”")
    expect(bob.locator("#chat-lines .line:has-text('no. 1')")).to_have_count(0)
    expect(bob.locator("#chat-lines .line:has-text('no. 2')")).to_have_count(1)
    for _ in range(REPORTS - 4):
        decide(mod, "nothing")
    decide(mod, "mute", "Still no end of it.", "hour")
    expect(bob.locator("#words")).to_contain_text("Still no end of it.")
    say(bob, "hello?")
    expect(bob.locator("#notice")).to_contain_text("A moderator muted you until")
    decide(mod, "lock", "Enough.", "week")
    expect(mod.locator("#content")).to_contain_text(f"{REPORTS} reports")
    expect(bob.locator("#notice")).to_contain_text("A moderator banned you")
    bob.goto("/")
    expect(bob.locator("main")).to_contain_text("Enough.")
    expect(bob.locator("main")).to_contain_text("UTC")
    look(bob)
    bob.context.clear_cookies(name="sessionid")
    bob.goto("/")
    expect(bob.locator("main")).to_contain_text("Enough.")


LONG = "Donaudampfschifffahrtsgesellschaftskapitän"
MAKE_LONG = """
from accounts.models import User
from games import rooms
from games.models import Deck
from moderation.models import Report

chief = User.objects.get(username="Chief")
made = rooms.open_room(chief.pk, "mia", "{long}"[:20], {{}}).result()
deck = Deck.objects.create(slug="long", name="{long}", language="de", pack="{{}}", owner=chief)
report = Report.objects.create(kind="name", reason="spam", what="{long}", by=chief, about=chief)
print(made.room_id, deck.pk, report.pk)
"""
BROKEN = r"""() => {
  const found = [];
  const walk = document.createTreeWalker(document.querySelector("#content"), NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walk.nextNode()) {
    const text = walk.currentNode;
    if (!text.parentElement.matches(":is(th, td) :not(pre), th, td")) continue;
    for (const word of text.data.matchAll(/(?<![^\s])[\p{L}\d.]{1,24}(?![^\s])/gu)) {
      range.setStart(text, word.index);
      range.setEnd(text, word.index + word[0].length);
      if (range.getClientRects().length > 1) found.push(word[0]);
    }
  }
  const buttons = [...document.querySelectorAll("#content [type=submit]")];
  const cut = buttons.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.value);
  return [...found, ...cut];
}"""
"""Words in tables that break in the middle, and buttons whose text is cut off."""


def test_back_office_breaks_no_word_on_a_small_phone(person: People, served: Served) -> None:
    served.manage("shell", "-c", MAKE_ADMIN.format(password=PASSWORD))
    made = served.manage("shell", "-v0", "-c", MAKE_LONG.format(long=LONG)).split()
    room, deck, report = made
    page = person(SMALLEST, locale="de-DE")
    page.goto("/admin/")
    page.fill("#id_login", "Chief")
    page.fill("#id_password", PASSWORD)
    page.click("main button.main")
    found = {}
    for address in (
        "",
        "operations/",
        f"games/room/{room}/change/",
        f"games/deck/{deck}/history/",
        f"moderation/report/{report}/change/",
        "accounts/user/add/",
    ):
        page.goto(f"/admin/{address}")
        expect(page.locator("#content")).to_be_visible()
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        found[address] = [*page.evaluate(BROKEN), *([f"{wide}px too wide"] if wide > 0 else [])]
    assert not {address: wrong for address, wrong in found.items() if wrong}


def test_fields_of_the_back_office_fit_beside_its_menu(person: People, served: Served) -> None:
    served.manage("shell", "-c", MAKE_ADMIN.format(password=PASSWORD).replace("Chief", "Boss"))
    page = person({"width": 844, "height": 390}, locale="de-DE")
    page.goto("/admin/")
    page.fill("#id_login", "Boss")
    page.fill("#id_password", PASSWORD)
    page.click("main button.main")
    page.goto("/admin/auth/group/1/change/")
    expect(page.locator(".selector-chosen")).to_be_visible()
    cut = """[...document.querySelectorAll(".form-row")]
      .filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.className)"""
    assert page.evaluate(cut) == []
