"""The taste of a bot in Cards: a favourite voice and subject. It is constant during a match."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from games.cards.rules.packs import SUBJECTS, VOICES, Subject, Tag, Voice
from games.contract.data import Data
from games.contract.luck import Manner
from games.contract.words import Text, _

VOICE = 2.0
SUBJECT = 1.5
"""Bonus for a card with the preferred subject. `VOICE` is the bonus for the preferred voice.

A tag that the prompt asks for is also worth 2, so that a bot still answers the question.
"""

OF_VOICES: Mapping[Voice, Text] = {
    "dry": _("dry humour"),
    "dark": _("dark humour"),
    "family": _("what makes a whole family laugh"),
}
OF_SUBJECTS: Mapping[Subject, Text] = {
    "food": _("food"),
    "work": _("office life"),
    "animal": _("animals"),
    "abstract": _("big ideas"),
    "absurd": _("pure nonsense"),
    "person": _("odd people"),
    "place": _("odd places"),
}

LEVEL_NOTES: Mapping[str, Text] = {
    "normal": _("Can't read: it knows what a card is about, and what it likes."),
}


class Taste(Data, frozen=True):
    """One of 21 combinations of voice and subject."""

    voice: Voice
    subject: Subject

    def liking(self, tags: Collection[Tag]) -> float:
        """Return the bonus for a card with these tags."""
        return VOICE * (self.voice in tags) + SUBJECT * (self.subject in tags)


def taste_of(manner: Manner) -> Taste:
    """Derive a bot's taste from its manner. All tastes are equally likely."""
    subject, voice = divmod(manner.taste, len(VOICES))
    return Taste(VOICES[voice], SUBJECTS[subject % len(SUBJECTS)])


def note(level: str, manner: Manner) -> Text | None:
    """Return a sentence about a bot's taste for its profile, or None at the level `random`."""
    if level == "random":
        return None
    taste = taste_of(manner)
    return _(
        "Likes %(voice)s best, and %(subject)s.",
        voice=OF_VOICES[taste.voice],
        subject=OF_SUBJECTS[taste.subject],
    )
