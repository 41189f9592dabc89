"""User-facing text of Secret Hitler: sentences, log, rules, lesson and beats."""

from games.contract.game import Telling
from games.secret_hitler.telling.beats import BEATS
from games.secret_hitler.telling.lesson import LESSON
from games.secret_hitler.telling.manual import manual
from games.secret_hitler.telling.presets import GROUPS, PRESETS
from games.secret_hitler.telling.recap import recap
from games.secret_hitler.telling.tally import TALLY
from games.secret_hitler.telling.text import WORDS

TELLING = Telling(
    recap=recap,
    tally=TALLY,
    presets=PRESETS,
    groups=GROUPS,
    lesson=LESSON,
    words=lambda options: WORDS,
    beats=lambda options: BEATS,
    manual=manual,
)
