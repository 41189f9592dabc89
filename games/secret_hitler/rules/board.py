"""Facts about the board: teams, tiles and powers by table size, and allowed choices."""

from games.contract.data import BySeat, Seat
from games.secret_hitler.rules.state import Known, Options, Party, Power, Reason, Role, State, Tiles

LIBERAL_TILES = 6
FASCIST_TILES = 11
LIBERAL_GOAL = 5
FASCIST_GOAL = 6
HITLER_ZONE = 3
"""With this many fascist policies or more, electing Hitler chancellor ends the match."""
VETO_UNLOCKED = 5
CHAOS = 3
DRAWN = 3

_LIBERAL: tuple[Role, ...] = ("liberal",)
_FASCIST: tuple[Role, ...] = ("fascist",)
_HITLER: tuple[Role, ...] = ("hitler",)
_LIBERAL_TILE: Tiles = ("liberal",)
_FASCIST_TILE: Tiles = ("fascist",)
_REBALANCED = {6: 10, 7: 10, 9: 9}
_SMALL: tuple[Power | None, ...] = (None, None, "peek", "execute", "execute")
_MIDDLE: tuple[Power | None, ...] = (None, "investigate", "special", "execute", "execute")
_LARGE: tuple[Power | None, ...] = ("investigate", "investigate", "special", "execute", "execute")


def fascists_among(n: int) -> int:
    """Return the number of fascists among n players, not counting Hitler."""
    return (n - 3) // 2


def role_cards(n: int) -> tuple[Role, ...]:
    fascists = fascists_among(n)
    return _LIBERAL * (n - 1 - fascists) + _FASCIST * fascists + _HITLER


def fresh_deck(n: int, options: Options) -> Tiles:
    fascist = _REBALANCED.get(n, FASCIST_TILES) if options.rebalance else FASCIST_TILES
    return _LIBERAL_TILE * LIBERAL_TILES + _FASCIST_TILE * fascist


def enacted_before_the_start(n: int, options: Options) -> int:
    """Return the number of fascist policies enacted at the start.

    It is 1 for six players with `rebalance`.
    """
    return int(options.rebalance and n == 6)


def powers(n: int) -> tuple[Power | None, ...]:
    """Return the power that each of the first five fascist policies grants, if any."""
    return _SMALL if n <= 6 else _MIDDLE if n <= 8 else _LARGE


def party_of(role: Role) -> Party:
    return "liberal" if role == "liberal" else "fascist"


def side_of(reason: Reason | None) -> Party | None:
    """Return the side that wins for this reason, if any."""
    if reason in ("liberal_policies", "hitler_executed"):
        return "liberal"
    return "fascist" if reason in ("fascist_policies", "hitler_elected") else None


def living(state: State) -> tuple[Seat, ...]:
    return tuple(Seat(at) for at, alive in enumerate(state.alive) if alive)


def is_alive(state: State, seat: Seat) -> bool:
    return 0 <= seat < len(state.alive) and state.alive[seat]


def next_alive(state: State, seat: Seat) -> Seat:
    n = len(state.alive)
    circle = (Seat((seat + step) % n) for step in range(1, n + 1))
    return next(at for at in circle if state.alive[at])


def self_acting(state: State) -> tuple[Seat, ...]:
    """Return the living seats that are not on autopilot."""
    return tuple(seat for seat in living(state) if seat not in state.autopilot)


def still_talking(state: State) -> tuple[Seat, ...]:
    """Return the seats not on autopilot that have not ended the discussion yet."""
    return tuple(seat for seat in self_acting(state) if seat not in state.ready)


def still_to_vote(state: State) -> tuple[Seat, ...]:
    """Return the seats whose ballots are missing. Seats on autopilot do not vote."""
    return tuple(seat for seat in self_acting(state) if seat not in state.votes)


def eligible(state: State) -> tuple[Seat, ...]:
    """Return the seats that the candidate may nominate.

    With five alive, the last president is eligible.
    """
    ineligible = {state.candidate}
    if state.last_elected:
        ineligible.add(state.last_elected.chancellor)
        if sum(state.alive) > 5:
            ineligible.add(state.last_elected.president)
    return tuple(seat for seat in living(state) if seat not in ineligible)


def targets(state: State) -> tuple[Seat, ...]:
    """Return the allowed targets of the power that is being used."""
    if state.phase not in ("power_investigate", "power_special", "power_execute"):
        return ()
    spared = {state.candidate}
    if state.phase == "power_investigate":
        spared.update(state.investigated)
    return tuple(seat for seat in living(state) if seat not in spared)


def power_in_use(state: State) -> Power | None:
    return state.history[-1].power if state.phase.startswith("power_") else None


def known_to(state: State, seat: Seat) -> BySeat[Known]:
    """Return what a seat knows about others: its team, and the parties that it has investigated."""
    known = {
        target: Known(None, party_of(state.roles[target]))
        for target, by in state.investigated.items()
        if by == seat
    }
    if _knows_its_team(state.roles[seat], len(state.roles)):
        for at, role in enumerate(state.roles):
            if role != "liberal" and at != seat:
                known[Seat(at)] = Known(role, "fascist")
    return BySeat(sorted(known.items()))


def _knows_its_team(role: Role, n: int) -> bool:
    return role == "fascist" or (role == "hitler" and n <= 6)
