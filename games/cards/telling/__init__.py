"""User-facing text of Cards: sentences, log, rules, lesson and beats."""

from games.cards.telling import beats, recap, text
from games.cards.telling.lesson import LESSON
from games.cards.telling.manual import manual
from games.cards.telling.presets import GROUPS, PRESETS
from games.cards.telling.tally import TALLY
from games.contract.game import Telling

TELLING = Telling(
    recap=recap.recap,
    tally=TALLY,
    presets=PRESETS,
    groups=GROUPS,
    lesson=LESSON,
    words=lambda options: text.words(options.discard_cost),
    beats=lambda options: beats.BEATS,
    manual=manual,
)
