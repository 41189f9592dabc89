"""Secret Hitler: liberals and fascists elect governments, and only the fascists know who is who."""

from games.rules.core import Game
from games.rules.secret_hitler.beats import BEATS
from games.rules.secret_hitler.board import party_of
from games.rules.secret_hitler.bots import BOTS, TALKS
from games.rules.secret_hitler.claims import CLAIMS
from games.rules.secret_hitler.events import Events
from games.rules.secret_hitler.government import disabled_moves
from games.rules.secret_hitler.lesson import LESSON
from games.rules.secret_hitler.manual import manual
from games.rules.secret_hitler.placards import at_seat
from games.rules.secret_hitler.presets import GROUPS, PRESETS
from games.rules.secret_hitler.recap import recap
from games.rules.secret_hitler.rules import (
    apply,
    awaited,
    check,
    idles,
    is_discussed,
    lapse,
    leave,
    offers,
    out,
    outcome,
    patience,
    setup,
    turn,
)
from games.rules.secret_hitler.state import Moves, Options, State, View
from games.rules.secret_hitler.text import LEVEL_NOTES, WORDS
from games.rules.secret_hitler.view import view

GAME = Game(
    slug="secret_hitler",
    name="Secret Hitler",
    seats=(5, 10),
    minutes=30,
    version=1,
    options=Options,
    state=State,
    view_type=View,
    moves=Moves,
    events=Events,
    setup=setup,
    check=check,
    awaited=awaited,
    idles=idles,
    out=out,
    turn=turn,
    offers=offers,
    apply=apply,
    lapse=lapse,
    leave=leave,
    comeback="ComeBack",
    patience=patience,
    unpaced=is_discussed,
    deal_wait=20.0,
    view=view,
    outcome=outcome,
    disabled_moves=disabled_moves,
    at_seat=at_seat,
    sides=lambda state: tuple(party_of(role) for role in state.roles),
    claims=CLAIMS,
    recap=recap,
    bots=BOTS,
    level_notes=LEVEL_NOTES,
    tempered=frozenset({"easy", "normal", "hard"}),
    talks=TALKS,
    presets=PRESETS,
    groups=GROUPS,
    lesson=LESSON,
    words=lambda options: WORDS,
    beats=lambda options: BEATS,
    manual=manual,
)
