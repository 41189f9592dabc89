"""User-facing text of Mia: sentences, log, rules, lesson and beats."""

from games.contract.game import Telling
from games.mia.telling import beats, recap, text
from games.mia.telling.lesson import LESSON
from games.mia.telling.manual import manual
from games.mia.telling.presets import GROUPS, PRESETS
from games.mia.telling.tally import TALLY

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
