"""Accessible names of the list items and controls in a piece of HTML."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

VOID = {"area", "br", "hr", "img", "input", "link", "meta", "source", "use", "wbr"}
IN_ITSELF = {"id", "class", "aria-label", "aria-labelledby", "aria-describedby", "style", "title"}
"""Attributes of a control that do not affect its action."""

UNTOLD = {"csrfmiddlewaretoken", "prompt", "keep", "enact"}
"""Fields users do not notice: `keep` and `enact` number policies, two of which may be equal."""


@dataclass
class Element:
    """An element with its attributes and content."""

    tag: str
    given: dict[str, str]
    parent: Element | None = None
    within: list[Element | str] = field(default_factory=list)

    def walk(self) -> Iterator[Element]:
        yield self
        for one in self.within:
            if isinstance(one, Element):
                yield from one.walk()

    def name(self, by_id: dict[str, Element] | None = None) -> str:
        """Return the accessible name, approximately as ARIA computes it from content."""
        if by_id and (named := self.given.get("aria-labelledby")):
            return " ".join(by_id[one].name() for one in named.split() if one in by_id)
        if label := self.given.get("aria-label") or self.given.get("alt"):
            return label
        if self.given.get("aria-hidden") == "true":
            return ""
        parts = (one if isinstance(one, str) else one.name(by_id) for one in self.within)
        return " ".join("".join(f"{part} " for part in parts).split())

    def scope(self) -> str:
        """Return the id of the enclosing popover."""
        at: Element | None = self
        while at is not None and "popover" not in at.given:
            at = at.parent
        return at.given["id"] if at else ""

    def does(self) -> str:
        """Return what pressing a control does: its attributes, and its form's hidden fields."""
        form = self
        while form.tag != "form" and form.parent is not None:
            form = form.parent
        hidden = [
            (one.given.get("name"), one.given.get("value"))
            for one in form.walk()
            if form.tag == "form" and one.given.get("type") == "hidden"
        ]
        sent = [one for one in hidden if one[0] not in UNTOLD]
        own = {key: value for key, value in self.given.items() if key not in IN_ITSELF}
        if own.get("name") in UNTOLD:
            del own["value"]
        return repr((sorted(own.items()), form.given.get("action"), sent))


class _Tree(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.root = self._at = Element("", {})

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        one = Element(tag, {key: value or "" for key, value in attrs}, self._at)
        self._at.within.append(one)
        if tag not in VOID:
            self._at = one

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._at.within.append(Element(tag, dict.fromkeys((key for key, _ in attrs), "")))

    def handle_endtag(self, tag: str) -> None:
        at = self._at
        while at.tag != tag and at.parent is not None:
            at = at.parent
        self._at = at.parent or self._at

    def handle_data(self, data: str) -> None:
        self._at.within.append(data)


def tree(html: str) -> Element:
    parser = _Tree()
    parser.feed(html)
    return parser.root


def empty_items(html: str) -> list[str]:
    """Return the list items with an empty accessible name."""
    items = [one for one in tree(html).walk() if one.tag == "li"]
    return [repr(one.given) for one in items if not one.name()]


def same_names(html: str) -> dict[str, set[str]]:
    """Return names shared by two buttons of one scope that do different things.

    Buttons that cannot be reached by name do not count. A popover is its own scope, because only
    one is open at a time.
    """
    root = tree(html)
    by_id = {one.given["id"]: one for one in root.walk() if "id" in one.given}
    found = defaultdict[tuple[str, str], set[str]](set)
    for one in root.walk():
        unseen = "hidden" in one.given or one.given.get("aria-hidden") == "true"
        button = one.tag == "button" or (one.tag == "a" and "button" in one.given.get("class", ""))
        if button and not unseen:
            found[one.scope(), one.name(by_id)].add(one.does())
    return {name: does for (_, name), does in found.items() if len(does) > 1}
