"""The command `parlour` of an installed wheel, and `parlour.pettingzoo`.

The wheel installs a single package, so that names such as config, games and chat cannot conflict
with other packages (docs/decisions/0081). The code is in its folder `project`, laid out as in a
checkout. Importing this package makes it importable.
"""

from __future__ import annotations

import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROJECT = HERE / "project" if (HERE / "project").is_dir() else HERE.parent

if str(PROJECT) not in sys.path:
    sys.path.insert(0, str(PROJECT))
