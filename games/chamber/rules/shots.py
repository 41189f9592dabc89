"""The effects of firing a round, and eliminations."""

from __future__ import annotations

from msgspec.structs import replace

from games.chamber.rules.rounds import end_round, end_turn, finish, then
from games.chamber.rules.state import (
    Aim,
    AirShot,
    Fired,
    ItemsLooted,
    Player,
    PlayerEliminated,
    Shot,
    State,
    alive,
    current,
    with_player,
)
from games.contract.core import Change, asked, everyone
from games.contract.data import Seat, Viewer
from games.contract.luck import Luck


def shoot(state: State, target: Seat, luck: Luck, forfeit: bool = False) -> Change[State]:
    """Fire at `target`.

    With `forfeit`, the shooter has run out of time, and the shot always ends the turn.
    """
    drawn, fired = _draw(state, target, forfeit)
    shot = Shot(fired.shooter, target, fired.ammo_type, fired.damage, forfeit)
    hit = then(Change(drawn, (everyone(shot),)), _harm, fired)
    return then(hit, _go_on, _aim_after(hit.state, fired), luck)


def shoot_air(state: State, luck: Luck) -> Change[State]:
    """Fire the next round into the air and end the turn."""
    drawn, fired = _draw(state, None, False)
    told = (everyone(AirShot(fired.shooter, fired.ammo_type)),)
    return then(Change(drawn, told), _go_on, _aim_after(drawn, fired), luck)


def eliminate(state: State, seat: Seat, by: Viewer) -> Change[State]:
    """Eliminate a seat. With the option `loot`, the player who killed it takes its items."""
    items = state.players[seat].items
    out = with_player(state, seat, lives=0, items=(), is_skipped=False, skip_immune=False)
    out = replace(out, fallen=(*state.fallen, seat))
    told = (everyone(PlayerEliminated(seat, by)),)
    if by is None or by == seat or not items or not state.options.loot:
        return Change(out, told)
    looted = with_player(out, by, items=out.players[by].items + items)
    return Change(looted, (*told, everyone(ItemsLooted(by, seat, items))))


def _draw(state: State, target: Viewer, forfeit: bool) -> tuple[State, Fired]:
    """Take the front round out of the chamber. Even a blank uses up Double Damage."""
    assert state.ammo, "a turn has a loaded chamber"
    harmful = state.ammo[0] == "live" and target is not None
    fired = Fired(
        shooter=current(state),
        username=target,
        ammo_type=state.ammo[0],
        damage=(1 + state.aim.double_damage) * harmful,
        forfeit=forfeit,
    )
    aim = replace(state.aim, double_damage=False, peeked=False)
    drawn = replace(state, ammo=state.ammo[1:], aim=aim, fired=(*state.fired, fired))
    return drawn, fired


def _harm(state: State, fired: Fired) -> Change[State]:
    assert fired.username is not None, "the air takes no harm"
    player: Player = state.players[fired.username]
    if fired.damage >= player.lives:
        return eliminate(state, fired.username, by=fired.shooter)
    hit = with_player(state, fired.username, lives=player.lives - fired.damage)
    return Change(hit, ())


def _aim_after(state: State, fired: Fired) -> Aim:
    """Return the shooter's `Aim` after a shot. A blank fired at oneself costs no shot."""
    aim = state.aim
    if fired.username is None or fired.forfeit or not state.players[fired.shooter].lives:
        return replace(aim, shots_left=0)
    if fired.username == fired.shooter and fired.ammo_type == "blank":
        return aim
    return replace(aim, shots_left=aim.shots_left - 1, counted=aim.counted + 1)


def _go_on(state: State, aim: Aim, luck: Luck) -> Change[State]:
    if len(alive(state)) == 1:
        return finish(state, "last_alive")
    if not state.ammo:
        return end_round(state, luck)
    if aim.shots_left == 0:
        return end_turn(state)
    return Change(asked(state, aim=aim), ())
