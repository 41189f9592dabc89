"""The rules of Mia as people read them at a table with these options."""

from __future__ import annotations

from games.rules.leaving import of_leaving
from games.rules.mia.state import MiaOptions
from games.rules.words import Paragraph, Text, _, ngettext


def manual(options: MiaOptions, seats: int | None) -> tuple[Paragraph, ...]:
    """How a round goes, then what it costs."""
    return (
        Paragraph(
            text=_(
                "Two dice under a cup. Whoever is on turn rolls in secret and announces a value,"
                " which may be a lie."
            )
        ),
        Paragraph(text=_turn(options), parts=("turn",)),
        Paragraph(text=_announcing(options), parts=("announce",)),
        Paragraph(
            text=_(
                "If the dice are lower than announced, the bluffer loses. If the announcement was"
                " true, or too modest, whoever wanted to see loses."
            ),
            parts=("result",),
        ),
        Paragraph(text=_values(options)),
        Paragraph(
            text=_(
                "Announcing Mia uncovers the dice at once. If it is true, everybody else loses;"
                " if not, the announcer does."
            )
        ),
        Paragraph(text=_("Whoever does not answer in time loses the round.")),
        *(Paragraph(text=text) for text in _stakes(options)),
        of_leaving(options),
    )


def _turn(options: MiaOptions) -> Text:
    if options.on_fault == "lose":
        return _(
            "On your turn you either roll, or you do not believe the player before you and want"
            " to see the dice. Wanting to see before anybody has rolled loses the round."
        )
    return _(
        "On your turn you either roll, or you do not believe the player before you and want to"
        " see the dice. The first of a round can only roll."
    )


def _announcing(options: MiaOptions) -> Text:
    if options.must_raise:
        return _(
            "After rolling you alone see the dice. Announce something higher than the last"
            " announcement; announcing too little loses at once."
        )
    return _(
        "After rolling you alone see the dice. Announce at least as much as the last announcement,"
        " but never the third equal value in a row; announcing too little loses at once."
    )


def _values(options: MiaOptions) -> Text:
    if options.little_mia:
        return _(
            "The larger die comes first. From low to high: 3,2 4,1 4,2 and so on up to 6,5, then"
            " the doubles 1,1 to 6,6, then Little Mia: 3,1, and at the top Mia: 2,1."
        )
    return _(
        "The larger die comes first. From low to high: 3,1 3,2 4,1 and so on up to 6,5, then the"
        " doubles 1,1 to 6,6, and at the top Mia: 2,1."
    )


def _stakes(options: MiaOptions) -> tuple[Text, ...]:
    if options.scoring == "points":
        if options.rounds == 1:
            return (
                _("A round gives a point to everybody who did not lose it, and decides the match."),
            )
        return (
            _("Every round gives a point to everybody who did not lose it."),
            _("After %(rounds)s rounds the most points win.", rounds=options.rounds),
        )
    lives = ngettext(
        "Everybody has %(count)s life, and whoever loses a round loses it.",
        "Everybody has %(count)s lives, and whoever loses a round loses one.",
        options.lives,
    )
    end = _("Without lives you are out; the last one in wins.")
    if options.mia_costs == 1:
        return lives, end
    mia = _("When Mia was announced, losing costs %(lives)s lives.", lives=options.mia_costs)
    return lives, mia, end
