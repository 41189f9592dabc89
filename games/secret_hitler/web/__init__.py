"""Page rendering of Secret Hitler: templates, styles, pictures."""

from games.contract.game import Web
from games.secret_hitler.web.placards import at_seat

WEB = Web(
    at_seat=at_seat,
)
