"""Recomputes the luck of a finished match from what was revealed, without knowing a rule."""

from __future__ import annotations

from collections.abc import Iterator

from games.live import seed_of
from games.models import Act, Match
from games.rules.data import unpack
from games.rules.luck import Draw, Luck


def differences(match: Match) -> Iterator[str]:
    """A sentence for every draw that does not follow from the seed; none: the luck was fair."""
    seed = seed_of(match)
    if len(match.nonces) < 1:
        yield "The match has no nonces."
    for act in Act.objects.filter(match=match).order_by("number"):
        luck = Luck(seed, act.number)
        for at, drawn in enumerate(unpack(act.draws, tuple[Draw, ...]), 1):
            value = _again(luck, drawn)
            if value != drawn.value:
                yield (
                    f"Act {act.number}, draw {at} ({drawn.label}, {drawn.size}): "
                    f"the log says {drawn.value}, the seed says {value}."
                )


def _again(luck: Luck, drawn: Draw) -> int | tuple[int, ...]:
    if isinstance(drawn.value, int):
        return luck.draw(drawn.label, drawn.size)
    return luck.shuffle(drawn.label, drawn.size)
