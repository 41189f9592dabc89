"""Page rendering of Mia: templates, styles, pictures."""

from typing import Any

from games.contract.game import Web

WEB: Web[Any] = Web(
    colours={
        "felt": "#24705b",
        "felt-deep": "#0f3a2f",
        "accent": "light-dark(#17664d, #84d9ba)",
    }
)
