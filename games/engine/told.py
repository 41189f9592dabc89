"""Acts as they are told to viewers: events with their audiences."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.functional import cached_property

from games.contract.core import Event, Told
from games.contract.game import AnyGame
from games.engine.snapshots import MatchSnapshot, told_in
from games.models import Act
from games.wire.wire import to_wire

Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class ToldAct:
    """An act of a match as it is told to viewers: its version, and its events with their
    audiences. It is compared by identity, so it can be a cache key.
    """

    match_id: int
    version: int
    kind: str
    told: tuple[tuple[Json, tuple[int, ...] | None, Event], ...]
    game: AnyGame
    seat: int | None = None
    """The seat that acted, if any."""

    @cached_property
    def public(self) -> list[Json]:
        """The events that are for everybody."""
        return [event for event, to, _ in self.told if to is None]

    @cached_property
    def is_private(self) -> bool:
        """Whether some events are not for everybody."""
        return any(to is not None for _, to, _ in self.told)


def told_act(
    match: MatchSnapshot, number: int, kind: str, told: Iterable[Told], seat: int | None
) -> ToldAct:
    """Return an act of this match with these events."""
    names = match.names
    events = tuple((to_wire(one.event, names), one.to, one.event) for one in told)
    return ToldAct(match.row.pk, number, kind, events, match.game, seat)


def told_acts_since(
    match: MatchSnapshot, version: int, most: int | None = None
) -> tuple[ToldAct, ...]:
    """Return the acts after a version, up to the version of the match, oldest first."""
    newest = match.row.version
    if version >= newest:
        return ()
    until = newest if most is None else min(newest, version + most)  # versions have no gaps
    acts = Act.objects.filter(match_id=match.row.pk, number__gt=version, number__lte=until)
    return tuple(
        told_act(match, number, kind, told_in(match.game, told), seat)
        for number, kind, told, seat in acts.order_by("number").values_list(
            "number", "kind", "told", "seat"
        )
    )
