"""The rules of Cards as people read them, with the numbers of the table."""

from __future__ import annotations

from games.rules.cards.state import Options
from games.rules.leaving import of_leaving
from games.rules.words import Paragraph, Text, _, ngettext


def manual(options: Options, seats: int | None) -> tuple[Paragraph, ...]:
    """A round, then how the match ends."""
    return (
        Paragraph(
            text=_(
                "Everybody answers the same prompt with cards from their hand, then votes for the"
                " best answer that isn't their own."
            )
        ),
        Paragraph(
            text=_(
                "Example: the prompt is “I never leave home without _.” Play “a spare moustache”,"
                " and hope the others laugh."
            )
        ),
        Paragraph(
            text=_(
                "At the start of a round you draw up to %(cards)s cards, and more where the prompt"
                " says so.",
                cards=options.hand_size,
            )
        ),
        Paragraph(
            text=_(
                "Play as many cards as the prompt asks for, in order. Nobody sees who played what"
                " until everybody has."
            ),
            parts=("play",),
        ),
        Paragraph(
            text=_(
                "Vote for your favourite (not your own). Once everybody has voted, you see who"
                " played what."
            ),
            parts=("vote",),
        ),
        Paragraph(text=_discarding(options), parts=("vote",)),
        Paragraph(
            text=_(
                "The answer with the most votes scores a point; in a tie, each scores one. If"
                " nobody votes, nobody scores."
            ),
            parts=("results",),
        ),
        Paragraph(text=_ballots(options), parts=("results",)),
        *(Paragraph(text=text, parts=("over",)) for text in _end(options)),
        Paragraph(
            text=_(
                "If you don't answer in time, you sit the round out. With fewer than two answers a"
                " round doesn't count; three of those in a row end the match."
            )
        ),
        Paragraph(text=_coming(options)),
        of_leaving(options),
    )


def _discarding(options: Options) -> Text:
    if not options.discard_cost:
        return _(
            "During the vote you can discard cards for free; you draw new ones with the next"
            " prompt."
        )
    return ngettext(
        "During the vote you can discard cards for %(count)s point; you draw new ones with the next"
        " prompt.",
        "During the vote you can discard cards for %(count)s points; you draw new ones with the"
        " next prompt.",
        options.discard_cost,
    )


def _ballots(options: Options) -> Text:
    if options.reveal_ballots:
        return _("After the round everybody sees who voted for what.")
    return _("Who voted for what is never shown.")


def _end(options: Options) -> tuple[Text, ...]:
    rounds = ngettext(
        "The match ends after %(count)s round at the latest. Most points wins; a tie is shared.",
        "The match ends after %(count)s rounds at the latest. Most points wins; a tie is shared.",
        options.max_rounds,
    )
    fewest = _(
        "It also ends with fewer than %(fewest)s players left.",
        fewest=options.min_players_to_continue,
    )
    if not options.points_to_win:
        return rounds, fewest
    points = ngettext(
        "First to %(count)s point wins; a tie is shared.",
        "First to %(count)s points wins; a tie is shared.",
        options.points_to_win,
    )
    return points, rounds, fewest


def _coming(options: Options) -> Text:
    if options.allow_late_join and options.spectators == "none":
        return _(
            "If you come during the match, you're in from the next round on, while there is room."
        )
    if options.allow_late_join:
        return _("If you come during the match, you're in from the next round on, or you watch.")
    if options.spectators == "none":
        return _("Nobody can join during the match.")
    return _("If you come during the match, you watch.")
