"""Bots as company: what they are, and the few words they pass the time with.

What a bot says is a feeling about something everybody has seen, so that it is never wrong. It
follows from the log and the seed of the match: everybody reads the same, and nothing is stored.
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
"""In so many cases of a hundred a chatty bot, or another, says something."""
BACK = 3
"""So many acts ago at most that was which it says something about."""

HURT: Mapping[Temper, tuple[Text, ...]] = {
    "careful": (_("Oh dear."), _("Hm."), _("Oh well.")),
    "plain": (_("Ouch!"), _("Oh well."), _("Hm.")),
    "bold": (_("Ouch!"), _("Ha!"), _("Just you wait.")),
}
"""Something has cost it."""
SPARED: Mapping[Temper, tuple[Text, ...]] = {
    "careful": (_("Phew."), _("Oh dear.")),
    "plain": (_("Ooh."), _("Phew.")),
    "bold": (_("Ha!"), _("Ooh.")),
}
"""Something has cost another."""


def badge(table: Table, member: Member) -> str:
    """What a bot is, in a word or three: "Bot · hard · bold"; nothing of people."""
    if not member.bot:
        return ""
    words = [say(_("Bot")), level(member)]
    if (temper := _temper(table, member)) is not None:
        words.append(say(TEMPERS[temper]))
    return " · ".join(words)


def level(member: Member) -> str:
    """How well a bot plays, in a word."""
    return say(LEVELS.get(member.bot, Text(member.bot)))


def note(table: Table, member: Member) -> str:
    """How a bot of this level plays this game, and what it likes; nothing of people."""
    manner = _manner(table, member)
    texts = (
        table.game.bots.level_notes.get(member.bot) or LEVEL_NOTES.get(member.bot),
        table.game.bots.manner_note(member.bot, manner) if manner is not None else None,
    )
    return " ".join(say(text) for text in texts if text is not None)


def chatter(table: Table, language: str) -> Mapping[str, str]:
    """What bots say to pass the time, by name: of something that has just happened to somebody."""
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
    """The act that bots have something to say about, and whom it has cost something."""
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
    """The temper it has in the match on the table, where its level has any."""
    manner = _manner(table, member)
    return manner.temper if manner and member.bot in table.game.bots.tempered else None


def _manner(table: Table, member: Member) -> Manner | None:
    """The manner it has in the match on the table, if it plays there."""
    match = table.match
    if match is None:
        return None
    at = next((p for p in match.players if p.name == member.name and p.bot == member.bot), None)
    return None if at is None or not member.bot else manner_of(match.seed, at.seat)
