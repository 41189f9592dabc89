"""The rules of Mia: state, moves and their effects, without user-facing text."""

from games.contract.game import Rules
from games.mia.rules import play as rules
from games.mia.rules.state import Events, MiaOptions, MiaState, MiaView, Moves, out

RULES = Rules(
    options=MiaOptions,
    state=MiaState,
    view_type=MiaView,
    moves=Moves,
    events=Events,
    setup=rules.setup,
    check=rules.check,
    awaited=rules.awaited,
    out=out,
    turn=rules.turn,
    offers=rules.offers,
    apply=rules.apply,
    lapse=rules.lapse,
    leave=rules.leave,
    patience=rules.patience,
    view=rules.view,
    outcome=rules.outcome,
    seating=lambda state: state.seating,
)
