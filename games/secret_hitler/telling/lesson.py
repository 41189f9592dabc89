"""The lesson of Secret Hitler: five elections as voter, chancellor and president."""

from __future__ import annotations

from games.contract.lesson import LEARNER, Lesson, Line
from games.secret_hitler.rules.state import (
    ChancellorNomination,
    ChancellorPolicy,
    PresidentPolicies,
    Vote,
)
from games.secret_hitler.telling.coach import TIPS
from games.secret_hitler.telling.lesson_moments import (
    ADA,
    BELA,
    BOTS,
    CATO,
    DORA,
    FASCIST,
    LIBERAL,
    asks_for,
    held,
    presided,
)

SCRIPT = (
    Line(ADA, ChancellorNomination(BELA), lambda now: held(now) == 0),
    *(Line(bot, Vote(True), lambda now: held(now) == 0) for bot in BOTS),
    *(Line(bot, Vote(False), lambda now: asks_for(now, BELA)) for bot in (ADA, DORA)),
    *(Line(bot, Vote(True)) for bot in BOTS),
    Line(BELA, PresidentPolicies((1, 2))),
    *(Line(bot, PresidentPolicies((0, 1))) for bot in (ADA, CATO, DORA)),
    *(Line(bot, ChancellorPolicy(FASCIST)) for bot in (BELA, CATO)),
    *(Line(bot, ChancellorPolicy(LIBERAL)) for bot in (ADA, DORA)),
    Line(BELA, ChancellorNomination(CATO)),
    Line(CATO, ChancellorNomination(LEARNER)),
    Line(DORA, ChancellorNomination(ADA), lambda now: not presided(now)),
)
LESSON = Lesson(seats=5, luck=14877, options={"pace": "relaxed"}, script=SCRIPT, tips=TIPS)
