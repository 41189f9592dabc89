"""Statistics over matches: a short sample in every run, a long one with `make test-long`."""

from __future__ import annotations

from dataclasses import dataclass

import pytest


@dataclass(frozen=True)
class Sample:
    """The size of a sample relative to the long one, and the tolerance of its figures.

    Seeds are fixed, so results stay the same until rules or bots change.
    """

    part: float
    slack: float

    def of(self, many: int) -> int:
        return max(6, round(many * self.part))


short_and_long = pytest.mark.parametrize(
    "sample",
    [
        pytest.param(Sample(part=0.2, slack=0.2), id="short"),
        pytest.param(Sample(part=1.0, slack=0.0), id="long", marks=pytest.mark.long),
    ],
)
