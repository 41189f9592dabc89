"""Name labels for narrow places."""

from __future__ import annotations

import re

import pytest

from games.pages.names import told_apart


def parts(*names: str) -> list[tuple[str, str]]:
    """Split a label into a part that may be shortened and a part that must stay whole."""
    labels = told_apart(names)
    found = (re.match(r"<b[^>]*><i>(.*)</i>(.*?)</b>", labels[name]) for name in names)
    return [(one[1], one[2]) if one else ("", "") for one in found]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Christian", "Christina"), [("Christ", "ian"), ("Christ", "ina")]),
        (
            ("Alexander Meier", "Alexandra Meier"),
            [("Alexand", "er Meier"), ("Alexand", "ra Meier")],
        ),
        (("Anna Meier", "Andrea Meier"), [("", ""), ("", "")]),
        (("Chris", "Christa"), [("", ""), ("Chri", "sta")]),
        (("علي الأول", "علي الثاني"), [("", ""), ("", "")]),
    ],
)
def test_label_keeps_the_part_that_distinguishes_names(
    names: tuple[str, ...], expected: list[tuple[str, str]]
) -> None:
    assert parts(*names) == expected


def test_names_are_escaped() -> None:
    label = told_apart(("O'Connor", "O'Connell"))["O'Connor"]
    assert label == '<b class="cut"><i>O&#39;Con</i>nor</b>'
    assert told_apart(("<b>bold</b>",))["<b>bold</b>"] == "&lt;b&gt;bold&lt;/b&gt;"
