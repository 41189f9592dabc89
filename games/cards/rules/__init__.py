"""The rules of Cards: state, moves and their effects, without user-facing text."""

from games.cards.rules import play as rules
from games.cards.rules import rounds, seats, stock, views
from games.cards.rules.former import read_version_1
from games.cards.rules.state import Events, Moves, Options, State, View
from games.contract.game import Rules

RULES = Rules(
    version=2,
    options=Options,
    state=State,
    former={1: read_version_1},
    view_type=View,
    moves=Moves,
    events=Events,
    stock=stock.stock,
    restock=stock.restock,
    setup=rules.setup,
    check=stock.check,
    awaited=rounds.awaited,
    out=rules.out,
    turn=rules.turn,
    offers=rules.offers,
    apply=rules.apply,
    lapse=rules.lapse,
    leave=seats.leave,
    join=seats.join,
    patience=rules.patience,
    view=views.view,
    outcome=views.outcome,
    disabled_moves=rules.disabled_moves,
    free_options=frozenset({"packs", "vetoed"}),
)
