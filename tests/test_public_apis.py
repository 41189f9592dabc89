"""Libraries are used by what they document: nothing private or internal is imported."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.kit.repository import ROOT, files

OURS = ("accounts", "chat", "conformance", "config", "examples", "games", "lobby", "moderation")
OURS += ("operations", "parlour", "parlour_client", "tests", "tools")
LEFT: set[str] = set()
"""What is still imported although it is internal. Only remove lines here."""


def private(name: str, source: str) -> Iterator[str]:
    """The imports of a file from a private or internal part of somebody else's package."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            modules = [f"{node.module}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            continue
        for module in modules:
            first, *rest = module.split(".")
            if first not in OURS and any(
                part in ("internal", "_internal")
                or (part.startswith("_") and not part.startswith("__"))
                for part in rest
            ):
                yield f"{name}: {module}"


def test_no_more_is_imported_from_the_inside_of_a_library() -> None:
    product = [name for name in files(".py") if "tests/" not in name and name != "conftest.py"]
    found = {each for name in product for each in private(name, (ROOT / name).read_text("utf-8"))}
    assert found == LEFT
