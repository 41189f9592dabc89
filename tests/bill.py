"""Remove registry URLs from the bill of materials: `python -m tests.bill FILE`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

REGISTRY = "://pypi."


def main() -> None:
    """Rewrite the file, keeping names, versions, licences and hashes."""
    file = Path(sys.argv[1])
    file.write_text(json.dumps(_without_registries(json.loads(file.read_text())), indent=2) + "\n")


def _without_registries(part: Any) -> Any:
    if isinstance(part, dict):
        return {name: _without_registries(value) for name, value in part.items()}
    if isinstance(part, list):
        return [_without_registries(one) for one in part if not _points_there(one)]
    return part


def _points_there(one: Any) -> bool:
    return isinstance(one, dict) and REGISTRY in str(one.get("url", ""))


if __name__ == "__main__":
    main()
