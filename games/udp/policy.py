"""The policy of the table where programs play Mia over UDP (docs/rules/mia.md §2)."""

from __future__ import annotations

import re

from django.conf import settings

from accounts.models import User
from games.engine import table_policy
from games.engine.signals import match_finished
from games.engine.table_policy import TablePolicy
from games.models import Room, UdpName, UdpRound
from games.udp import lines, shown, standings


def connect() -> None:
    """Register the policy of the table, and update its standings after matches."""
    table_policy.register(Room.Kind.UDP, POLICY)
    match_finished.connect(standings.on_match_finished)


def may_host(user_id: int | None) -> bool:
    """Whether this user may act as host, which requires permission to manage all tables."""
    return shown.may_host(User.objects.filter(pk=user_id or 0).first())


def may_sit(room: Room) -> bool:
    """Whether human players may join, which requires a time limit for them in the options."""
    return bool(room.options.get("humanMs"))


def is_listed() -> bool:
    """Whether the table is listed, which requires a configured port."""
    return bool(settings.MIA_UDP_PORT)


def refuse_name(name: str, user_id: int | None) -> str | None:
    """Return why a name is refused, or None if it is accepted.

    A name must fit into a line and be free in the standings.
    """
    if standings.is_free(name, user_id):
        return None
    return "UsernameTaken" if lines.is_name(name) else "UsernameOneWord"


def add_to_standings(name: str, user_id: int) -> None:
    """Add a human player to the standings."""
    standings.ensure_people([(name, user_id)])


def take_name(user_id: int, name: str) -> None:
    """Delete a user's name with its points."""
    UdpName.objects.filter(user_id=user_id, name=name).delete()


def anonymize(match_id: int, name: str, instead: str) -> None:
    """Replace a name in stored rounds. In lines, a name is delimited by `;`, `,` and `:`."""
    alone = re.compile(rf"(?<![^;,:]){re.escape(name)}(?![^;,:])")
    for played in UdpRound.objects.filter(match=match_id):
        played.order = [instead if who == name else who for who in played.order]
        played.losers = [instead if who == name else who for who in played.losers]
        played.transcript = [alone.sub(instead, line) for line in played.transcript]
        played.save(update_fields=["order", "losers", "transcript"])


POLICY = TablePolicy(
    continuous=True,
    programs=True,
    archived=False,
    counts_wins=False,
    most_seats=lambda most: None,
    one_word_names=True,
    may_host=may_host,
    may_sit=may_sit,
    is_listed=is_listed,
    fixed_options=standings.UDP_OPTIONS,
    hidden_options=frozenset({*standings.UDP_OPTIONS, "lives", "miaCosts", "pace"}),
    refuse_name=refuse_name,
    on_admitted=add_to_standings,
    take_name=take_name,
    anonymize=anonymize,
    display=shown.shown,
)
