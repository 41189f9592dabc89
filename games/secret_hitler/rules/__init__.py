"""The rules of Secret Hitler: state, moves and their effects, without user-facing text."""

from games.contract.game import Rules
from games.secret_hitler.rules.board import party_of
from games.secret_hitler.rules.claims import CLAIMS
from games.secret_hitler.rules.events import Events
from games.secret_hitler.rules.government import disabled_moves
from games.secret_hitler.rules.play import (
    apply,
    awaited,
    check,
    idles,
    is_discussed,
    lapse,
    leave,
    offers,
    out,
    outcome,
    patience,
    setup,
    turn,
)
from games.secret_hitler.rules.state import Moves, Options, State, View
from games.secret_hitler.rules.view import view

RULES = Rules(
    options=Options,
    state=State,
    view_type=View,
    moves=Moves,
    events=Events,
    setup=setup,
    check=check,
    awaited=awaited,
    idles=idles,
    out=out,
    turn=turn,
    offers=offers,
    apply=apply,
    lapse=lapse,
    leave=leave,
    comeback="ComeBack",
    patience=patience,
    unpaced=is_discussed,
    deal_wait=20.0,
    view=view,
    outcome=outcome,
    disabled_moves=disabled_moves,
    sides=lambda state: tuple(party_of(role) for role in state.roles),
    free_options=frozenset({"discussion"}),
    claims=CLAIMS,
)
