"""Parameters of which a few represent the others in `make test`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def quick(every: Iterable[str], *representatives: str) -> list[Any]:
    """Return the parameters. All but the representatives are slow."""
    return [
        pytest.param(one, marks=() if one in representatives else pytest.mark.slow) for one in every
    ]
