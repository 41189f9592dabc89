"""User-facing text of Chamber: sentences, log, rules, lesson and beats."""

from games.chamber.telling import beats, recap, text
from games.chamber.telling.lesson import LESSON
from games.chamber.telling.manual import manual
from games.chamber.telling.presets import GROUPS, PRESETS
from games.chamber.telling.tally import TALLY
from games.contract.game import Telling

TELLING = Telling(
    recap=recap.recap,
    tally=TALLY,
    presets=PRESETS,
    groups=GROUPS,
    lesson=LESSON,
    words=text.words,
    beats=lambda options: beats.BEATS,
    manual=manual,
)
