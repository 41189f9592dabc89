"""How events are shown: everybody gets the same beats, each worded for its reader."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.contract.beats import NOTHING, Beats
from games.contract.core import Event
from games.contract.data import Seat
from games.contract.words import Fact, Text
from tests.kit.play import Playthrough
from tests.kit.wording import is_sentence

SILENT: Mapping[str, str] = {
    "chamber": "ItemsDealt RebalancePassed ChamberSeen ItemsLooted RoundEnded",
    "secret_hitler": "RoleGiven CandidateCalled SaidReady VoteOpened Voted PoliciesDrawn"
    " PoliciesChosen PoliciesPassed DeckReshuffled PartyShown DeckPeeked ExecutiveConfirmed",
    "cards": "HandDrawn PlayerPlayed PlayerVoted AuthorsShown CardsDiscarded Continued",
    "mia": "Rolled LivesLeft Score Continued",
    "coup": "Passed Answered CardDrawn PoolDrawn",
}
"""The events of each game that are not beats."""
LONGEST = 60
"""Maximum characters of a headline, which is read at a glance.

Names and cards are not counted.
"""


def is_silent(slug: str, event: Event, beats: Beats) -> bool:
    """Return whether a game declares that this event is not a beat.

    New games need not declare this.
    """
    if slug not in SILENT:
        return not beats.of(event)
    match type(event).__name__, event:
        case "ActionDeclared", _:
            return getattr(event, "action", "") == "Income"
        case "TrackerMoved", _:
            return getattr(event, "tracker", None) == 0
        case name, _:
            return name in SILENT[slug].split()


def is_shown(playthrough: Playthrough) -> None:
    """Check that every public event is a beat or declared not to be, and addresses no reader."""
    beats = playthrough.game.telling.beats(playthrough.options)
    for told in playthrough.change.told:
        silent = is_silent(playthrough.game.slug, told.event, beats)
        assert silent or told.to is None, f"{told.event} is not told to all"
        shown = beats.of(told.event)
        assert bool(shown) == (not silent), told.event
        for beat in shown:
            for text in (beat.headline, beat.beside):
                if text is None or text is NOTHING:
                    continue
                is_headline(text)
                for you in playthrough.seats:
                    assert you not in seats_in(text, you), f"{text} is said to {you}"


def is_said_beside_faces(playthrough: Playthrough) -> None:
    """Check that only public events are said beside a seat or change a face, never private ones."""
    beats = playthrough.game.telling.beats(playthrough.options)
    for told in playthrough.change.told:
        assert told.to is None or not beats.moods(told.event), told.event
        bubbles = beats.bubbles(told.event)
        assert bubbles is None or told.to is None, told.event
        for seat, said in bubbles.said.items() if bubbles else ():
            assert seat in playthrough.seats
            is_sentence(said)
            assert len(said.id) <= LONGEST, said.id


def is_headline(text: Text) -> None:
    """Return whether a headline is complete, short, and without a full stop."""
    is_sentence(text)
    assert len(text.id) <= LONGEST, text.id
    assert not text.id.endswith("."), text.id


def seats_in(text: Fact, you: Seat) -> Iterator[Seat]:
    """Return every seat named to this reader."""
    match text:
        case Seat():
            yield text
        case Text():
            text = text.to_you.get(you, text)
            is_sentence(text)
            for name, fact in text.facts.items():
                if f"%({name})s" in text.id:
                    yield from seats_in(fact, you)
        case tuple():
            for fact in text:
                yield from seats_in(fact, you)
