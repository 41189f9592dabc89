"""`parlour …`: finds the code and runs a command of it (docs/decisions/0081).

The wheel holds one package, so that no name of ours (config, games, chat …) is in the way of
somebody else's: the code lies in its folder `house`, laid out as in a checkout.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOUSE = HERE / "house" if (HERE / "house").is_dir() else HERE.parent


def main() -> None:
    """Run a command."""
    sys.path.insert(0, str(HOUSE))
    from config.command_line import main as run

    run()


if __name__ == "__main__":
    main()
