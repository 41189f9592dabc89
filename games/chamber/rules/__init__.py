"""The rules of Chamber: state, moves and their effects, without user-facing text."""

from games.chamber.rules import items
from games.chamber.rules import play as rules
from games.chamber.rules.state import Events, Moves, Options, State, View
from games.contract.game import Rules

RULES = Rules(
    options=Options,
    state=State,
    view_type=View,
    moves=Moves,
    events=Events,
    setup=rules.setup,
    check=rules.check,
    awaited=rules.awaited,
    idles=rules.idles,
    out=rules.out,
    turn=rules.turn,
    offers=rules.offers,
    apply=rules.apply,
    lapse=rules.lapse,
    leave=rules.leave,
    patience=rules.patience,
    view=rules.view,
    outcome=rules.outcome,
    disabled_moves=items.disabled_moves,
    auto_pass=rules.auto_pass,
)
