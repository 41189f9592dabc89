"""Every translatable sentence of Parlour, read from code and templates."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import polib
from django.utils.translation.template import templatize
from jinja2 import Environment
from jinja2.ext import extract_from_ast

from tests.kit.served import ROOT

APPS = ("accounts", "chat", "config", "games", "lobby", "moderation", "operations")
MARKS = {"_", "gettext", "gettext_lazy", "gettext_noop"}
PLURAL_MARKS = {"ngettext", "ngettext_lazy"}
LITERAL = r"""u?('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
MARKED = re.compile(
    rf"\b(gettext|ngettext|pgettext|npgettext|_)\(\s*{LITERAL}"
    rf"(?:\s*,\s*{LITERAL})?(?:\s*,\s*{LITERAL})?",
    re.DOTALL,
)


class Message(NamedTuple):
    """The key of a sentence in a catalogue."""

    id: str
    plural: str = ""
    context: str = ""


Found = dict[Message, list[str]]
"""Messages and the files that contain them."""


def messages() -> Found:
    """Return every message in the order of the files, with its locations."""
    found: Found = {}
    for path in _sources():
        where = path.relative_to(ROOT).as_posix()
        for message in _read(path):
            files = found.setdefault(message, [])
            if where not in files:
                files.append(where)
    return found


def gaps(catalogue: polib.POFile, wanted: Iterable[Message]) -> list[Message]:
    """Return the gaps of a catalogue: missing, untranslated and fuzzy messages."""
    known = {of_entry(entry): entry for entry in catalogue if not entry.obsolete}
    return [one for one in wanted if one not in known or not known[one].translated()]


def of_entry(entry: polib.POEntry) -> Message:
    return Message(entry.msgid, entry.msgid_plural, entry.msgctxt or "")


def _sources() -> Iterator[Path]:
    for app in APPS:
        code = sorted((ROOT / app).rglob("*.py"))
        yield from (path for path in code if "tests" not in path.relative_to(ROOT).parts)
    yield from sorted((ROOT / "games").glob("*/web/templates/*.jinja"))
    for folder in (ROOT / "templates", *sorted((ROOT / "games").glob("*/templates"))):
        yield from sorted(path for path in folder.rglob("*") if path.is_file())


def _read(path: Path) -> Iterable[Message]:
    text = path.read_text(encoding="utf-8")
    match path.suffix:
        case ".py":
            return _in_code(text) if any(f"{mark}(" in text for mark in MARKS) else ()
        case ".jinja":
            tree = Environment().parse(text)
            return (_of_jinja(message) for _, _, message in extract_from_ast(tree))
        case _:
            return _in_template(text) if "{%" in text or "{{" in text else ()


def _of_jinja(found: Any) -> Message:
    """Return Jinja's form of a message: a string, or a tuple with a plural."""
    return Message(found[0], found[1]) if isinstance(found, tuple) else Message(found)


def _in_code(text: str) -> Iterator[Message]:
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        said = [arg.value for arg in node.args[:2] if isinstance(arg, ast.Constant)]
        if name in MARKS and said and isinstance(said[0], str):
            yield Message(said[0])
        elif name in PLURAL_MARKS and len(said) == 2:
            yield Message(str(said[0]), str(said[1]))


def _in_template(text: str) -> Iterator[Message]:
    for mark, *quoted in MARKED.findall(templatize(text)):
        said = [_literal(one) for one in quoted]
        context = said.pop(0) if mark in ("pgettext", "npgettext") else ""
        one, many = said[:2]
        yield Message(one, many if mark in ("ngettext", "npgettext") else "", context)


def _literal(quoted: str) -> str:
    """Return the text between these quotes, which may contain line breaks."""
    if not quoted:
        return ""
    mark = quoted[0] * 3
    return str(ast.literal_eval(f"{mark}{quoted[1:-1]}{mark}"))
