"""Play a match of each game to its end with only the accessibility tree and the keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from games.registry import GAMES
from tests.kit.accessibility import Node, Reader
from tests.kit.browser import QUICK, let_stand, open_table, play_now, wait_for_change
from tests.kit.waiting import patiently

pytestmark = pytest.mark.slow

People = Callable[..., Page]
SHORT = {
    **QUICK,
    "chamber": {"startLives": "3", "itemsPerRound": "0", "maxRounds": "3"},
    "mia": {"lives": "2"},
}
"""Two bots cannot take three lives before everybody has had a turn. test_chamber.py uses items."""
FACTS = {
    "cards": r"Score: \d+ of \d+ Cards in hand: \d+",
    "chamber": r"Lives: \d|\bout\b",
    "coup": r"(face down|face up).* \d+ Golden dragons",
    "mia": r"Lives: \d|\bout\b",
    "secret_hitler": r"",
}
"""Announcements about everybody at the table."""
SECRETS = {
    "cards": r"Your hand",
    "coup": r"(Petyr Baelish|Hound|Jaqen|Arya|Melisandre)",
    "mia": r"Only you see this: (\d-\d|Mia)",
    "secret_hitler": r"Your role",  # the rest needs a long press
}
"""Patterns of the announcement of secrets to their owner."""
ALWAYS = ("coup", "secret_hitler")
BOARDS = {
    "cards": r"Round \d",
    "chamber": r"Round \d.*(\d live|not loaded)",
    "coup": r"\d+ cards? in the deck",
    "mia": r"Round \d",
    "secret_hitler": r"Liberal policies \d/5.*Fascist policies \d/6.*elections \d/3",
}
TO_YOU = {
    "You hold the gun. Who?": "You hold the gun.",
    "Your turn. What do you do?": "You choose an action",
}
"""Texts by which the scene, otherwise equal for everybody, addresses the player asked."""
WAYS = ("What you can do", "While you watch")
"""Regions that may offer actions during a match."""


class Listener(Reader):
    """A player who reads announcements, moves through the answers by keyboard, and chooses one."""

    game = ""
    asked = 0

    def play(self) -> Node:
        """Play until the end of the match is announced. Return that announcement."""
        for _ in patiently(lambda: f"the match does not end: {self.read().text}"):
            told = self.read()
            if told.find("region", "The end of the match"):
                return told
            way = next((one for name in WAYS if (one := told.find("region", name))), None)
            if way is None or not way.answers:
                wait_for_change(self.page)
                continue
            if way.name == WAYS[0]:
                self.understand(told, way)
            self.answer(way)
        raise AssertionError

    def understand(self, told: Node, way: Node) -> None:
        """Check that everything needed for this answer is announced."""
        self.asked += 1
        now = told.find("region", "Now")
        assert now is not None
        assert now.find("paragraph"), "no question"
        timer = now.find("timer")  # a user's first matches alone with bots have no clock
        said = "No clock" in now.text if timer is None else re.search(r"\d", timer.text)
        assert said, "no time"
        assert all(one.name for one in way.answers), "an answer without a name"
        board = told.find("region", "Table")
        assert board is not None
        assert re.search(BOARDS.get(self.game, ""), board.text), board.text
        assert TO_YOU.get(now.all("paragraph")[0].text, "") in board.text, board.text
        for seat in self.seats(told):
            assert re.search(FACTS.get(self.game, ""), seat.text), seat.text
        own = told.find("region", "Only you see this")
        secret = own.text if own else " ".join(one.name for one in way.answers)
        if own is not None or self.game in ALWAYS:  # without the region, the answers name the cards
            assert re.search(SECRETS.get(self.game, ""), secret), secret
        if told.name.startswith("●"):
            calls = [one.text for one in told.walk() if one.states.get("live") == "assertive"]
            asked = now.all("paragraph")[0].text
            assert any(call.endswith(asked) for call in calls), calls

    def seats(self, told: Node) -> list[Node]:
        players = told.find("region", "Players")
        assert players is not None
        return players.all("listitem")

    def answer(self, way: Node) -> None:
        """Go to the heading of the answers, tick as many as required, press the first button."""
        let_stand(self.page)
        self.press("Alt+a")
        self.choose_above()
        ticks = next((one for one in _tick_groups(way) if len(_tick_groups(one)) == 1), None)
        boxes = ticks.all("checkbox") if ticks else []
        wanted = int(re.findall(r"\d+", ticks.name)[0]) if ticks else 0
        missing = wanted - sum(one.states.get("checked") == "true" for one in boxes)
        folded = not any(one.kind == "button" for one in way.answers)
        for _ in range(len(way.answers) + 4):
            self.press("Tab")
            at = self.focused()
            if at.kind == "checkbox" and missing > 0:
                self.press("Space")
                assert self.focused().states.get("checked") == "true"
                missing -= 1
            elif at.kind == "DisclosureTriangle" and folded:
                self.press("Enter")
                folded = False
            elif at.kind == "button" and not at.states.get("disabled"):
                if at.name != "Play again":  # the match has ended in the meantime
                    self.press("Enter")
                break
        wait_for_change(self.page)

    def choose_above(self) -> None:
        """If the question offers answers in the scene, choose one of them."""
        board = self.read().find("region", "Table")
        radios = [one for one in board.answers if one.kind == "radio"] if board else []
        if not radios or any(one.states.get("checked") == "true" for one in radios):
            return
        for _ in range(12):
            self.press("Shift+Tab")
            if self.focused().kind == "radio":
                self.press("Space")
                assert self.focused().states.get("checked") == "true"
                break
        self.press("Alt+a")


def _tick_groups(way: Node) -> list[Node]:
    """Return the groups of checkboxes, including open disclosures that contain one."""
    return [one for one in way.all("group") if one.all("checkbox")]


@pytest.mark.parametrize("game", GAMES)
def test_match_can_be_played_with_screen_reader_and_keyboard(person: People, game: str) -> None:
    page = person(own=True)
    open_table(page, "Ann", game, bots=max(2, GAMES[game].seats[0] - 1), **SHORT.get(game, {}))
    reader = Listener(page)
    reader.game = game
    start(reader)
    end = reader.play().find("region", "The end of the match")
    assert reader.asked
    assert end is not None
    verdict, *_ = end.all("heading")
    assert verdict.name in ("You win!", "You lose.") or verdict.name.endswith(" wins!")
    assert end.find("paragraph"), "no reason"
    places = (place for one in end.all("list") for place in one.all("listitem"))
    own = next(place for place in places if "Ann" in place.text)
    assert ("wins" in own.text) == (verdict.name == "You win!")
    for _ in patiently(lambda: f"no way to play again: {reader.read().text}"):
        again = reader.read().find("button", "Play again")
        if again is not None and not again.states.get("disabled"):
            break


def start(reader: Reader) -> None:
    """Start from the waiting room, which names the game before the start button."""
    room = reader.read().find("region", "Before the match")
    assert room is not None
    assert [answer.name for answer in room.answers[:2]] == ["Change the rules", "Start"]
    let_stand(reader.page)
    for _ in range(60):
        if reader.focused().name == "Start":
            reader.press("Enter")
            return
        reader.press("Tab")
    raise AssertionError("Start cannot be reached by keys")


@pytest.mark.parametrize(
    ("game", "secret"), [("secret_hitler", "You are"), ("coup", "Only you see this: ")]
)
def test_players_secret_is_announced_if_the_match_starts_immediately(
    person: People, game: str, secret: str
) -> None:
    page = person()
    play_now(page, "Ann", game)
    told = page.locator("#told, #turn-call").filter(has_text=secret)
    expect(told.first).to_be_attached()


def test_changed_lives_are_announced_and_later_removed(person: People) -> None:
    page = person(own=True)
    page.clock.install()
    open_table(page, "Ann", "mia")
    again = "document.dispatchEvent(new CustomEvent('htmx:after:ws:message'))"
    lives = """n => {{
      const seat = document.querySelector(".seat.you");
      seat.querySelector("[data-heard]")?.remove();
      seat.insertAdjacentHTML("beforeend", `<span data-heard>Lives: ${{n}}</span>`);
      {again};
    }}"""
    page.evaluate(lives.format(again=again), 3)
    page.evaluate(lives.format(again=again), 2)
    told = page.locator("#told p")
    expect(told).to_have_text(["Ann: Lives: 2"])
    page.clock.fast_forward(16_000)
    expect(told).to_have_count(0)
