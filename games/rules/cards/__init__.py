"""Cards: everybody completes the same prompt, everybody votes for the best."""

from games.rules.cards import beats, bots, recap, rounds, rules, seats, stock, taste, text, views
from games.rules.cards.former import read_version_1
from games.rules.cards.lesson import LESSON
from games.rules.cards.manual import manual
from games.rules.cards.presets import GROUPS, PRESETS
from games.rules.cards.state import PLAYERS, Events, Moves, Options, State, View
from games.rules.core import Game

GAME = Game(
    slug="cards",
    name="Cards",
    seats=PLAYERS,
    minutes=20,
    version=2,
    options=Options,
    state=State,
    former={1: read_version_1},
    view_type=View,
    moves=Moves,
    events=Events,
    stock=stock.stock,
    setup=rules.setup,
    check=stock.check,
    awaited=rounds.awaited,
    idles=rounds.awaited,
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
    recap=recap.recap,
    bots=bots.BOTS,
    level_notes=taste.LEVEL_NOTES,
    manner_note=taste.note,
    presets=PRESETS,
    groups=GROUPS,
    lesson=LESSON,
    words=lambda options: text.words(options.discard_cost),
    beats=lambda options: beats.BEATS,
    manual=manual,
)
