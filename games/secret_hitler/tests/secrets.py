"""Hidden information of Secret Hitler, for the tests that every game runs."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from games.contract.data import BySeat, Seat, Viewer
from games.contract.luck import Luck
from games.secret_hitler.rules.board import (
    LIBERAL_TILES,
    enacted_before_the_start,
    fresh_deck,
    known_to,
    living,
    party_of,
    role_cards,
)
from games.secret_hitler.rules.events import (
    ChancellorNominated,
    DeckPeeked,
    NotHitlerConfirmed,
    PartyShown,
    PlayerInvestigated,
    PoliciesDrawn,
    PoliciesPassed,
    PolicyEnacted,
    RoleGiven,
    RolesRevealed,
    VotesRevealed,
)
from games.secret_hitler.rules.state import Options, Role, Session, State, Tiles
from games.secret_hitler.rules.view import view

OPTIONS = (
    Options(),
    Options(rebalance=True),
    Options(on_leave="abort", discussion=30),
    Options(on_leave="substitute", rebalance=True),
)
REVEALS = (
    RoleGiven,
    VotesRevealed,
    NotHitlerConfirmed,
    PoliciesDrawn,
    PoliciesPassed,
    PolicyEnacted,
    PartyShown,
    DeckPeeked,
    RolesRevealed,
)
"""Events that reveal hidden information."""
PRIVATE = {
    RoleGiven: lambda event, change, seat: (
        event.role == change.state.roles[seat] and event.knows == known_to(change.state, seat)
    ),
    PoliciesDrawn: lambda event, change, seat: seat == change.state.last_elected.president,
    PoliciesPassed: lambda event, change, seat: seat == change.state.last_elected.chancellor,
    DeckPeeked: lambda event, change, seat: seat == change.state.peeked_by,
    PartyShown: lambda event, change, seat: any(
        isinstance(told.event, PlayerInvestigated)
        and (told.event.username, told.event.target) == (seat, event.target)
        for told in change.told
    ),
}
"""Private events, each with a function that says whether a seat may hear it."""
DRAWN = (ChancellorNominated,)
"""Public events that reveal a new random draw."""


def invariants(state: State) -> None:
    n = len(state.roles)
    tiles = Counter(state.deck + state.discard + state.hand)
    total = Counter(fresh_deck(n, state.options))
    assert tiles["liberal"] + state.liberal == total["liberal"] == LIBERAL_TILES
    gift = enacted_before_the_start(n, state.options)
    assert tiles["fascist"] + state.fascist == total["fascist"] + gift
    assert Counter(state.roles) == Counter(role_cards(n))
    assert 0 <= state.tracker <= 2
    over = state.phase == "over"
    assert over == (state.reason is not None)
    hands = {"president_discard": 3, "chancellor_enact": 2, "veto_confirm": 2}
    if not over:
        assert len(state.hand) == hands.get(state.phase, 0)
        assert state.hand or len(state.deck) >= 3
        assert state.alive[state.candidate]
        assert state.liberal < 5
        assert state.fascist < 6
        assert state.alive[state.roles.index("hitler")]
        assert len([seat for seat in living(state) if seat not in state.autopilot]) >= 2
    assert state.alive.count(False) <= 2
    assert not any(state.roles[seat] == "hitler" for seat in state.confirmed_not_hitler)
    for seat in range(n):
        assert set(known_to(state, Seat(seat))) <= set(range(n)) - {seat}


def scramble(state: State, viewer: Viewer, luck: Luck) -> State:
    """Redeal everything this viewer may not know: roles, tiles, ballots, others' sessions."""
    state = _tiles(state, viewer, luck)
    if state.phase == "over":
        return state
    state = replace(state, roles=_roles(state, viewer, luck), votes=_ballots(state, viewer, luck))
    last = len(state.history) - 1
    history = tuple(
        _session(state, session, viewer, luck, latest=at == last)
        for at, session in enumerate(state.history)
    )
    return replace(state, history=history)


def _roles(state: State, viewer: Viewer, luck: Luck) -> tuple[Role, ...]:
    """Permute unknown roles until they agree with every party this viewer knows."""
    known = BySeat() if viewer is None else known_to(state, viewer)
    cleared = {*state.confirmed_not_hitler, *(at for at, on in enumerate(state.alive) if not on)}
    certain = {viewer, *(at for at, of in known.items() if of.role)}
    open_ = [at for at in range(len(state.roles)) if at not in certain]

    def agrees(roles: Sequence[Role]) -> bool:
        return roles.index("hitler") not in cleared and all(
            of.party == party_of(roles[at]) for at, of in known.items()
        )

    roles = list(state.roles)
    while True:
        dealt = luck.shuffled("roles", [state.roles[at] for at in open_])
        for at, role in zip(open_, dealt, strict=True):
            roles[at] = role
        if agrees(roles):
            return tuple(roles)


def _tiles(state: State, viewer: Viewer, luck: Luck) -> State:
    """Permute tiles, except for the hand and the peek this viewer sees."""
    seen = view(state, viewer)
    hand = state.hand if seen.hand else ()
    peek = seen.peeked or ()
    drawn = state.phase == "chancellor_enact" and viewer == state.candidate
    if drawn:
        # The president chose the hand and knows the last discarded tile.
        hand, thrown = state.hand, state.discard[-1:]
    elif state.phase == "veto_confirm" and viewer == state.candidate:
        thrown = state.discard[-1:]
    else:
        thrown = ()
    discard = state.discard[: len(state.discard) - len(thrown)]
    rest = (() if hand else state.hand) + state.deck[len(peek) :] + discard
    mixed = luck.shuffled("tiles", rest)
    if not hand:
        hand, mixed = mixed[: len(state.hand)], mixed[len(state.hand) :]
    deck = len(state.deck) - len(peek)
    return replace(state, hand=hand, deck=peek + mixed[:deck], discard=mixed[deck:] + thrown)


def _ballots(state: State, viewer: Viewer, luck: Luck) -> BySeat[bool]:
    if state.phase != "vote":
        return state.votes
    return BySeat(
        {
            seat: ja if seat == viewer else luck.pick("ballot", (True, False))
            for seat, ja in state.votes.items()
        }
    )


def _session(
    state: State, session: Session, viewer: Viewer, luck: Luck, *, latest: bool
) -> Session:
    if session.drawn is None or (viewer is not None and viewer == session.president):
        return session
    if session.target is not None and session.power == "investigate":
        session = replace(session, result=party_of(state.roles[session.target]))
    elif session.power == "peek":
        top = state.peeked_by is not None and latest
        session = replace(session, result=state.deck[:3] if top else _any(luck, 3))
    in_hand = latest and bool(state.hand)
    if in_hand and state.phase == "president_discard":
        return replace(session, drawn=state.hand)
    passed_on = session.passed_on or ()
    if in_hand:
        passed_on = state.hand
    elif session.enacted and viewer != session.chancellor:
        passed_on = luck.shuffled("passed", (session.enacted, *_any(luck, 1)))
    elif viewer != session.chancellor:
        passed_on = _any(luck, 2)
    thrown = state.discard[-1:] if in_hand else _any(luck, 1)
    return replace(session, passed_on=passed_on, drawn=luck.shuffled("drawn", passed_on + thrown))


def _any(luck: Luck, size: int) -> Tiles:
    return tuple(luck.pick("tile", ("liberal", "fascist")) for _ in range(size))
