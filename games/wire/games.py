"""Packets and parts of each game, derived from the game's own types. Seats become usernames."""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec
from msgspec import NODEFAULT, UNSET, Struct

from games.contract.choices import move_types
from games.contract.data import BySeat, Data, Seat
from games.contract.game import AnyGame
from games.wire.client import Envelope
from games.wire.parts import Part, Player, Username, View
from games.wire.server import Event
from games.wire.wire import to_wire

Json = dict[str, Any]
S = TypeVar("S", bound=Struct)


@dataclass(frozen=True)
class Vocabulary:
    """The packets and parts of one game, named `<slug>.<name>`."""

    game: AnyGame

    @cached_property
    def moves(self) -> Mapping[str, type[Struct]]:
        """The packets of the game's moves, by wire name."""
        envelope = [f for f in msgspec.structs.fields(Envelope) if f.name != "type"]
        frame = [(f.name, f.type, f.default) for f in envelope]
        return {
            name: self._derived(move, f"moves.{name}", Part, frame, defaults=True)
            for name, move in move_types(self.game.rules.moves).items()
        }

    @cached_property
    def events(self) -> Mapping[str, type[Event]]:
        """The packets of the game's events, by wire name."""
        return {
            str(event.__struct_config__.tag): self._derived(
                event, f"events.{event.__struct_config__.tag}", Event
            )
            for event in get_args(self.game.rules.events) or (self.game.rules.events,)
        }

    @cached_property
    def options(self) -> type[Struct]:
        return self._derived(self.game.rules.options, "Options", Part, defaults=True)

    @cached_property
    def view(self) -> type[View]:
        """The type of the view, without the facts of the players (see `player`)."""
        return self._derived(self.game.rules.view_type, "View", View, without=("players",))

    @cached_property
    def facts(self) -> type[Struct]:
        """The type of a player's public facts, without the fields of `Player`."""
        (facts, _) = get_args(get_type_hints(self.game.rules.view_type)["players"])
        return self._derived(facts, "Facts", Part)

    @cached_property
    def player(self) -> type[Player]:
        """The packet of a player with a seat in a running match: the fields of `Player` and the
        game's facts.
        """
        facts = [(f.name, f.type) for f in msgspec.structs.fields(self.facts)]
        found = _struct(f"{self.game.slug}.Player", [("seat", int), *facts], Player, {})
        found.__doc__ = "A player with a seat in the running match."
        self._origins[found] = self._origins[self.facts]
        return found

    @cached_property
    def parts(self) -> dict[type[Struct], type[Struct]]:
        """The wire types used in moves, events, views and facts, keyed by the game's own types."""
        return {}

    @cached_property
    def _origins(self) -> dict[type[Struct], type[Struct]]:
        return {}

    def origin(self, derived: type[Struct]) -> type[Struct]:
        """Return the game's type that a type is derived from, or else the type itself."""
        return self._origins.get(derived, derived)

    def told(self, event: Json, version: int) -> Event:
        """Return the packet of an event in act `version`. `event` is the result of `to_wire`."""
        return msgspec.convert({**event, "version": version}, self.events[event["type"]])

    def seen(self, view: Json) -> View:
        """Return the view for the wire. `view` is the result of `to_wire`, without the players."""
        return msgspec.convert(view, self.view)

    def seated(self, facts: Any, names: Sequence[str], **known: Any) -> Player:
        """Return a player with these public facts. `known` are the fields of `Player`."""
        own = msgspec.convert(to_wire(facts, names), self.facts)
        return self.player(**known, **msgspec.structs.asdict(own))

    def _derived(
        self,
        of: type[Struct],
        name: str,
        base: type[S],
        more: Sequence[tuple[Any, ...]] = (),
        without: Sequence[str] = (),
        defaults: bool = False,
    ) -> type[S]:
        """Return a copy of a game's type for the wire.

        Packets from the server contain all fields, except those that may be UNSET. Other defaults
        are therefore dropped unless `defaults` is set.
        """
        fields: list[tuple[Any, ...]] = []
        for field in msgspec.structs.fields(of):
            if field.name in without:
                continue
            kept = (defaults and field.default is not NODEFAULT) or field.default is UNSET
            default = (field.default,) if kept else ()
            fields.append((field.name, self._wire(field.type), *default))
        names = dict(zip(of.__struct_fields__, of.__struct_encode_fields__, strict=True))
        found = _struct(
            f"{self.game.slug}.{name}", [*fields, *more], base, names, of.__struct_config__.tag
        )
        found.__doc__ = of.__dict__.get("__doc__")
        self._origins[found] = of
        return found

    def _wire(self, type_: Any) -> Any:
        """Return the wire type for a type of the rules."""
        if type_ is Seat:
            return Username
        if isinstance(type_, type) and issubclass(type_, Data):
            if type_ not in self.parts:
                self.parts[type_] = self._derived(type_, type_.__name__, Part)
            return self.parts[type_]
        origin, args = get_origin(type_), get_args(type_)
        if origin is Annotated:
            return Annotated[self._wire(args[0]), *type_.__metadata__]
        if origin is Literal or not args:
            return type_
        of = tuple(arg if arg is ... else self._wire(arg) for arg in args)
        if origin is BySeat:
            return dict[Username, of[0]]  # type: ignore[valid-type]
        if origin in (Union, types.UnionType):
            return Union[of]  # noqa: UP007  (of a tuple)
        return origin[of]


_known: dict[tuple[str, Any], Vocabulary] = {}


def vocabulary(game: AnyGame) -> Vocabulary:
    """Return the cached vocabulary of a game."""
    key = (game.slug, game.rules.view_type)
    if key not in _known:
        _known[key] = Vocabulary(game)
    return _known[key]


def _struct(
    name: str,
    fields: Sequence[Any],
    base: type[S],
    names: Mapping[str, str],
    tag: Any = None,
) -> type[S]:
    made: Any = msgspec.defstruct(
        name,
        fields,
        bases=(base,),
        tag=tag,
        rename=lambda field: names.get(field) or _camel(field),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )
    typed: type[S] = made
    return typed


def _camel(field: str) -> str:
    first, *rest = field.split("_")
    return first + "".join(word.capitalize() for word in rest)
