"""Cited documents exist, and so do the sections, rules, examples and labels cited in them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from conformance.mia.book import CHECKS
from tests.kit.repository import ROOT, files

TEXTS = (".py", ".md", ".js", ".css", ".jinja", ".html", ".toml")
NUMBERED = (".py", ".md")
"""Files in which numbered rules can be cited."""
LIST = r"\d+a?(?:(?:, | and | to )\d+a?\b)*"
LABEL = r"(?<![%\w])C\d\d?\b"
NUMBER = rf"§\d+(?:\.\d+)*|{LABEL}|\b(?:[Rr]ule|[Ee]xample)s? {LIST}|\bdef test_\d+_"
CITED = re.compile(rf'(?P<doc>(?<![\w./*<"-])[\w.][\w./-]*\.md\b)|(?P<number>{NUMBER})')
LINK = re.compile(rf"\[(?:({NUMBER})|`?[\w./-]+\.md`?)\]\(([\w./-]+\.md)\)")
BESIDE = re.compile(r"[\s`)\],#]*(?:and|to)?[\s#]*")
"""Text allowed between a document and its numbers."""
QUOTED = re.compile(r"^```md\n.*?^```$", re.M | re.S)
"""A document quoted in another document. Its citations are relative to another folder."""
DECISION = re.compile(r"docs/decisions/(\d{4})")
OUTSIDE = re.compile(r"\bseed 00\d\b|\b[Cc]onventions C\d")
"""References to documents outside the repository, and numbers without a document."""


def wrong(name: str, source: str) -> Iterator[str]:
    """Yield what is wrong with the citations of a file.

    A number belongs to the document right before it. Otherwise it belongs to the page itself in a
    specification, and to the document cited last in other files.
    """
    source = QUOTED.sub("", source)
    source = LINK.sub(lambda link: f"{link[2]} {link[1] or ''}", source)
    for found in OUTSIDE.finditer(source):
        yield f"{name}: {found[0]} names no file"
    for found in DECISION.finditer(source):
        if not list((ROOT / "docs/decisions").glob(f"{found[1]}-*.md")):
            yield f"{name}: there is no {found[0]}"
    last = beside = name if _is_specification(name) else None
    end = 0
    for found in CITED.finditer(source):
        if found["doc"]:
            document = _path(name, found["doc"])
            if document is None:
                yield f"{name}: there is no {found['doc']}"
            beside, end = document, found.end()
            last = last if _is_specification(name) else document
        elif name.endswith(NUMBERED):
            is_beside = beside is not None and BESIDE.fullmatch(source, end, found.start())
            yield from _missing(name, beside if is_beside else last, found["number"])
            end = found.end() if is_beside else end


def _missing(name: str, document: str | None, number: str) -> Iterator[str]:
    is_spec = document is not None and _is_specification(document)
    if document is None and not number.startswith("def"):
        yield f"{name}: {number} names no document"
    elif document is not None and (is_spec or not number.startswith("def")):
        for each in _spelled(number):
            if each not in numbers_of(document):
                yield f"{name}: there is no {each} in {document}"


def _spelled(number: str) -> Iterator[str]:
    """Yield the numbers of a citation in the form `numbers_of` uses."""
    if number.startswith(("§", "C")):
        yield number
        return
    kind = "rule" if number.lower().startswith("rule") else "example"
    for each in re.findall(r"\d+a?", number):
        yield f"{kind} {each}"


@cache
def numbers_of(document: str) -> frozenset[str]:
    """Return the sections, labels, rules and examples of a document."""
    found, kind = set(), "rule"
    for line in (ROOT / document).read_text(encoding="utf-8").splitlines():
        if heading := re.match(r"#+ (?:(C\d+)\b|(\d+(?:\.\d+)*) )?", line):
            kind = "example" if line.endswith("Examples") else "rule"
            found.add(heading[1] or f"§{heading[2]}")
        elif item := re.match(r"(?:\*\*)?(\d+a?)\.", line):
            found.add(f"{kind} {item[1]}")
    return frozenset(found)


def _path(name: str, cited: str) -> str | None:
    """Return the cited file, relative to the root of the repository."""
    folders = [ROOT, *([(ROOT / name).parent] if name.endswith(".md") else [])]
    for folder in folders:
        if (folder / cited).is_file():
            return str((folder / cited).resolve().relative_to(ROOT))
    return None


def _is_specification(name: str) -> bool:
    return name == "docs/wire.md" or name.startswith("docs/rules/")


def test_every_citation_resolves() -> None:
    found = [
        line
        for name in files(*TEXTS)
        if Path(name).name != Path(__file__).name
        for line in wrong(name, (ROOT / name).read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("check", CHECKS)
def test_every_mia_check_refers_to_a_rule(check: str) -> None:
    numbers, rule = numbers_of("docs/rules/mia.md"), check.split("-")[0]
    assert rule == "spectator" or f"rule {rule}" in numbers
    assert {f"example {each}" for each in re.findall(r"vector (\d+)", CHECKS[check])} <= numbers
