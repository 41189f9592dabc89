"""A page as a screen reader has it: Chromium's accessibility tree, and the keyboard."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Page

CONTROLS = ("button", "checkbox", "combobox", "link", "radio", "textbox", "DisclosureTriangle")
UNHEARD = ("InlineTextBox", "ListMarker")


@dataclass
class Node:
    """What is told of one thing: its role, its name, its states, and what is in it."""

    role: str
    name: str
    states: dict[str, Any]
    within: list[Node] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The role; Chromium has two for what unfolds, alone or in a group."""
        return self.role.removesuffix("Grouped")

    def walk(self) -> Iterator[Node]:
        """Itself and everything in it, in the order in which it is read."""
        yield self
        for node in self.within:
            yield from node.walk()

    def all(self, role: str, name: str = "") -> list[Node]:
        """Everything in it of this role, and of this name where one is given."""
        return [one for one in self.walk() if one.kind == role and (not name or one.name == name)]

    def find(self, role: str, name: str = "") -> Node | None:
        """The first of them."""
        return next(iter(self.all(role, name)), None)

    @property
    def text(self) -> str:
        """All that is read aloud of it; what is emphasized stands right before its full stop."""
        said = (one for one in self.walk() if one.role in ("StaticText", "image"))
        words = " ".join(" ".join(one.name for one in said if one.name).split())
        return re.sub(r" (?=[.,:;!?)])|(?<=\() ", "", words)

    @property
    def answers(self) -> list[Node]:
        """What can be operated in it."""
        return [
            one for one in self.walk() if one.kind in CONTROLS and not one.states.get("disabled")
        ]


class Reader:
    """Somebody who has the tree and the keyboard, and nothing else."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._devtools = page.context.new_cdp_session(page)

    def read(self) -> Node:
        """The whole page, as it is told now."""
        told = self._devtools.send("Accessibility.getFullAXTree")["nodes"]
        known = {one["nodeId"]: one for one in told}
        (root,) = _nodes(told[0], known)
        return root

    def focused(self) -> Node:
        """What the keyboard is at."""
        found = self._devtools.send("Runtime.evaluate", {"expression": "document.activeElement"})
        asked = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
        (node,) = self._devtools.send("Accessibility.getPartialAXTree", asked)["nodes"]
        return _node(node)

    def press(self, key: str) -> None:
        """One key."""
        self.page.keyboard.press(key)


def _node(told: dict[str, Any]) -> Node:
    states = {one["name"]: one["value"].get("value") for one in told.get("properties", [])}
    name = str(told.get("name", {}).get("value", ""))
    return Node(told.get("role", {}).get("value", ""), " ".join(name.split()), states)


def _nodes(told: dict[str, Any], known: dict[str, dict[str, Any]]) -> Iterator[Node]:
    """The node, or what is in it where it is not told itself."""
    inner = [known[one] for one in told.get("childIds", []) if one in known]
    within = [node for one in inner for node in _nodes(one, known)]
    if told.get("ignored"):
        yield from within
        return
    node = _node(told)
    if node.role not in UNHEARD:
        node.within = within
        yield node
