"""Descriptions of bots, and their small talk.

Small talk is a comment on something everybody has seen. It is computed from the log and the seed of
the match. Nothing is stored, and everybody reads the same text.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from games.contract.core import Event
from games.contract.data import Seat
from games.contract.luck import Manner, Temper, manner_of, small_talk_luck
from games.contract.words import Text, _
from games.engine.snapshots import MatchSnapshot
from games.engine.told import ToldAct
from games.models import Member
from games.tables.sentences import say
from games.tables.table import Table
from games.tables.terms import LEVEL_NOTES, LEVELS, TEMPERS

OFTEN = {True: 70, False: 15}
"""Probability in percent that a bot comments, by whether it is chatty."""
BACK = 3
"""Bots only comment on the last few acts."""

HURT: Mapping[Temper, tuple[Text, ...]] = {
    "careful": (_("Oh dear."), _("Hm."), _("Oh well.")),
    "plain": (_("Ouch!"), _("Oh well."), _("Hm.")),
    "bold": (_("Ouch!"), _("Ha!"), _("Just you wait.")),
}
"""A bot's comments on its own loss."""
SPARED: Mapping[Temper, tuple[Text, ...]] = {
    "careful": (_("Phew."), _("Oh dear.")),
    "plain": (_("Ooh."), _("Phew.")),
    "bold": (_("Ha!"), _("Ooh.")),
}
"""A bot's comments on another player's loss."""


def badge(table: Table, member: Member) -> str:
    """Return a bot's label, such as "Bot · hard · bold", or "" for humans."""
    if not member.bot:
        return ""
    words = [say(_("Bot")), level(member)]
    if (temper := _temper(table, member)) is not None:
        words.append(say(TEMPERS[temper]))
    return " · ".join(words)


def level(member: Member) -> str:
    """Return the label of a bot's level."""
    return say(LEVELS.get(member.bot, Text(member.bot)))


def note(table: Table, member: Member) -> str:
    """Return a description of how this bot plays, or "" for humans."""
    manner = _manner(table, member)
    texts = (
        table.game.bots.level_notes.get(member.bot) or LEVEL_NOTES.get(member.bot),
        table.game.bots.manner_note(member.bot, manner) if manner is not None else None,
    )
    return " ".join(say(text) for text in texts if text is not None)


def chatter(table: Table, language: str) -> Mapping[str, str]:
    """Return the bots' small talk about recent losses, by bot name."""
    match = table.match
    if match is None or not table.playing:
        return {}
    seats = [Seat(p.seat) for p in match.players if p.bot and not p.substitute]
    said = {} if not seats else dict(_said(match, seats, table.recent))
    return {table.names[seat]: say(text, language=language) for seat, text in said.items()}


def _said(
    match: MatchSnapshot, seats: Sequence[Seat], acts: Sequence[ToldAct]
) -> Iterator[tuple[Seat, Text]]:
    about, hurt = _newest(match, acts)
    if about is None:
        return
    for seat in seats:
        manner, luck = manner_of(match.seed, seat), small_talk_luck(match.seed, seat, about)
        if luck.draw("speaks", 100) < OFTEN[manner.chatty]:
            yield seat, luck.pick("words", (HURT if seat in hurt else SPARED)[manner.temper])


def _newest(match: MatchSnapshot, acts: Sequence[ToldAct]) -> tuple[int | None, frozenset[Seat]]:
    """Return the version of the act that bots comment on, and the seats that lost something in it.
    If there is no such act, the version is None.
    """
    here = [act for act in acts[-BACK:] if act.match_id == match.row.pk]
    for act in reversed(here):
        public = (event for _known, to, event in act.told if to is None)
        if hurt := frozenset(seat for event in public for seat in _hurt(match, event)):
            return act.version, hurt
    return None, frozenset()


def _hurt(match: MatchSnapshot, event: Event) -> Iterator[Seat]:
    for beat in match.game.telling.beats(match.options).of(event):
        yield from (seat for seat, sound in beat.own.items() if sound == "loss")


def _temper(table: Table, member: Member) -> Temper | None:
    """Return the bot's temper in the current match, or None if its level has none."""
    manner = _manner(table, member)
    return manner.temper if manner and member.bot in table.game.bots.tempered else None


def _manner(table: Table, member: Member) -> Manner | None:
    """Return a bot's manner in the current match, or None for a member who is not a bot in that
    match.
    """
    match = table.match
    if match is None:
        return None
    at = next((p for p in match.players if p.name == member.name and p.bot == member.bot), None)
    return None if at is None or not member.bot else manner_of(match.seed, at.seat)
