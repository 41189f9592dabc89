"""What decides what somebody is shown of a table; all who have the same are shown the same."""

from __future__ import annotations

from typing import Literal, NamedTuple

from games.contract.data import Viewer
from games.models import Member
from games.pages.players import at_the_table
from games.rooms.new_game import NewGame
from games.rooms.vote_records import running_vote
from games.tables.table import Table


class Viewpoint(NamedTuple):
    """All that regions know of who looks: what is not in here cannot make them differ."""

    seat: Viewer
    """Through whose eyes they see the match."""
    acting: Viewer
    """For whom they can act now."""
    name: str | None
    """Theirs, where they sit at the table."""
    is_host: bool
    spectator: bool | None
    """None: they are not at this table, and look at it on a big screen."""
    muted: frozenset[int]
    """Whose words they do not want to read."""
    ballot: Literal["", "yes", "no"] | None
    """How they have voted; None: they have no part in what the table votes on."""
    no_seat: bool
    """They would play the next match, were there a seat."""
    new_game: NewGame | None
    """Where they can go, while they are not in the match here."""
    language: str

    @property
    def is_screen(self) -> bool:
        """Whether they are shown what is public, and asked nothing."""
        return self.spectator is None


def viewpoint(table: Table, user_id: int | None, language: str) -> Viewpoint:
    """From where this person (None: a big screen) looks at the table, in this language."""
    key = ("viewpoint", user_id, language)
    found: Viewpoint | None = table.made.get(key)
    if found is None:
        found = table.made[key] = _as_before(table, user_id, language)
    return found


def _as_before(table: Table, user_id: int | None, language: str) -> Viewpoint:
    """The same object as before where nothing but acts was added, and none put them out."""
    seat = table.viewer(user_id)
    acting = seat if seat in table.in_play else None
    key = ("viewpoint", user_id, language)
    known: Viewpoint | None = table.carried.get(key)
    if known is None or known.seat != seat or known.acting != acting:
        known = _viewpoint(table, user_id, seat, acting, language)
        known = table.carried[key] = table.carried.setdefault(known, known)
    return known


def _viewpoint(
    table: Table, user_id: int | None, seat: Viewer, acting: Viewer, language: str
) -> Viewpoint:
    member = table.member(user_id)
    name = member.name if member is not None else None
    return Viewpoint(
        seat=seat,
        acting=acting,
        name=name if any(player.username == name for player in at_the_table(table)) else None,
        is_host=member is not None and table.is_host(member),
        spectator=member.spectator if member is not None else None,
        muted=table.muted(user_id),
        ballot=_ballot(table, member),
        no_seat=member is not None and member.pk in table.surplus,
        new_game=_new_game(table, user_id),
        language=language,
    )


def _ballot(table: Table, member: Member | None) -> Literal["", "yes", "no"] | None:
    vote = running_vote(table.room)
    if vote is None or member is None or member.pk not in vote.voters:
        return None
    return "yes" if member.pk in vote.yes else "no" if member.pk in vote.no else ""


def _new_game(table: Table, user_id: int | None) -> NewGame | None:
    """The first new game among people of whom none keeps away from the other."""
    apart = table.blocked(user_id)
    return next(
        (
            new
            for new in table.new_games
            if new.host_id not in apart and user_id not in table.blocked(new.host_id)
        ),
        None,
    )
