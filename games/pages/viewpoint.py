"""Viewpoints: the facts about a viewer that decide which parts of a table they see."""

from __future__ import annotations

from typing import Literal, NamedTuple

from games.contract.data import Viewer
from games.models import Member
from games.pages.players import at_the_table
from games.rooms.new_game import NewGame
from games.rooms.vote_records import running_vote
from games.tables.table import Table, per_table


class Viewpoint(NamedTuple):
    """All that regions know about a viewer. Viewers with equal viewpoints see the same page.

    By default, it is that of a viewer who sees only what is public.
    """

    language: str
    seat: Viewer = None
    """The seat whose view they see."""
    acting: Viewer = None
    """The seat they can act for now."""
    name: str | None = None
    """The viewer's name if they have a seat."""
    is_host: bool = False
    spectator: bool | None = None
    """Whether the viewer is a spectator.

    None for a big screen, which is not a member of the table.
    """
    muted: frozenset[int] = frozenset()
    """The users that the viewer has muted."""
    ballot: Literal["", "yes", "no"] | None = None
    """The viewer's vote in the running vote. "" if they have not voted yet, None if they cannot
    vote.
    """
    no_seat: bool = False
    """Whether the viewer wants to play the next match but there is no free seat."""
    new_game: NewGame | None = None
    """The new game that the viewer can join while they are out or watching."""

    @property
    def is_screen(self) -> bool:
        """Whether the viewer is a big screen, which shows only what is public."""
        return self.spectator is None


@per_table
def viewpoint_of(table: Table, user_id: int | None, language: str) -> Viewpoint:
    """Return the viewpoint of this user in this language. Without a user, return that of a big
    screen.

    Acts change it only if they eliminate the viewer. Otherwise it is the same object as before.
    """
    seat, acting = table.viewer(user_id), table.acting(user_id)
    return table.reuse(
        ("viewpoint", user_id, language),
        (seat, acting),
        lambda: _viewpoint(table, user_id, seat, acting, language),
    )


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
    """Return the first new game whose host and this user do not block each other, or None."""
    apart = table.blocked(user_id)
    return next(
        (
            new
            for new in table.new_games
            if new.host_id not in apart and user_id not in table.blocked(new.host_id)
        ),
        None,
    )
