"""Iron Throne (Coup): two hidden influences, and claims that may be lies and be doubted."""

from games.rules.core import Game
from games.rules.coup import beats, bots, hard, leaving, offering, recap, rules, text, views
from games.rules.coup.lesson import LESSON
from games.rules.coup.manual import manual
from games.rules.coup.presets import GROUPS, PRESETS
from games.rules.coup.state import CoupOptions, CoupState, CoupView, Events, Moves

GAME = Game(
    slug="coup",
    name="Iron Throne",
    seats=(2, 6),
    minutes=15,
    version=1,
    options=CoupOptions,
    state=CoupState,
    view_type=CoupView,
    moves=Moves,
    events=Events,
    setup=rules.setup,
    check=lambda options, seats: None,
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
    recap=recap.recap,
    disabled_moves=offering.disabled_moves,
    auto_pass=offering.auto_pass,
    bots=bots.BOTS,
    level_notes=text.LEVEL_NOTES,
    tempered=frozenset({"easy", "normal", "hard"}),
    searching={"hard": hard.searches},
    presets=PRESETS,
    groups=GROUPS,
    lesson=LESSON,
    words=text.words,
    beats=beats.beats,
    manual=manual,
)
