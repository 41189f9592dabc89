"""Page rendering of Chamber: templates, styles, pictures."""

from typing import Any

from games.contract.game import Web

WEB: Web[Any] = Web(
    colours={
        "felt": "#483d60",
        "felt-deep": "#1f1830",
        "rim": "#4d535c",
        "accent": "light-dark(#5b4690, #c3b2ec)",
    }
)
