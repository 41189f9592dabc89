"""Extract the code blocks of a tutorial and write files from them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

FENCE = re.compile(r"^```\w+\n(.*?)^```$", re.M | re.S)
NAMED = re.compile(
    r"(?:# |/\* |\{# |<!-- )(?P<path>[\w./]+\.\w+)(?P<changes> \(changes\))?(?: \*/| #\}| -->)?\n"
)


class Block(NamedTuple):
    """A code block that contains a whole file, or changes to a file."""

    path: str
    is_change: bool
    text: str


def steps_of(document: str) -> Iterator[list[Block]]:
    """Return the blocks of each chapter."""
    for chapter in re.split(r"^## ", document, flags=re.M):
        blocks = []
        for fence in FENCE.finditer(chapter):
            named = NAMED.match(fence[1])
            assert named is not None, f"a block without a file:\n{fence[1][:200]}"
            text = fence[1][named.end() :]
            blocks.append(Block(named["path"], named["changes"] is not None, text))
        if blocks:
            yield blocks


def follow(project: Path, blocks: list[Block]) -> None:
    """Write the files of these blocks."""
    for block in blocks:
        path = project / block.path
        path.parent.mkdir(parents=True, exist_ok=True)
        text = changed(path.read_text(), block.text) if block.is_change else block.text
        path.write_text(text)


def changed(source: str, changes: str) -> str:
    """Replace definitions of the same name, and add the new ones.

    A new definition is put below its predecessor in the block. The first one is put below the
    imports.
    """
    pieces, new = _pieces(source), _pieces(changes)
    after = next(iter(pieces))
    for name in pieces:
        if name.startswith("import"):
            after = name
    order = list(pieces)
    for name, text in new.items():
        key = f"{name} (changes)" if name.startswith("import") else name
        if key not in pieces:
            order.insert(order.index(after) + 1, key)
        pieces[key], after = text, key
    return "\n\n".join(pieces[name] for name in order) + "\n"


def _pieces(source: str) -> dict[str, str]:
    """Return the source of each import and definition, by name."""
    found: dict[str, str] = {}
    for node in ast.parse(source).body:
        name = _name(node)
        text = ast.get_source_segment(source, node)
        assert text is not None
        if name == "text" and found:  # docstring of the constant above
            last = next(reversed(found))
            found[last] += f"\n{text}"
        else:
            found[f"import {len(found)}" if name == "import" else name] = text
    return found


def _name(node: ast.stmt) -> str:
    match node:
        case ast.FunctionDef(name) | ast.ClassDef(name):
            return name
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
            return name
        case ast.Import() | ast.ImportFrom():
            return "import"
        case ast.Expr(ast.Constant(str())):
            return "text"
    raise AssertionError(f"line {node.lineno} of a block is neither a definition nor an import")
