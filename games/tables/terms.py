"""Labels of fields, arguments and values."""

from __future__ import annotations

import re
from typing import Any

from accounts.isolation import isolated
from games.contract.core import Refused
from games.contract.presets import PLAYERS, TIME
from games.contract.wording import Words
from games.contract.words import Text
from games.tables.sentences import say

RANGE = re.compile(r"(?P<least>\d+)(?: to |-)(?P<most>\d+)")


def term(words: Words[Any], word: Any, language: str | None = None) -> str:
    """Return the label of a field, an argument or a value in `language` (default: the active
    language)."""
    if isinstance(word, bool):
        return say(YES if word else NO, language=language)
    if isinstance(word, str) and word in words.terms:
        return say(words.terms[word], language=language)
    if isinstance(word, str) and word in SHARED:
        return say(SHARED[word], language=language)
    return isolated(spaced(str(word)))


def value_term(words: Words[Any], option: str, value: Any) -> str:
    """Return the label of an option's value: the option's own (`pace.none`) or a shared one."""
    own = f"{option}.{value}"
    return term(words, own if own in SHARED else value)


def in_words(refused: Refused, words: Words[Any]) -> Refused:
    """Return the refusal of an option, with the option's label and its translated range as
    facts.
    """
    if "option" not in refused.facts:
        return refused
    facts = {**refused.facts, "option": term(words, refused.facts["option"])}
    if found := RANGE.fullmatch(str(facts.get("allowed", ""))):
        facts["allowed"] = Text(_SPAN.id, found.groupdict())
    return Refused(refused.code, **facts)


def spaced(name: str) -> str:
    """Return `faceUp` and `face_up` as "face up"."""
    spread = "".join(f" {c.lower()}" if c.isupper() else c for c in name)
    return spread.replace("_", " ").strip() if name[:1].islower() else name


def _(message: str) -> Text:
    return Text(message)


_SPAN = _("%(least)s to %(most)s")
YES, NO = _("yes"), _("no")
LEVELS = {
    "random": _("random"),
    "easy": _("easy"),
    "normal": _("medium"),
    "hard": _("hard"),
}
"""Labels of bot levels."""
LEVEL_NOTES = {
    "random": _("Does anything the rules allow."),
    "easy": _("Plays like a medium bot, but every fourth move is anything."),
    "normal": _("Knows the odds, never sees hidden cards or dice."),
    "hard": _("Knows the odds, remembers what was said, never sees hidden cards or dice."),
}
"""Descriptions of bot levels. A game may replace them (`Bots.level_notes`)."""
TEMPERS = {"careful": _("careful"), "plain": _("plain"), "bold": _("bold")}
"""Labels of bot tempers, for bots that have a temper."""


SHARED_OPTIONS = ("pace", "onLeave", "keepWarm", "idleKick", "chat", "spectators")
SHARED_GROUPS = ((TIME, ("pace",)), (PLAYERS, SHARED_OPTIONS[1:]))


SHARED = {
    "pace": _("Pace"),
    "onLeave": _("When a player leaves"),
    "keepWarm": _("A bot plays for who is away"),
    "never": _("never"),
    "30s": _("after 30 seconds"),
    "1m": _("after a minute"),
    "5m": _("after 5 minutes"),
    "idleKick": _("Missed turns before losing the seat (0 = never)"),
    "chat": _("Chat"),
    "spectators": _("Spectators"),
    "relaxed": _("Relaxed"),
    "normal": _("Normal"),
    "fast": _("Fast"),
    "bullet": _("Bullet"),
    "day": _("1 day a move"),
    "days": _("3 days a move"),
    "pace.none": _("No clock"),
    "none": _("none"),
    "leave": _("they are out"),
    "substitute": _("a bot plays on"),
    "abort": _("the match ends"),
    "open": _("open"),
    "quiet_votes": _("closed during votes"),
    "off": _("off"),
    "lives": _("Lives"),
    "points": _("Points"),
}
