"""The status line: who is awaited, until when, and who may nudge them."""

from __future__ import annotations

from datetime import datetime
from math import ceil

from django.utils.translation import gettext, gettext_noop, ngettext

from accounts.isolation import isolated
from games.contract.data import Seat, Viewer
from games.contract.words import Text
from games.engine import matches
from games.engine.snapshots import MatchSnapshot
from games.pages import ending
from games.pages.players import dealt
from games.pages.region import Region
from games.pages.viewpoint import Viewpoint
from games.rooms.mixing_records import Mixing, running_mixing
from games.tables.sentences import concerned, emphasized, notice, say
from games.tables.serializers import pause
from games.tables.table import Json, Table, per_table
from games.tables.views import view_of
from games.wire.wire import iso

AN_HOUR = 3600
MIXING = gettext_noop("Mixing the luck …")
MISSING = gettext_noop("%(who)s didn't answer. Mixing the luck again without them …")


def region(table: Table, viewpoint: Viewpoint) -> Region:
    """Return the region with the status line. Viewers who read the same text share it."""
    match, seat = table.match, viewpoint.acting
    still = table.pause is not None or dealt(table) is not None
    mine = seat in table.awaited and not still
    return _region(
        table,
        viewpoint.language,
        _sentence(table, viewpoint),
        mine,
        None if still else _nudge_from(table, viewpoint),
        None if table.pause is None or viewpoint.spectator is None else viewpoint.is_host,
        match is not None and seat is not None and match.players[seat].is_warm,
        _longer(match, seat) if mine and match is not None and seat is not None else "",
    )


@per_table
def _region(
    table: Table,
    language: str,
    sentence: str,
    mine: bool,
    nudge: str | None,
    may_resume: bool | None,
    warm: bool,
    longer: str,
) -> Region:
    """Return the status line of all viewers with these facts.

    `may_resume` is None unless the match is paused. `warm` says whether a bot plays for the viewer
    until their next tap.
    """
    stopped = None if may_resume is None else _stopped(table, may_resume)
    own = {"mine": mine, "nudge": nudge, "pause": stopped, "warm": warm, "longer": longer}
    return Region("status", "status", {**_common(table, language), "sentence": sentence, **own})


def still(table: Table, viewpoint: Viewpoint) -> Region:
    """Return the region with the sentence alone, for a replay."""
    phase = view_of(table, None).phase if table.match and table.playing else ""
    part: Json = {
        "covered": (said := _sentence(table, viewpoint)),
        "sentence": said,
        "phase": phase,
    }
    part |= dict.fromkeys(("deadline", "full", "nudge", "pause"))
    part |= dict.fromkeys(("unhurried", "screen", "mine", "warm"), False)
    return Region("status", "status", {**part, "playing": table.playing, "longer": ""})


def _longer(match: MatchSnapshot, seat: Seat) -> str:
    """Return the extra time that this seat can still take for this question, as text, or "" if
    none.
    """
    if not matches.may_take_more_time(match, seat):
        return ""
    seconds = ceil(matches.usual_time(match))
    if seconds >= AN_HOUR:
        return f"+{seconds // AN_HOUR} h"
    return f"+{seconds} s"


@per_table
def _common(table: Table, language: str) -> Json:
    """Return the data that all viewers share. `covered` is the text without private information."""
    match = table.match
    deadline = match.row.deadline if match and table.playing else None
    return {
        "covered": _for_all(table, language),
        "deadline": iso(deadline),
        "full": _full(match, deadline),
        "unhurried": bool(match and table.playing and match.is_unhurried and not deadline),
        "playing": table.playing,
        "phase": view_of(table, None).phase if match and table.playing else "",
        "screen": table.room.has_screen,
    }


def _full(match: MatchSnapshot | None, deadline: datetime | None) -> int | None:
    """Return the full time for the answer in seconds, or None without a time limit.

    During beats, the clock never shows more than this time.
    """
    if match is None or deadline is None or match.row.asked_at is None:
        return None
    return ceil((deadline - match.row.asked_at).total_seconds())


def _nudge_from(table: Table, viewpoint: Viewpoint) -> str | None:
    """Return when the viewer may nudge the awaited players, or None if they may not."""
    match = table.match
    if match is None or viewpoint.spectator is None or not table.playing or match.row.deadline:
        return None
    if _awaited_people(table) <= {viewpoint.acting}:
        return None
    return iso(matches.may_nudge_from(match, viewpoint.acting, viewpoint.is_host))


