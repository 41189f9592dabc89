"""Every package of the games app has its layer in the import contracts (`pyproject.toml`)."""

from __future__ import annotations

import re
import tomllib

from games.registry import SLUGS
from tests.kit.repository import ROOT

WITHOUT = {"__init__", "conftest", "migrations"}


def layers() -> set[str]:
    """Return the names in the layers of the games app."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    (found,) = (one for one in contracts["contracts"] if one.get("containers") == ["games"])
    return {name for layer in found["layers"] for name in re.findall(r"\w+", layer)}


def test_every_package_except_games_has_a_layer() -> None:
    folder = ROOT / "games"
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    modules = {path.stem for path in folder.glob("*.py")}
    assert packages | modules <= layers() | set(SLUGS) | WITHOUT
