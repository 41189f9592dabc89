"""Decks in a browser: upload one, play with it, ban a card forever."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.kit.browser import (
    PHONE,
    act_and_wait,
    look,
    look_all_round,
    open_panel,
    open_table,
    play_on,
    start,
)

pytestmark = pytest.mark.slow

People = Callable[..., Page]

HOSTILE = [f"<b>bold {n} & '\"</b> {'x' * 120}" for n in range(60)]


def deck_file(folder: Path) -> Path:
    lines = ["kind,text", *(f"prompt,<i>Why</i> {n} _?" for n in range(20))]
    lines += ['answer,"' + text.replace('"', '""') + '"' for text in HOSTILE]
    path = folder / "hostile.csv"
    path.write_text("\n".join(lines), "utf-8")
    return path


def bring(page: Page, folder: Path) -> None:
    page.goto("/decks/new/")
    page.fill("#id_name", "<u>Geese</u>")
    page.set_input_files("#id_file", deck_file(folder))
    page.click("main form button.main")
    expect(page.get_by_text("Nothing is saved yet")).to_be_visible()
    look_all_round(page)
    page.click("button[name=keep]")
    page.wait_for_url("**/decks/*geese*/")


def test_deck_can_be_uploaded_and_downloaded(person: People, tmp_path: Path) -> None:
    page = person()
    page.goto("/decks/new/")
    look_all_round(page)
    open_table(page, "Ann")
    page.goto("/decks/new/")
    look_all_round(page)
    page.fill("#id_name", "Bad")
    page.fill("#id_text", "kind,text\nanswer,\nanswer,\n")
    page.click("main form button.main")
    expect(page.locator(".problems li")).to_have_count(2)
    page.fill("#id_text", "kind,text\nanswer,\nanswer,a goose\n")
    page.click("main form button.main")
    look_all_round(page)
    page.get_by_role("button", name="Leave these out").click()
    expect(page.get_by_text("Nothing is saved yet")).to_be_visible()
    bring(page, tmp_path)
    look_all_round(page)
    with page.expect_download() as downloading:
        page.get_by_role("link", name="Download CSV").click()
    assert "bold 59" in downloading.value.path().read_text("utf-8")
    page.goto("/decks/")
    expect(page.get_by_text("<u>Geese</u>")).to_be_visible()
    look_all_round(page)


def test_table_plays_with_an_uploaded_deck_and_vetoes_a_card(
    person: People, tmp_path: Path
) -> None:
    page = person(PHONE)
    open_table(page, "Ann")
    bring(page, tmp_path)
    page.goto("/new/cards/")
    page.fill("#id_bots", "2")
    page.click("main details summary")
    page.check("input[name=option-packs][value*=geese]")
    page.uncheck("input[name=option-packs][value=own]")
    page.fill("#option-maxRounds", "2")
    page.click("main button.main")
    page.wait_for_selector("#people li", state="attached")
    start(page)
    page.wait_for_selector("#status.mine[data-phase=play]")
    act_and_wait(page)
    page.wait_for_selector("#status.mine[data-phase=vote]")
    assert page.locator("#board b, #actions b, #hand b, #log-lines b").count() == 0
    look(page)
    act_and_wait(page)
    page.wait_for_selector(".vetoes summary")
    page.click(".vetoes summary")
    page.locator(".vetoes button").first.click()
    expect(page.locator("#notice")).to_contain_text("dealt at this table")
    play_on(page)
    look(page)
    open_panel(page, "more")
    page.click("#to-ruleset")
    page.click("#all-options > summary")
    expect(page.locator("input[name=option-vetoed]")).to_have_count(1)
    page.click("input[name=option-vetoed]")  # saved, and removed at once
    expect(page.locator("input[name=option-vetoed]")).to_have_count(0)
