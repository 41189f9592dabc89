"""A table of Secret Hitler with a state set by hand, rendered for one viewer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from chat.models import Message
from games.contract.data import Seat
from games.pages import regions
from games.pages.templating import render
from games.secret_hitler.rules.state import (
    InvestigateAffiliation,
    Options,
    PresidentPolicies,
    VetoRequest,
    Vote,
)
from games.secret_hitler.tests.table import A, B, C, E, F, Table, seats, tiles
from games.tables.loading import load
from tests.kit.factories import PersonFactory, open_table, start_match

NAMES = ("Ann", "Bela", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hedy", "Ines", "Juno")
ROLES = "FHFFLLLLLL"
"""Ann is a fascist, Bela is Hitler, Cleo and Dora are fascists."""


class Drawn:
    """A rendered table. The viewer is Ann unless another player is named."""

    def __init__(self, names: Sequence[str] = NAMES) -> None:
        self.people = [PersonFactory(name=name) for name in names]
        self.room = open_table(*self.people, game="secret_hitler")
        self.match = start_match(self.room)

    def at(
        self, table: Table, by: int | None = 0, claims: Sequence[Message] = ()
    ) -> dict[str, str]:
        """Return the regions for this state. `by`: index of the viewer, None for a spectator."""
        seen = load(self.room.pk)
        assert seen.match is not None
        now = replace(seen, match=replace(seen.match, state=table.state), claims=tuple(claims))
        person = PersonFactory() if by is None else self.people[by]
        return {region.id: render(now, region, "en") for region in regions(now, person.pk)}


def said(name: str, kind: str, letters: str, about: int) -> Message:
    """Return a claim as a chat message."""
    return Message(name=name, claim={"kind": kind, "about": about, "policies": tiles(letters)})


def begun(roles: str = ROLES, dead: str = "", **fields: object) -> Table:
    """Return a table after two elections, with Ann as candidate."""
    table = Table(roles, deck="FLFFLFFLFLFFLFFLF", rotation=seats("I")[0], candidate=seats("I")[0])
    table.govern(C, "L").elect(Seat(6)).do(seats("J")[0], PresidentPolicies((0, 1)))
    table.set(phase="nominate", chancellor=None, candidate=A, rotation=A, hand=(), discard=())
    return table.set(alive=tuple(Seat(at) not in seats(dead) for at in range(len(roles))), **fields)


def asked() -> dict[str, Table]:
    """Return every question of the game, asked to Ann, on a table as full as possible."""
    veto = begun(fascist=5, tracker=2).elect(E)
    veto.do(A, PresidentPolicies((0, 1)))
    enacts = begun(fascist=5, candidate=F).elect(A).do(F, PresidentPolicies((0, 1)))
    looked = begun(fascist=1).govern(E).do(A, InvestigateAffiliation(F))
    return {
        "nominate": begun(fascist=3, tracker=2, last_elected=None),
        "discuss": begun(fascist=3, candidate=F, options=Options(discussion=90)).nominate(E),
        "vote": begun(fascist=3, tracker=1, candidate=F).nominate(E).do(B, Vote(True)),
        "president_discard": begun(fascist=3).elect(E),
        "chancellor_enact": enacts,
        "veto_confirm": veto.do(E, VetoRequest()),
        "power_investigate": begun(fascist=1).govern(E),
        "power_ack": looked,
        "power_special": begun(fascist=2).govern(E),
        "power_execute": begun(fascist=3).govern(E),
    }