@per_table
def _awaited_people(table: Table) -> frozenset[Viewer]:
    """Return the awaited seats that humans play."""
    players = table.match.players if table.match else ()
    return frozenset(at for at in table.awaited if not players[at].bot)


@per_table
def _for_all(table: Table, language: str) -> str:
    """Return the sentence without private information."""
    return _said(table, Viewpoint(language))


def _sentence(table: Table, viewpoint: Viewpoint) -> str:
    """Return the status sentence for the viewer, addressing them as "you" if it is about them."""
    if table.playing and table.match is not None and not table.parked and dealt(table) is None:
        public = _prompt(table, None)
        apart = table.reuse("said apart", (public,), lambda: concerned(public))
        if viewpoint.seat not in apart and _prompt(table, viewpoint.seat) == public:
            return _for_all(table, viewpoint.language)
    return _said(table, viewpoint)


@per_table
def _prompt(table: Table, seat: Viewer) -> Text:
    return table.words.prompt(view_of(table, seat), seat)


def _said(table: Table, viewpoint: Viewpoint) -> str:
    match = table.match
    if table.parked:
        return notice("parked", viewpoint.language)
    if (mixing := running_mixing(table.room)) is not None:
        return _mixes(mixing)
    if match is not None and match.row.broken:
        return notice("broken", viewpoint.language)
    if table.pause is not None:
        return _paused_by(table)
    if match is not None and table.playing:
        if (looking := dealt(table)) is not None:
            return _looks(table, looking, viewpoint)
        prompt = _prompt(table, viewpoint.seat)
        return emphasized(prompt, table.spoken_names, viewpoint.language, viewpoint.seat)
    if match is not None:
        return ending.sentence(table, match, viewpoint.seat)
    if table.display is not None:
        return table.display.sentence(table.words)
    if table.host is None:
        return gettext("Nobody is here to start a match.")
    return _before_the_match(table, viewpoint)


def _mixes(mixing: Mixing) -> str:
    """Return the status sentence while the luck of the next match is mixed."""
    missing = mixing.voids[-1].missing if mixing.voids else ()
    return say(Text(MISSING, {"who": missing}) if missing else Text(MIXING))


def _looks(table: Table, looking: Json, viewpoint: Viewpoint) -> str:
    """Return the status sentence while players look at what they were dealt."""
    if viewpoint.seat is not None and table.names[viewpoint.seat] in looking["reading"]:
        return gettext("Look at your role. It is yours alone.")
    return gettext("The first turn comes when everybody has looked.")


def _stopped(table: Table, may_resume: bool) -> Json:
    """Return the remaining time of the paused match, and who can resume it."""
    left = table.pause.left if table.pause is not None else None
    return {
        "left": "" if left is None else _duration(ceil(left)),
        "may_resume": may_resume,
        "host": table.host,
    }


def _paused_by(table: Table) -> str:
    """Return the sentence that says who has paused the match."""
    paused = pause(table)
    if paused is None or paused.by is None:
        return gettext("The match is paused.")
    return gettext("Paused by %(who)s.") % {"who": isolated(paused.by)}


def _duration(seconds: int) -> str:
    """Format seconds like the running clock of a page (room.js)."""
    return f"{seconds} s" if seconds < 60 else f"{seconds // 60}:{seconds % 60:02}"


def _before_the_match(table: Table, viewpoint: Viewpoint) -> str:
    """Return the status sentence before a match.

    Members who have been away for a minute count as spectators.
    """
    if viewpoint.no_seat:
        taken = gettext("%(game)s has %(most)s seats, and they are taken. You watch this one.")
        return taken % {"game": table.game.name, "most": table.game.seats[1]}
    if viewpoint.is_host:
        if viewpoint.spectator:
            return gettext("You're only watching your table. Press “Sit down” to join in.")
        if len(table.seated) >= table.game.seats[1]:
            return gettext("Your table is full. Start when you're ready.")
        if (missing := table.game.seats[0] - len(table.seated)) > 0:
            return _missing(missing)
        return gettext("Your table is ready. Invite people or add bots, then start.")
    if viewpoint.spectator:
        sentence = gettext("Waiting for %(host)s to start the match. You'll be watching.")
    else:
        sentence = gettext("Waiting for %(host)s to start the match.")
    return sentence % {"host": isolated(table.host or "")}


def _missing(count: int) -> str:
    """Return the status sentence for a host who needs more players."""
    sentence = ngettext(
        "%(count)s more player needed. Invite people or add bots.",
        "%(count)s more players needed. Invite people or add bots.",
        count,
    )
    return sentence % {"count": count}
