"""Rendered regions of Chamber, for states set up by hand or found in random play."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest
from msgspec import structs

from accounts.models import User
from games import rooms
from games.chamber.rules.state import (
    Aim,
    AirShot,
    ChamberSeen,
    Fired,
    Options,
    PlayerEliminated,
    Rebalanced,
    RoundEnded,
    Shot,
    State,
    TurnSkipped,
    with_player,
)
from games.chamber.tests.tables import A, B, C, D, table, window
from games.contract.choices import random_move
from games.contract.core import Event, Told, everyone, only
from games.contract.luck import Luck
from games.engine import matches
from games.engine.snapshots import load_snapshot
from games.engine.told import ToldAct
from games.pages import regions
from games.pages.templating import environment, render
from games.tables.loading import load
from games.tables.table import Table
from games.wire.wire import to_wire
from tests.kit.factories import PersonFactory, open_table, start_match

pytestmark = pytest.mark.django_db(transaction=True)

FORM = re.compile(r"<form.*?</form>", re.DOTALL)
MATTERS = re.compile(
    r'<form[^>]*? (?:id="act-[^"]*")|class="act act-[a-z]+|<input type="hidden"[^>]*>'
    r'|<button name="[^"]*" value="[^"]*" id="[^"]*"'
)


class Four:
    """A table of four, seen by the first player. Tests set its state."""

    def __init__(self, **options: Any) -> None:
        self.people = [PersonFactory(name=name) for name in ("Ann", "Bob", "Cat", "Dan")]
        self.room = open_table(*self.people, game="chamber", **options)
        start_match(self.room)

    def drawn(self, state: State, *told: Event | Told, by: int = 0) -> dict[str, str]:
        """Return the regions for this state after these events."""
        return drawn(self.at(state, *told), self.people[by])

    def at(self, state: State, *told: Event | Told) -> Table:
        seen = load(self.room.pk)
        assert seen.match is not None
        all_told = [t if isinstance(t, Told) else everyone(t) for t in told]
        events = tuple((to_wire(t.event, seen.names), t.to, t.event) for t in all_told)
        newest = ToldAct(seen.match.row.pk, 2, "move", events, seen.game) if told else None
        return replace(seen, match=replace(seen.match, state=state), newest=newest)


def drawn(seen: Table, person: User) -> dict[str, str]:
    return {region.id: render(seen, region, "en") for region in regions(seen, person.pk)}


def text(html: str) -> str:
    """Return the text without markup."""
    return " ".join(re.sub(r"<[^>]*>", " ", html).split())


def shot(by: Any, at: Any, ammo: Any, damage: int = 0) -> Fired:
    return Fired(shooter=by, username=at, ammo_type=ammo, damage=damage, forfeit=False)


def test_forms_match_those_of_the_generic_regions() -> None:
    people = [PersonFactory() for _ in range(4)]
    options = {"itemsPerRound": 8, "shootAirCopies": 4, "maxRounds": 9, "startLives": 20}
    room = open_table(*people, game="chamber", **options)
    match = start_match(room)
    dice = Luck(b"forms", 1)
    moves: set[str] = set()
    while len(moves) < 10 and not load_snapshot(match.pk).over:
        seen = load_snapshot(match.pk)
        seat = dice.pick("who", seen.game.rules.awaited(seen.state))
        player = people[seat].pk
        shown = load(room.pk)
        part = next(r for r in regions(shown, player) if r.id == "actions")
        generic = environment().get_template("generic/actions.html.jinja")
        plain = generic.render(id="actions", game="none", **part.part)
        ours = render(shown, part, "en")
        assert sorted(map(matters, FORM.findall(ours))) == sorted(map(matters, FORM.findall(plain)))
        moves |= {form["move"] for form in part.part["forms"]}
        offers = seen.game.rules.offers(seen.state, seat)
        packet = to_wire(random_move(seen.game.rules.moves, offers, dice), seen.names)
        packet = {name: value for name, value in packet.items() if value is not None}
        matches.move(room.pk, player, packet).result()
    assert len(moves) == 10


def matters(form: str) -> list[str]:
    return sorted(MATTERS.findall(form))


def test_board_shows_remaining_counts_and_fired_shells_in_order() -> None:
    fired = (shot(B, A, "live", 2), shot(C, C, "blank"), shot(D, None, "live"))
    state = structs.replace(table("Lbb", n=4), fired=fired)
    board = Four().drawn(structs.replace(state, loaded=window(3, 3, {}).loaded))["board"]
    racks = board[board.index('class="racks"') : board.index("</ul>")]
    assert racks.count("#c-live") == 1
    assert racks.count("#c-blank") == 2
    assert "1 live left of 3" in text(racks)
    assert "2 blank left of 3" in text(racks)
    order = board[board.index('class="magazine"') : board.index("</ol>")]
    assert re.findall(r'<li class="([a-z]+)', order) == ["live", "blank", "live", "rest"]
    assert re.findall("#c-([a-z]+)", order) == ["hidden"]  # fired shells are drawn by CSS class
    said = text(order)
    assert "Bob → Ann: live −2" in said
    assert "Cat → Cat: blank" in said
    assert "Dan → into the air: live" in said
    assert "×3 3 shells left, order unknown" in said


@pytest.mark.parametrize(
    ("event", "says"),
    [
        (Shot(A, B, "live", 1, False), "Ann → Bob BANG! Bob loses 1 life"),
        (Shot(A, B, "live", 2, False), "Ann → Bob BANG! Bob loses 2 lives"),
        (Shot(A, B, "blank", 0, False), "Ann → Bob Click. A blank: nothing happens."),
        (Shot(A, A, "blank", 0, False), "Ann → Ann Click. A blank: Ann goes again."),
        (Shot(A, A, "blank", 0, True), "Ann → Ann Click. Out of time. A blank: nothing"),
        (AirShot(A, "live"), "Ann → into the air BANG! Nobody is hit."),
    ],
)
def test_shot_is_described_by_words_and_shape(event: Shot | AirShot, says: str) -> None:
    target = event.username if isinstance(event, Shot) else None
    damage = event.damage if isinstance(event, Shot) else 0
    forfeit = isinstance(event, Shot) and event.forfeit
    fired = Fired(
        shooter=A, username=target, ammo_type=event.ammo_type, damage=damage, forfeit=forfeit
    )
    state = structs.replace(table("Lb", n=4), fired=(fired,))
    board = Four().drawn(state, event)["board"]
    gun = re.search(r'class="(gun[^"]*)"', board)
    assert gun is not None
    assert gun[1].split() == ["gun", "fresh", event.ammo_type]
    assert says in text(board)


def test_last_shot_of_a_round_stays_visible_when_the_next_begins() -> None:
    seats, nobody = Four(), window(2, 3, {A: ("rebalancer",)}, n=4)
    told = (Shot(B, C, "live", 1, False), PlayerEliminated(C, B), RoundEnded(1))
    board = seats.drawn(structs.replace(nobody, round=2), *told)["board"]
    assert 'class="gun fresh live"' in board
    assert "Bob → Cat BANG! Cat loses 1 life . Cat is out. That was the last shell" in text(board)
    air = seats.drawn(structs.replace(nobody, round=2), AirShot(B, "blank"), RoundEnded(1))
    assert "Bob → into the air Click. A blank: nothing happens. That was the last shell" in text(
        air["board"]
    )
    later = seats.drawn(structs.replace(nobody, round=2), TurnSkipped(A))["board"]
    assert "Shells can still be added" in text(later)
    assert len({gun_id(board), gun_id(later)}) == 2


def gun_id(board: str) -> str:
    found = re.search(r'id="(shot-[^"]*)"', board)
    assert found is not None
    return found[1]


def test_reload_window_shows_the_counts_and_who_is_deciding() -> None:
    state = window(6, 2, {A: ("rebalancer",), C: ("rebalancer", "skip")}, n=4)
    html = Four().drawn(state, Rebalanced(A, "live", 4))
    said = text(html["board"])
    assert "Shells can still be added" in said
    assert "6 live" in said
    assert "2 blank" in said
    assert "Ann: +4 live" in said
    assert "Still deciding: Ann, Cat" in said
    assert "magazine" not in html["board"]
    assert re.findall(r"adds \d to \d", html["actions"]) == ["adds 1 to 6"]
    assert "+ live at most 75%" in text(html["actions"])
    assert "A Reload stops at 75% of one kind." in said


def test_active_effects_and_skips_are_shown_to_all() -> None:
    aim = Aim(shots_left=1, counted=1, quickshot=True, double_damage=True)
    state = with_player(table("Lb", n=4, aim=aim), C, is_skipped=True)
    state = with_player(state, D, skip_immune=True)
    seats = Four()
    for viewer in range(4):
        html = seats.drawn(state, TurnSkipped(D), by=viewer)
        said = text(html["board"])
        assert "Double damage : 2 lives if live" in said
        assert "Quickshot: 1 shot left" in said
        assert "No more items this turn" in said
        assert "Dan was skipped." in said
        assert html["seats"].count("Misses next turn") == 1
        assert html["seats"].count("Cannot be skipped") == 1
    plain = text(seats.drawn(table("Lb", n=4))["board"])
    assert "Double damage" not in plain
    assert "Quickshot:" not in plain
    assert "No more items" not in plain


def test_items_are_counted_named_and_explained() -> None:
    held = {B: ("skip", "quickshot", "skip"), A: ("add_life",)}
    html = Four().drawn(table("Lb", n=4, items=held))
    bob = html["seats"][: html["seats"].index("Cat")]
    assert re.findall(r'class="held" role="img" title="([^"]*)"', bob) == ["Skip ×2, Quickshot"]
    assert re.findall("#c-([a-z_]+)", bob) == ["skip", "quickshot"]
    assert "<b>2</b>" in bob
    assert "Someone misses their next turn." in text(html["legend"])
    assert "Air Shot" not in html["legend"]
    assert 'aria-label="Add a life: You get one more life."' in html["actions"]
    mine = Four().drawn(table("Lb", n=4, items=held), by=1)["actions"]
    assert re.findall('class="item still" title="([^"]*)"', mine) == [
        "Someone misses their next turn.",
        "You shoot twice this turn.",
    ]
    assert "Skip ×2" in text(mine)
    options = Options(shoot_air_copies=2, max_rounds=7)
    rare = Four(shootAirCopies=2, maxRounds=7).drawn(table("Lb", n=4, options=options))
    assert "Air Shot" in rare["legend"]
    assert "Round 1 of 7" in text(rare["board"])


def test_many_lives_are_shown_as_a_heart_and_a_number() -> None:
    seats = Four(startLives=20).drawn(table("Lb", n=4, lives=dict.fromkeys((A, B, C, D), 12)))
    assert seats["seats"].count('class="lives many"') == 4
    assert seats["seats"].count("<b>12</b>") == 4


def test_targets_are_listed_with_lives_and_yourself_last() -> None:
    state = with_player(table("Lb", n=4, on_turn=B, lives={A: 1, B: 2}), C, is_skipped=True)
    actions = Four().drawn(state, by=1)["actions"]
    names = re.findall(r'aria-label="(Shoot: [^"]*)"', actions)
    assert names == [
        "Shoot: Ann, 1 life",
        "Shoot: Cat, 5 lives",
        "Shoot: Dan, 5 lives",
        "Shoot: yourself, 2 lives",
    ]
    others = actions[actions.index("choices others") : actions.index('class="self"')]
    assert "yourself" not in others
    assert "a blank lets you go on · 50 % blank" in text(actions)


def test_checked_shell_is_shown_only_to_its_viewer() -> None:
    state = table("Lb", n=4, aim=Aim(peeked=True))
    seats = Four()
    told = (only(A, ChamberSeen("live")),)
    mine = seats.drawn(state, *told)
    assert "It hits the player you shoot." in mine["hand"]
    assert "#c-live" in mine["hand"]
    unseen = structs.replace(state, aim=Aim())
    plain = seats.drawn(unseen)
    assert mine["board"] == plain["board"]
    assert "The next shell is live." in text(mine["actions"])
    assert "% blank" not in text(mine["actions"])
    assert "The next shell" not in text(plain["actions"])
    for viewer in (1, 2, 3):
        assert seats.drawn(state, *told, by=viewer) == seats.drawn(unseen, by=viewer)
        assert "hidden" in seats.drawn(state, by=viewer)["hand"]


def test_eliminated_player_sees_the_same_as_a_spectator() -> None:
    seats = Four()
    watcher = PersonFactory()
    rooms.join(seats.room.code, watcher.pk, str(watcher), spectate=True).result()
    held = {B: ("skip",), C: ("chamber_check",)}
    state = table("Lb", n=4, on_turn=B, items=held, lives={A: 0}, aim=Aim(peeked=True))
    seen = seats.at(structs.replace(state, fallen=(A,)))
    out, gallery = drawn(seen, seats.people[0]), drawn(seen, watcher)
    for region in ("status", "board", "hand"):
        assert out[region] == gallery[region]
    assert "hidden" in out["hand"]
