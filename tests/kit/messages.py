"""Every sentence of Parlour that wants to be translated, read from code and templates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation.template import templatize
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from tests.kit.served import ROOT

APPS = ("accounts", "chat", "config", "games", "lobby", "moderation")
MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop", "ngettext", "ngettext_lazy"}
MARKED = re.compile(
    r"""\bn?gettext\(\s*u?(?P<quote>'|")(?P<text>.+?)(?P=quote)\s*[,)]""", re.DOTALL
)


def messages() -> set[str]:
    """The message ids: of a sentence with a plural, its singular."""
    found: set[str] = set()
    for app in APPS:
        for path in (ROOT / app).rglob("*.py"):
            found.update(_in_code(path))
    for path in (ROOT / "templates").rglob("*.html"):
        found.update(_in_template(path))
    for path in (ROOT / "templates").rglob("*.jinja"):
        tree = Environment().parse(path.read_text())
        found.update(
            str(message[0] if isinstance(message, tuple) else message)
            for _, _, message in extract_from_ast(tree)
        )
    return found


def _in_code(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Constant):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            if name in MARKS and isinstance(node.args[0].value, str):
                yield node.args[0].value


def _in_template(path: Path) -> Iterator[str]:
    for match in MARKED.finditer(templatize(path.read_text())):
        yield ast.literal_eval(f"{match['quote'] * 3}{match['text']}{match['quote'] * 3}")
