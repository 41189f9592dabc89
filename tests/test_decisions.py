"""The decisions in `docs/decisions/` have a common form, are indexed, and exist if cited."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.kit.repository import ROOT, files

FOLDER = ROOT / "docs/decisions"
MOST = 60
HEADINGS = ["## Context", "## Decision", "## Consequences"]

DECISIONS = sorted(FOLDER.glob("[0-9][0-9][0-9][0-9]-*.md"))
NUMBERS = {int(path.name[:4]) for path in DECISIONS}

CITED = re.compile(r"\b[dD]ecisions?(?: |\n *#? ?)((?:\d+(?:, | and | to )?)+)")


def cited_in(text: str) -> set[int]:
    """Return the numbers of the decisions that a text cites."""
    return {int(number) for list_ in CITED.findall(text) for number in re.findall(r"\d+", list_)}


def texts() -> dict[str, str]:
    """Return the files of the repository, except this one."""
    return {
        name: (ROOT / name).read_text(encoding="utf-8", errors="replace")
        for name in files("")
        if (ROOT / name).is_file() and Path(name).name != Path(__file__).name
    }


def test_number_of_decisions_is_limited() -> None:
    assert 0 < len(DECISIONS) <= MOST
    assert len(NUMBERS) == len(DECISIONS)
    assert {path.name for path in FOLDER.iterdir()} == {
        "README.md",
        *(path.name for path in DECISIONS),
    }


@pytest.mark.parametrize("path", DECISIONS, ids=lambda path: path.name[:4])
def test_decisions_have_the_same_headings(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith(f"# {int(path.name[:4])}. ")
    assert [line for line in lines if line.startswith("##")] == HEADINGS


def test_index_lists_every_decision_once() -> None:
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| (\d+) \| \[(.+)\]\((.+\.md)\) \| (\w.+) \| (\w.+|`.+) \|$", index)
    assert [(int(number), title, name) for number, title, name, *_ in rows] == [
        (
            int(path.name[:4]),
            path.read_text(encoding="utf-8").splitlines()[0].split(". ", 1)[1],
            path.name,
        )
        for path in DECISIONS
    ]
    assert set(re.findall(r"\((\S+\.md)\)", index)) == {path.name for path in DECISIONS}


def test_cited_decisions_exist() -> None:
    missing = {
        name: sorted(gone) for name, text in texts().items() if (gone := cited_in(text) - NUMBERS)
    }
    assert not missing, f"Cite the decision that replaced it (docs/decisions/README.md): {missing}"
