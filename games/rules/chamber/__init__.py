"""Chamber: live and blank rounds, items, and the last one standing."""

from games.rules.chamber import beats, hard, items, recap, rules, text
from games.rules.chamber.bots import BOTS
from games.rules.chamber.lesson import LESSON
from games.rules.chamber.manual import manual
from games.rules.chamber.presets import GROUPS, PRESETS
from games.rules.chamber.state import Events, Moves, Options, State, View
from games.rules.core import Game

GAME: Game[Options, State, View] = Game(
    slug="chamber",
    name="Chamber",
    seats=(2, 8),
    minutes=10,
    version=1,
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
    recap=recap.recap,
    disabled_moves=items.disabled_moves,
    auto_pass=rules.auto_pass,
    bots=BOTS,
    level_notes=text.LEVEL_NOTES,
    tempered=frozenset({"easy", "normal"}),
    searching={"hard": hard.searches},
    presets=PRESETS,
    groups=GROUPS,
    lesson=LESSON,
    words=text.words,
    beats=lambda options: beats.BEATS,
    manual=manual,
)
