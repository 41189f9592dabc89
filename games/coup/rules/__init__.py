"""The rules of Iron Throne: state, moves and their effects, without user-facing text."""

from games.contract.game import Rules
from games.coup.rules import leaving, offering, views
from games.coup.rules import play as rules
from games.coup.rules.state import CoupOptions, CoupState, CoupView, Events, Moves

RULES = Rules(
    options=CoupOptions,
    state=CoupState,
    view_type=CoupView,
    moves=Moves,
    events=Events,
    setup=rules.setup,
    awaited=offering.awaited,
    idles=offering.idles,
    out=views.out,
    turn=views.turn,
    offers=offering.offers,
    apply=rules.apply,
    lapse=rules.lapse,
    leave=leaving.leave,
    patience=offering.patience,
    view=views.view,
    outcome=views.outcome,
    disabled_moves=offering.disabled_moves,
    auto_pass=offering.auto_pass,
    free_options=frozenset({"names"}),
)
