"""Find the first field in which two similar values differ, and both its values."""

from __future__ import annotations

import re
from typing import Any

import msgspec

AROUND = 40


def difference(one: Any, two: Any, path: str = "") -> str:
    """Return the first field that differs, e.g. `players[2].dice is "5,3" here and "2,1" there`.

    Descends into lists, mappings and JSON bytes. For two long texts it shows where they diverge.
    """
    one, two = _read(one), _read(two)
    if isinstance(one, dict) and isinstance(two, dict):
        for key in (*one, *two):
            if one.get(key, ...) != two.get(key, ...):
                inner = f"{path}.{key}" if path else str(key)
                return difference(one.get(key, ...), two.get(key, ...), inner)
    if isinstance(one, list | tuple) and isinstance(two, list | tuple):
        for at in range(max(len(one), len(two))):
            pair = [some[at] if at < len(some) else ... for some in (one, two)]
            if pair[0] != pair[1]:
                return difference(*pair, f"{path}[{at}]")
    if isinstance(one, str) and isinstance(two, str) and len(one) + len(two) > 4 * AROUND:
        one, two = _where_they_part(one, two)
    return f"{path or 'it'} is {_said(one)} here and {_said(two)} there"


def _read(some: Any) -> Any:
    if not isinstance(some, bytes):
        return some
    try:
        return msgspec.json.decode(some)
    except msgspec.DecodeError:
        return some.decode()


def _where_they_part(one: str, two: str) -> tuple[str, str]:
    at = next((at for at, (a, b) in enumerate(zip(one, two, strict=False)) if a != b), len(one))
    at = max(0, min(at, len(two)) - AROUND)
    return one[at : at + 2 * AROUND], two[at : at + 2 * AROUND]


def _said(some: Any) -> str:
    return "missing" if some is ... else re.sub(r"\s+", " ", repr(some))
