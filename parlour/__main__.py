"""`parlour …`: find the code and run a command (docs/decisions/0081).

The wheel installs a single package, so that names such as config, games and chat cannot conflict
with other packages. The code is in its folder `house`, laid out as in a checkout.
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
