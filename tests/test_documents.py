"""The repository's documents stay short and name files that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.repository import ROOT

LINES_PER_VERSION = 60
LINES = {"CONTRIBUTING.md": 120, "docs/performance.md": 100, "docs/architecture.md": 100}
FILE = re.compile(r"`(\w[\w./]*(?:\.py|/))`")
MAPS = ("docs/architecture.md", "docs/what-to-copy.md", "CONTRIBUTING.md")
"""Documents that point a newcomer to files."""


def test_changelog_has_at_most_sixty_lines_per_version() -> None:
    _, *versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.M)
    assert len(versions) > 1
    long = {each.splitlines()[0]: each.strip().count("\n") + 1 for each in versions}
    assert {name: n for name, n in long.items() if n > LINES_PER_VERSION} == {}


@pytest.mark.parametrize("name", LINES)
def test_documents_stay_within_their_line_limits(name: str) -> None:
    assert len((ROOT / name).read_text().splitlines()) <= LINES[name]


@pytest.mark.parametrize("name", MAPS)
def test_files_named_in_a_document_exist(name: str) -> None:
    text = (ROOT / name).read_text()
    assert [each for each in named(text) if not (ROOT / each).exists()] == []


def named(text: str) -> Iterator[str]:
    """Return the files and folders that a text names. A bare file name is in the last folder."""
    folder = Path()
    for line in text.splitlines():
        for each in FILE.findall(line):
            path = Path(each)
            if "/" in each:
                folder = path if each.endswith("/") else path.parent
                yield each
            else:
                yield str(folder / path)
