"""Page rendering of Secret Hitler: templates, styles, pictures."""

from games.contract.game import Web
from games.secret_hitler.web.placards import at_seat

WEB = Web(
    colours={
        "felt": "#2b5375",
        "felt-deep": "#122537",
        "accent": "light-dark(#1f5f86, #8cc8ee)",
    },
    at_seat=at_seat,
    in_one_row=True,
)
