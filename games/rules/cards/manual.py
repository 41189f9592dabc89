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
                "Everybody answers the same prompt with cards from their hand, and everybody votes"
                " for the best answer of somebody else."
            )
        ),
        Paragraph(
            text=_(
                "Hands are filled up to %(cards)s cards at the start of a round, and further where"
                " the prompt says so.",
                cards=options.hand_size,
            )
        ),
        Paragraph(
            text=_(
                "Choose as many cards as the prompt has blanks, in order. Nobody sees who has"
                " played what until all have."
            ),
            parts=("play",),
        ),
        Paragraph(
            text=_(
                "Vote for one answer, not your own. After your vote you see who played what; the"
                " others see it after theirs."
            ),
            parts=("vote",),
        ),
        Paragraph(text=_discarding(options), parts=("vote",)),
        Paragraph(
            text=_(
                "The answer with the most votes brings a point; if several share the lead, each"
                " gets one. Without any vote nobody does."
            ),
            parts=("results",),
        ),
        Paragraph(text=_ballots(options), parts=("results",)),
        *(Paragraph(text=text, parts=("over",)) for text in _end(options)),
        Paragraph(
            text=_(
                "Whoever is silent plays nothing in that round, or casts no vote. If fewer than two"
                " answers are played, the round does not count; after three such rounds in a row"
                " the match ends."
            )
        ),
        Paragraph(text=_coming(options)),
        of_leaving(options),
    )


def _discarding(options: Options) -> Text:
    if not options.discard_cost:
        return _(
            "While the vote runs you may throw cards away for nothing; your hand is filled up with"
            " the next prompt."
        )
    return ngettext(
        "While the vote runs you may throw cards away for %(count)s point; your hand is filled up"
        " with the next prompt.",
        "While the vote runs you may throw cards away for %(count)s points; your hand is filled up"
        " with the next prompt.",
        options.discard_cost,
    )


def _ballots(options: Options) -> Text:
    if options.reveal_ballots:
        return _("After the round everybody sees who voted for what.")
    return _("Who voted for what is never shown.")


def _end(options: Options) -> tuple[Text, ...]:
    rounds = ngettext(
        "The match ends after %(count)s round at the latest; the most points win, and several may"
        " share it.",
        "The match ends after %(count)s rounds at the latest; the most points win, and several may"
        " share it.",
        options.max_rounds,
    )
    fewest = _(
        "With fewer than %(fewest)s players left it ends as well.",
        fewest=options.min_players_to_continue,
    )
    if not options.points_to_win:
        return rounds, fewest
    points = ngettext(
        "Whoever first has %(count)s point has won; several may share it.",
        "Whoever first has %(count)s points has won; several may share it.",
        options.points_to_win,
    )
    return points, rounds, fewest


def _coming(options: Options) -> Text:
    if options.allow_late_join and options.spectators == "none":
        return _("Whoever comes during the match is dealt in with the next round, or turned away.")
    if options.allow_late_join:
        return _("Whoever comes during the match is dealt in with the next round, or watches.")
    if options.spectators == "none":
        return _("Nobody can come in during the match.")
    return _("Whoever comes during the match watches it.")
