"""User-facing text of Iron Throne: sentences, log, rules, lesson and beats."""

from games.contract.game import Telling
from games.coup.telling import beats, recap, text
from games.coup.telling.lesson import LESSON
from games.coup.telling.manual import manual
from games.coup.telling.presets import GROUPS, PRESETS
from games.coup.telling.tally import TALLY

TELLING = Telling(
    recap=recap.recap,
    tally=TALLY,
    presets=PRESETS,
    groups=GROUPS,
    lesson=LESSON,
    words=text.words,
    beats=beats.beats,
    manual=manual,
)
