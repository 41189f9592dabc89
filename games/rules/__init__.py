"""The games, a line each."""

from games.rules.cards import GAME as CARDS
from games.rules.chamber import GAME as CHAMBER
from games.rules.core import AnyGame
from games.rules.coup import GAME as IRON_THRONE
from games.rules.mia import GAME as MIA
from games.rules.secret_hitler import GAME as SECRET_HITLER

GAMES: dict[str, AnyGame] = {
    game.slug: game for game in (CHAMBER, SECRET_HITLER, CARDS, MIA, IRON_THRONE)
}
