"""Whole matches at a full table, played in this process: each viewer's page, moment by moment.

A test shows all of them in one browser page, one after another, so it never waits for bots.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any, NamedTuple

import pytest
from django.utils import translation
from playwright.sync_api import Page, ViewportSize

from games import rooms
from games.contract.choices import random_move
from games.contract.data import Seat
from games.contract.luck import Luck
from games.engine import matches
from games.engine.snapshots import MatchSnapshot, load_snapshot
from games.models import Room
from games.pages import regions
from games.pages.templating import render
from games.registry import GAMES
from games.tables.loading import load
from games.tables.table import Table
from tests.kit.browser import SCHEMES, look
from tests.kit.browser_scripts import TWO_FRAMES
from tests.kit.costs import gentle
from tests.kit.factories import PersonFactory, open_table
from tests.kit.sent import wire_packet
from tests.kit.served import as_served
from tests.kit.shapes import SHAPES, enough
from tests.kit.stage import HIDDEN, LOW_DESKS, SIZES
from tests.kit.version1 import start_before

NAMES = ("Ann", "Bela", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hedy", "Ines", "Juno")
MANY = 10
"""Maximum number of seats that must fit. Larger tables scroll."""
SHORT_OF_SPACE = 8
"""Places at the end with which small windows show only the deciding moment as the reason."""
SHORT: dict[str, dict[str, Any]] = {"cards": {"pointsToWin": 2}}
"""Options without which a random match takes a thousand acts."""
EXAMPLES = (1, 4, 16)
"""Which moments of one kind are checked. Later ones have more on the table."""
PUT = """regions => {
  const put = window.put ??= {};
  const there = (id) => document.getElementById(id);
  for (const [id, html] of Object.entries(regions)) {
    if (put[id]?.html === html && put[id].drawn === there(id).outerHTML) continue;
    there(id).outerHTML = html;
    put[id] = { html, drawn: there(id).outerHTML };
  }
  document.dispatchEvent(new CustomEvent("htmx:after:ws:message"));
  document.querySelectorAll("#status time").forEach((one) => { one.textContent = "1:00"; });
}"""
"""Put new regions into a page, as its socket would."""
CUT = """() => [".dock", ".sh-scene"].flatMap((part) => {
  const box = document.querySelector(part);
  if (!box?.checkVisibility({ visibilityProperty: true })) return [];
  const more = box.scrollHeight - box.clientHeight;
  return more > 1 ? [`${part} holds ${more} pixels more than it shows`] : [];
})"""
FOR_ONE = """() => [
  ...document.querySelectorAll("#actions form"),
  ...[...document.querySelectorAll("#hand")].filter((one) => one.checkVisibility()),
].map((one) => `who watches has ${one.id}`)"""
"""Selectors of content for one player alone."""
IN_TURN = f"""async moments => {{
  const found = [], shapes = [];
  for (const [name, regions, selectors] of moments) {{
    ({PUT})(regions);
    if (document.querySelector("[data-scrolls]")) await {TWO_FRAMES};  // what says so is a movement
    found.push(...[...({HIDDEN})(selectors), ...({CUT})()].map((one) => `${{name}}: ${{one}}`));
    const said = name.endsWith(" watching") ? ({FOR_ONE})() : [];
    found.push(...said.map((one) => `${{name}}: ${{one}}`));
    shapes.push(({SHAPES})());
  }}
  return [found, shapes];
}}"""


AT_SIZES = pytest.mark.parametrize(
    "sizes", [SIZES, pytest.param(LOW_DESKS, marks=pytest.mark.long)], ids=["usual", "low"]
)
"""Phone and desktop sizes. Before a release, low windows are added."""


class Moment(NamedTuple):
    """A page at one moment. `eyes` is its viewer: mine, theirs, out, watching, won or lost."""

    phase: str
    eyes: str
    host: bool
    regions: dict[str, str]

    @property
    def kind(self) -> str:
        return f"{self.phase} {self.eyes}"


class Staged:
    """A match among friends with one spectator. It is deterministic for a seed."""

    language = "en"
    names: Sequence[str] = NAMES
    """Names in seat order. Tables larger than ten repeat them."""

    def __init__(self, game: str, seed: int = 1, players: int = 0, **options: Any) -> None:
        count = players or GAMES[game].seats[1]
        names = [f"{self.names[at % 10]}{' B.' if at > 9 else ''}" for at in range(count)]
        self.people = [PersonFactory(name=name) for name in names]
        self.watcher = PersonFactory(name="Zoe")
        options = {"idleKick": 0, **SHORT.get(game, {}), **options}
        self.room = open_table(*self.people, game=game, **options)
        Room.objects.filter(pk=self.room.pk).update(secret="ab" * 32)  # always the same match
        rooms.join(self.room.code, self.watcher.pk, "Zoe", spectate=True).result()
        self.match = start_before(self.room)
        self.dice = Luck(b"staged", seed)

    def moments(
        self, more: Callable[[Any], str] | None = None, examples: Sequence[int] = EXAMPLES
    ) -> Iterator[Moment]:
        """Return examples of every kind of moment. `more` distinguishes further kinds of views."""
        met: Counter[tuple[str, str, bool]] = Counter()
        while True:
            seen = load_snapshot(self.match.pk)
            phase, here = seen.phase, dict[tuple[str, str, bool], int]()
            for person in (self.watcher, *self.people):
                host = seen.over and person == self.people[0]
                eyes = self._eyes(seen, person.pk)
                if more is not None:
                    eyes += more(seen.game.rules.view(seen.state, seen.seat_of(person.pk)))
                here[phase, eyes, host] = person.pk
            met.update(here.keys())
            wanted = [kind for kind in here if met[kind] in examples]
            if wanted:
                now = load(self.room.pk, with_story=True)
                yield from (self._drawn(now, kind[1], here[kind]) for kind in wanted)
            if seen.over:
                return
            self.move(seen)

    def play_out(self) -> None:
        """Play to the end of the match without rendering anything."""
        while not (seen := load_snapshot(self.match.pk)).over:
            self.move(seen)

    def pushed(self, who: int) -> Iterator[str]:
        """Return the frames that one viewer's page is sent during the whole match, starting with
        the first view.
        """
        shown: dict[str, str] = {}
        while True:
            moment = self._drawn(load(self.room.pk, with_story=True), "", who)
            fresh = {id: html for id, html in moment.regions.items() if shown.get(id) != html}
            yield "".join(
                f'<hx-partial hx-target="#{id}" hx-swap="outerMorph">{html}</hx-partial>'
                for id, html in fresh.items()
            )
            shown |= fresh
            seen = load_snapshot(self.match.pk)
            if seen.over:
                return
            self.move(seen)

    def _drawn(self, now: Table, eyes: str, who: int) -> Moment:
        assert now.match is not None
        with translation.override(self.language):
            found = {one.id: render(now, one, self.language) for one in regions(now, who)}
        return Moment(now.match.phase, eyes, who == self.room.host_id, found)

    def _eyes(self, seen: MatchSnapshot, who: int) -> str:
        seat = seen.seat_of(who)
        if seat is None:
            return "watching"
        if seen.over:
            outcome = seen.game.rules.outcome(seen.state)
            return "won" if outcome and seat in outcome.winners else "lost"
        if seat in seen.game.rules.out(seen.state):
            return "out"
        return "mine" if seat in seen.game.rules.awaited(seen.state) else "theirs"

    def move(self, seen: MatchSnapshot) -> None:
        asked = [Seat(at) for at in range(len(seen.players)) if gentle(seen, Seat(at))]
        seat = self.dice.pick("who", asked)
        made = random_move(seen.game.rules.moves, gentle(seen, seat), self.dice)
        prompt, who = seen.state.prompts[seat], seen.players[seat].user_id
        matches.move(self.room.pk, who, wire_packet(made, seen.names), prompt).result()


def put(page: Page, regions: dict[str, str]) -> None:
    """Show these regions on a page of the server."""
    page.evaluate(NO_ALARM)
    page.evaluate(PUT, _served(regions))


def _served(regions: dict[str, str]) -> dict[str, str]:
    return {id: as_served(html) for id, html in regions.items()}


def each(
    page: Page,
    moments: Sequence[Moment],
    sizes: Sequence[ViewportSize],
    script: str,
    arg: object = None,
) -> Iterator[tuple[Moment, ViewportSize, Any]]:
    """Show these moments at these sizes. Yield what the script returns for each.

    All moments of one size are shown in a single step, so that nothing is painted in between.
    """
    page.evaluate(NO_ALARM)
    shown = [_served(one.regions) for one in moments]
    asked = f"([all, arg]) => all.map((one) => {{ ({PUT})(one); return ({script})(arg); }})"
    for size in sizes:
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        yield from zip(moments, repeat(size), page.evaluate(asked, [shown, arg]))


def at_the_end(moment: Moment) -> tuple[str, ...]:
    """Return selectors of what must be visible at the end: winners, reason, roles, start button."""
    again = ("#setup .start button.main",) if moment.host else ()
    places = moment.regions["ending"].count('class="place"')
    people = f"#ending .finish li{':first-child' if places > MANY else ''}"  # others scroll
    reason = f":is(.because, .told{', .decisive' if places >= SHORT_OF_SPACE else ''})"
    return ("#ending .verdict", f"#ending {reason}", people, *again)


NO_ALARM = "document.getElementById('luck-alarms')?.setAttribute('hidden', '')"
"""The page asks why a match that is put into it began without its share of the luck."""


def see_all(
    page: Page,
    moments: Sequence[Moment],
    needed: Callable[[Moment], tuple[str, ...]],
    sizes: Sequence[ViewportSize] = SIZES,
) -> None:
    """Put these moments into this page. Check that everything needed is visible at all sizes, and
    that axe finds nothing in either color scheme."""
    page.evaluate(NO_ALARM)
    asked = [[one.kind, _served(one.regions), list(needed(one))] for one in moments]
    found, drawn = [], {}
    for at, size in enumerate(sizes):
        page.set_viewport_size(size)
        page.evaluate(TWO_FRAMES)
        wrong, drawn[at] = page.evaluate(IN_TURN, asked)
        found += [f"{size['width']}x{size['height']} {one}" for one in wrong]
    assert not found, "\n".join(found)
    for at, scheme in zip((0, len(sizes) - 1), SCHEMES, strict=True):
        page.set_viewport_size(sizes[at])
        page.emulate_media(color_scheme=scheme)
        shapes = map(set, drawn[at])
        phases = (one.phase for one in moments)
        for which in enough(list(zip(phases, shapes, strict=True))):
            put(page, moments[which].regions)
            look(page)
