"""A page as a screen reader sees it: Chromium's accessibility tree, and keyboard input."""

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
    """A node of the accessibility tree: role, name, states and children."""

    role: str
    name: str
    states: dict[str, Any]
    within: list[Node] = field(default_factory=list)

    @property
    def kind(self) -> str:
        """The role. Chromium has two roles for disclosures: alone and in a group."""
        return self.role.removesuffix("Grouped")

    def walk(self) -> Iterator[Node]:
        """Yield this node and its descendants in reading order."""
        yield self
        for node in self.within:
            yield from node.walk()

    def all(self, role: str, name: str = "") -> list[Node]:
        """Return all descendants with this role, and with this name if given."""
        return [one for one in self.walk() if one.kind == role and (not name or one.name == name)]

    def find(self, role: str, name: str = "") -> Node | None:
        """Return the first match."""
        return next(iter(self.all(role, name)), None)

    @property
    def text(self) -> str:
        """Return all text that is read aloud.

        Emphasized text is joined to a following full stop.
        """
        said = (one for one in self.walk() if one.role in ("StaticText", "image"))
        words = " ".join(" ".join(one.name for one in said if one.name).split())
        return re.sub(r" (?=[.,:;!?)])|(?<=\() ", "", words)

    @property
    def answers(self) -> list[Node]:
        """Return the operable descendants."""
        return [
            one for one in self.walk() if one.kind in CONTROLS and not one.states.get("disabled")
        ]


class Reader:
    """A user who has only the accessibility tree and the keyboard."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._devtools = page.context.new_cdp_session(page)

    def read(self) -> Node:
        """Return the current accessibility tree of the whole page."""
        told = self._devtools.send("Accessibility.getFullAXTree")["nodes"]
        known = {one["nodeId"]: one for one in told}
        (root,) = _nodes(told[0], known)
        return root

    def focused(self) -> Node:
        """Return the focused node."""
        found = self._devtools.send("Runtime.evaluate", {"expression": "document.activeElement"})
        asked = {"objectId": found["result"]["objectId"], "fetchRelatives": False}
        (node,) = self._devtools.send("Accessibility.getPartialAXTree", asked)["nodes"]
        return _node(node)

    def press(self, key: str) -> None:
        """Press one key."""
        self.page.keyboard.press(key)


def _node(told: dict[str, Any]) -> Node:
    states = {one["name"]: one["value"].get("value") for one in told.get("properties", [])}
    name = str(told.get("name", {}).get("value", ""))
    return Node(told.get("role", {}).get("value", ""), " ".join(name.split()), states)


def _nodes(told: dict[str, Any], known: dict[str, dict[str, Any]]) -> Iterator[Node]:
    """Return the node, or its children if the node itself is ignored."""
    inner = [known[one] for one in told.get("childIds", []) if one in known]
    within = [node for one in inner for node in _nodes(one, known)]
    if told.get("ignored"):
        yield from within
        return
    node = _node(told)
    if node.role not in UNHEARD:
        node.within = within
        yield node
