"""The rules of Cards for players, with the numbers used at this table."""

from __future__ import annotations

from games.cards.rules.state import Options
from games.contract.leaving import of_leaving
from games.contract.words import (
    A_TURN,
    AN_EXAMPLE,
    CAREFUL,
    WINNING,
    Paragraph,
    Text,
    _,
    ngettext,
    under,
)


def manual(options: Options, seats: int | None) -> tuple[Paragraph, ...]:
    """Explain a round, then how the match ends."""
    return (
        *under(A_TURN, *_round()),
        *under(
            AN_EXAMPLE,
            Paragraph(
                text=_(
                    "The prompt is “I never leave home without _.” Play “a spare moustache”, and"
                    " hope the others laugh."
                ),
                art=("prompt", "answer"),
            ),
            Paragraph(
                text=_(
                    "Before the vote, each answer is shown in its sentence. Tap “Skip” once you"
                    " have read them."
                ),
                parts=("vote",),
            ),
        ),
        *under(
            _("Your cards"),
            Paragraph(
                text=_(
                    "At the start of a round you draw up to %(cards)s cards, and more where the"
                    " prompt says so.",
                    cards=options.hand_size,
                ),
                art=("answer",),
            ),
            Paragraph(text=_discarding(options), parts=("vote",), art=("hidden",)),
        ),
        *under(
            WINNING,
            Paragraph(
                text=_("In a tie, each scores one. If nobody votes, nobody scores."),
                parts=("results",),
                art=("point",),
            ),
            Paragraph(text=_ballots(options), parts=("results",), art=("thumb",)),
            *(Paragraph(text=text, parts=("over",)) for text in _end(options)),
        ),
        *under(CAREFUL, *_careful(options), of_leaving(options)),
    )


def _round() -> tuple[Paragraph, ...]:
    return (
        Paragraph(
            text=_("Read the prompt: everybody gets the same one."), listed=True, art=("prompt",)
        ),
        Paragraph(
            text=_(
                "Play your answer: as many cards as the prompt asks for, in order. Nobody sees"
                " whose it is."
            ),
            parts=("play",),
            listed=True,
            art=("answer",),
        ),
        Paragraph(
            text=_(
                "Vote for your favourite: not for your own. Once everybody has voted, you see who"
                " played what."
            ),
            parts=("vote",),
            listed=True,
            art=("thumb",),
        ),
        Paragraph(
            text=_("Score: the answer with the most votes gets a point."),
            parts=("results",),
            listed=True,
            art=("point",),
        ),
    )


def _careful(options: Options) -> tuple[Paragraph, ...]:
    return (
        Paragraph(text=_("If you don't answer in time, you sit the round out."), art=("clock",)),
        Paragraph(
            text=_(
                "With fewer than two answers a round doesn't count. Three of those in a row end"
                " the match."
            )
        ),
        Paragraph(text=_coming(options)),
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
