"""Choose few states of a page that together contain every kind of element, for axe to check."""

from __future__ import annotations

from collections.abc import Sequence

SHAPES = """() => {
  const known = window.knownShapes ??= new Map();
  const counts = /^(role|type|disabled|open|checked|tabindex|aria-(hidden|pressed|selected|live))$/;
  const own = (one) => {
    const told = [...one.attributes].filter(({ name }) => counts.test(name));
    const states = told.map(({ name, value }) => `${name}=${value}`);
    return [one.tagName, ...[...one.classList].sort(), ...states.sort()].join(".");
  };
  const shapes = new Map([[document.documentElement, ""]]);
  const shape = (one) => {
    if (!shapes.has(one)) shapes.set(one, `${shape(one.parentElement)} ${own(one)}`);
    return shapes.get(one);
  };
  const found = new Set();
  for (const one of document.querySelectorAll("body *")) {
    if (!one.checkVisibility({ visibilityProperty: true })) continue;
    const name = shape(one);
    if (!known.has(name)) known.set(name, known.size);
    found.add(known.get(name));
  }
  return [...found];
}"""
"""Identify each kind of visible element by a number, from names, classes and states of the element
and its ancestors.

This includes everything on which style sheets and roles depend. Texts and addresses are left out.
"""


def enough(drawn: Sequence[tuple[str, set[int]]]) -> list[int]:
    """Choose states that together show all shapes in all phases.

    Greedy: take the states with the most shapes first, so that few are needed.
    """
    chosen: list[int] = []
    offered: list[set[int | str]] = [{phase, *shapes} for phase, shapes in drawn]
    missing = set().union(*offered)
    while missing:
        best = max(range(len(offered)), key=lambda at: len(offered[at] & missing))
        chosen.append(best)
        missing -= offered[best]
    return sorted(chosen)
