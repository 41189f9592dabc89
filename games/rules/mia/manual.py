"""The rules of Mia as people read them at a table with these options."""

from __future__ import annotations

from games.rules.leaving import of_leaving
from games.rules.mia.state import MiaOptions, ranking
from games.rules.words import Paragraph, Text, _, ngettext


def manual(options: MiaOptions, seats: int | None) -> tuple[Paragraph, ...]:
    """How a round goes, then what it costs."""
    return (
        Paragraph(
            text=_("Two dice under a cup. Roll in secret, then say what you have. You may lie.")
        ),
        Paragraph(text=_turn(options), parts=("turn",)),
        Paragraph(text=_announcing(options), parts=("announce",)),
        Paragraph(
            text=_(
                "When somebody calls the bluff, the cup is lifted. If the dice are lower than"
                " announced, the bluffer loses the round. If they are as good or better, the caller"
                " loses it."
            ),
            parts=("result",),
        ),
        Paragraph(
            text=_(
                "Example: Ann says 6-1, and Bob calls the bluff. With 4-3 under the cup Ann loses;"
                " with 6-1 or better Bob does."
            )
        ),
        Paragraph(text=_("The higher die comes first. From low to high:")),
        *(Paragraph(text=text, listed=True) for text in _values(options)),
        Paragraph(
            text=_(
                "Say Mia, and the dice are shown at once. If it's true, everybody else loses; if"
                " not, you do."
            )
        ),
        Paragraph(text=_("If you run out of time, you lose the round.")),
        *(Paragraph(text=text) for text in _stakes(options)),
        of_leaving(options),
    )


def _turn(options: MiaOptions) -> Text:
    if options.on_fault == "lose":
        return _(
            "On your turn, believe the player before you and roll, or call the bluff. If you call"
            " before anybody has rolled, you lose the round."
        )
    return _(
        "On your turn, believe the player before you and roll, or call the bluff. The first player"
        " of a round can only roll."
    )


def _announcing(options: MiaOptions) -> Text:
    if options.must_raise:
        return _(
            "Only you see your dice. You must say more than the last player: announce too low and"
            " you lose straight away."
        )
    return _(
        "Only you see your dice. You must say at least as much as the last player, but never the"
        " same three times in a row: announce too low and you lose straight away."
    )


def _values(options: MiaOptions) -> tuple[Text, ...]:
    ranks = tuple(value.replace(",", "-") for value in ranking(options.little_mia))
    plain = 13 if options.little_mia else 14
    values = _("%(values)s.", values=", ".join(ranks[:plain]))
    doubles = _("The doubles: %(values)s.", values=", ".join(ranks[plain : plain + 6]))
    mia = _("On top, Mia: 2-1.")
    if options.little_mia:
        return values, doubles, _("Little Mia: 3-1."), mia
    return values, doubles, mia


def _stakes(options: MiaOptions) -> tuple[Text, ...]:
    if options.scoring == "points":
        if options.rounds == 1:
            return (
                _("Everybody who doesn't lose the round gets a point. There is just one round."),
            )
        return (
            _("Everybody who doesn't lose the round gets a point."),
            _("Most points after %(rounds)s rounds wins.", rounds=options.rounds),
        )
    lives = ngettext(
        "Everybody has %(count)s life. Lose a round and you're out.",
        "Everybody has %(count)s lives. Lose a round and you lose one.",
        options.lives,
    )
    end = _("No lives left, and you're out. Last player standing wins.")
    if options.mia_costs == 1:
        return lives, end
    mia = _("A round with Mia in it costs %(lives)s lives.", lives=options.mia_costs)
    return lives, mia, end
