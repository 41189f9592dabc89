"""The recap of Cards: the best answers, and a chart of the scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.cards.rules.state import CardsDiscarded, RoundResult, ScoredPlay, State
from games.cards.telling.log import filled
from games.cards.telling.tally import feats
from games.contract.core import Told, all_seats
from games.contract.data import Seat
from games.contract.recap import MOST_MOMENTS, Recap, line_per_seat
from games.contract.tally import counted
from games.contract.words import Text, _, ngettext


def recap(state: State, told: Sequence[Told]) -> Recap:
    """Build the recap from the results of the rounds."""
    seats = all_seats(len(state.hands))
    scores = dict.fromkeys(seats, 0)
    steps = [list(scores.values())]
    done, thrown = counted(feats(state, told)), Counter[Seat]()
    best: list[tuple[int, Text]] = []
    for event in (t.event for t in told if t.to is None):
        match event:
            case RoundResult():
                for play in event.plays:
                    if play.votes and play.author in event.winners:
                        best.append((play.votes, _play(event, play)))
                for winner in event.winners:
                    scores[winner] += 1
                steps.append(list(scores.values()))
            case CardsDiscarded():
                scores[event.username] = event.score
                thrown[event.username] += event.count
            case _:
                pass
    best.sort(key=lambda found: found[0], reverse=True)
    return Recap(
        measure=_("Points"),
        lines=line_per_seat(steps),
        did={
            seat: (
                ngettext("won %(count)s round", "won %(count)s rounds", done[seat, "rounds"]),
                ngettext("got %(count)s vote", "got %(count)s votes", done[seat, "votes"]),
                ngettext("discarded %(count)s card", "discarded %(count)s cards", thrown[seat]),
            )
            for seat in seats
        },
        moments=tuple(text for _votes, text in best[:MOST_MOMENTS]),
    )


def _play(event: RoundResult, play: ScoredPlay) -> Text:
    text = filled(event.black.text, tuple(card.text for card in play.cards))
    said = ngettext(
        "%(who)s, %(count)s vote: %(text)s",
        "%(who)s, %(count)s votes: %(text)s",
        play.votes,
        text=text,
        who=play.author,
    )
    yours = ngettext("You, %(count)s vote: %(text)s", "You, %(count)s votes: %(text)s", play.votes)
    return said.to(play.author, yours)
