"""Template data for votes: the one that is being held at a table, and those that can be called."""

from __future__ import annotations

from collections.abc import Mapping

from games.contract.words import Text, _
from games.engine.absent import game_of
from games.pages.viewpoint import Viewpoint
from games.rooms.vote_records import running_vote
from games.tables.decisions import table_vote
from games.tables.sentences import say
from games.tables.table import Json, Table
from games.wire.parts import TableVote, VoteAbout

QUESTIONS: Mapping[VoteAbout, Text] = {
    "pause": _("Pause the match?"),
    "resume": _("Go on with the match?"),
    "end": _("End the match without a result?"),
    "bot": _("Let a bot play on for %(whom)s?"),
    "host": _("Make %(whom)s the host?"),
    "game": _("Play %(game)s next?"),
    "remove": _("Remove %(whom)s from the table?"),
    "seat": _("Give %(whom)s's seat to %(heir)s, who would see the hand?"),
}


def region(table: Table, viewpoint: Viewpoint) -> Json:
    """Return the question, the count and the viewer's own vote (`ballot`)."""
    vote, kept = table_vote(table), running_vote(table.room)
    if vote is None or kept is None:
        return {"shown": False}
    return {
        "shown": True,
        "number": int(kept.until.timestamp() * 1000),
        "question": say(_question(vote)),
        "by": vote.by,
        "yes": len(vote.yes),
        "no": len(vote.no),
        "needed": vote.needed,
        "until": vote.until,
        "ballot": viewpoint.ballot,
    }


def _question(vote: TableVote) -> Text:
    game = game_of(vote.game).name if vote.game else ""
    return QUESTIONS[vote.about].of(whom=vote.username or "?", game=game, heir=vote.heir or "?")


def may_call(table: Table, viewpoint: Viewpoint) -> bool:
    """Whether this viewer may call a vote."""
    if table.policy.continuous or table.parked:
        return False
    return viewpoint.seat is not None if table.playing else viewpoint.spectator is False


def callable_now(table: Table, viewpoint: Viewpoint) -> list[Json]:
    """Return the votes about the running match that this viewer may call."""
    if not table.playing or not may_call(table, viewpoint):
        return []
    abouts: tuple[VoteAbout, ...] = ("resume" if table.pause else "pause", "end")
    if viewpoint.is_host:
        abouts = ("end",)
    return [{"about": about, "text": say(CALLS[about])} for about in abouts]


CALLS: Mapping[VoteAbout, Text] = {
    "pause": _("Pause"),
    "resume": _("Go on"),
    "end": _("End without a result"),
}
