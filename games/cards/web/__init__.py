"""Page rendering of Cards: templates, styles, pictures."""

from typing import Any

from games.contract.game import Web

WEB: Web[Any] = Web(
    colours={
        "felt": "#58525d",
        "felt-deep": "#232026",
        "rim": "#37323a",
        "accent": "light-dark(#524a57, #d9d1de)",
    }
)
