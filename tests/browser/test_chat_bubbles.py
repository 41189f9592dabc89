"""Speech bubbles beside a seat cover nobody else, in each game at every table size."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from games.registry import GAMES
from tests.kit.browser import PHONE, open_table
from tests.kit.stage import LOW_DESKS, SIZES
from tests.kit.staged import MANY, Moment, Staged, each, put

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

CHAT = '<span class="bubble talk">I am a liberal, and you had better believe it</span>'
SPEECH = """<span class="bubble newest speech"><span>I am Melisandre, and I steal from
  Constanze.</span><span>Melisandre</span></span>"""
NOD = '<span class="bubble"><span>Na gut.</span></span>'
CASES = ((CHAT, "", MANY), (SPEECH, "", MANY), (SPEECH, NOD, 6))
"""The message of one player, that of all others, and the most seats at which they fit."""
COVERED = """(cases) => cases.flatMap(([said, others, most]) => {
  const seats = [...document.querySelectorAll(".seat")];
  return seats.length > most ? [] : seats.flatMap((speaker) => {
    document.querySelectorAll(".bubble").forEach((bubble) => bubble.remove());
    for (const seat of seats) {
      if (seat === speaker) seat.insertAdjacentHTML("beforeend", said);
      else if (others) seat.insertAdjacentHTML("beforeend", others);
    }
    const box = speaker.querySelector(".bubble").getBoundingClientRect();
    const parts = ".seat :is(.face, .name, .bubble), .sh-office, .sh-ballot, .step, .bar .button";
    const over = [...document.querySelectorAll(parts)].filter((one) => {
      const { left, top, right, bottom } = one.getBoundingClientRect();
      const edge = 2 + (one.matches(".face") ? (right - left) / 10 : 0);  // of air
      const across = Math.min(right, box.right) - Math.max(left, box.left);
      return across > edge && Math.min(bottom, box.bottom) - Math.max(top, box.top) > edge;
    });
    const out = box.left < -1 || box.right > innerWidth + 1 || box.top < -1;
    return [...over.filter((one) => !speaker.contains(one)), ...(out ? [speaker] : [])];
  }).map((one) => `${said} covers ${one.outerHTML}`);
})"""
"""Parts of other seats covered by each player's bubble, and bubbles that overflow."""


@pytest.mark.parametrize("game", GAMES)
def test_speech_bubbles_cover_no_other_seat(person: Callable[..., Page], game: str) -> None:
    page = person(PHONE)
    open_table(page, "Ann", game)
    least, most = GAMES[game].seats
    moments = [_asked(game, players) for players in {least, min(6, most), min(MANY, most)}]
    for _, size, covered in each(page, moments, (*SIZES, *LOW_DESKS), COVERED, CASES):
        assert covered == [], size


def _asked(game: str, players: int) -> Moment:
    """Return the first moment of a player who must answer."""
    return next(one for one in Staged(game, players=players).moments() if one.eyes == "mine")


SAY = """([number, text]) => document.querySelector("#chat-lines").insertAdjacentHTML("beforeend",
  `<p class="line" id="said-${number}"><strong>Bela</strong> <span>${text}</span></p>`)"""
UNDER = """one => {
  const box = one.getBoundingClientRect();
  const parts = document.querySelectorAll(".seat :is(.face, .name), .sh-at > *, .sh-track li");
  return [...parts].filter((part) => {
    const { left, right, top, bottom } = part.getBoundingClientRect();
    const across = Math.min(right, box.right) - Math.max(left, box.left);
    return across > 2 && Math.min(bottom, box.bottom) - Math.max(top, box.top) > 4;
  }).map((part) => part.outerHTML);
}"""


@pytest.mark.parametrize("size", SIZES[:3])
def test_short_bubbles_stay_at_the_seat_and_long_ones_move_to_the_rim(
    person: Callable[..., Page], size: ViewportSize
) -> None:
    page = person(size)
    open_table(page, "Ann", "secret_hitler")
    put(page, next(Staged("secret_hitler").moments()).regions)
    page.evaluate(SAY, [9000, "Hello"])  # older messages are not announced
    brief, long = "I drew three fascist policies", " ".join(["What?"] * 20)
    page.evaluate(SAY, [9001, brief])
    at_seat = page.locator(".seat > .talk")
    expect(at_seat).to_have_text(brief)
    assert at_seat.evaluate("one => one.scrollHeight <= one.clientHeight + 1")
    assert at_seat.evaluate(UNDER) == []
    page.evaluate(SAY, [9002, long])
    on_the_rim = page.locator(".stage > .talk")
    expect(on_the_rim).to_have_text(f"Bela: {long}")
    assert on_the_rim.evaluate(UNDER) == []
