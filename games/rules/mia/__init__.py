"""Mia: dice under a cup, an announcement that has to rise, and somebody who wants to see."""

from games.rules.core import Game
from games.rules.mia import beats, bots, losing, recap, rules, text
from games.rules.mia.lesson import LESSON
from games.rules.mia.manual import manual
from games.rules.mia.presets import GROUPS, PRESETS
from games.rules.mia.state import Events, MiaOptions, MiaState, MiaView, Moves

GAME = Game(
    slug="mia",
    name="Mia",
    seats=(2, 8),
    minutes=10,
    version=1,
    options=MiaOptions,
    state=MiaState,
    view_type=MiaView,
    moves=Moves,
    events=Events,
    setup=rules.setup,
    check=rules.check,
    awaited=rules.awaited,
    idles=rules.awaited,
    out=losing.out,
    turn=rules.turn,
    offers=rules.offers,
    apply=rules.apply,
    lapse=rules.lapse,
    leave=rules.leave,
    patience=rules.patience,
    view=rules.view,
    outcome=rules.outcome,
    recap=recap.recap,
    seating=lambda state: state.seating,
    bots=bots.BOTS,
    level_notes=text.LEVEL_NOTES,
    presets=PRESETS,
    groups=GROUPS,
    lesson=LESSON,
    words=text.words,
    beats=lambda options: beats.BEATS,
    manual=manual,
)
