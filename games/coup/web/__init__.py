"""Page rendering of Iron Throne: templates, styles, pictures."""

from typing import Any

from games.contract.game import Web

WEB: Web[Any] = Web(
    colours={
        "felt": "#85343f",
        "felt-deep": "#3b0f1c",
        "accent": "light-dark(#8a2140, #f4adbb)",
    }
)
