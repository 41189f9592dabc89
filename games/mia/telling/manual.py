"""The rules of Mia for players, with the options of this table."""

from __future__ import annotations

from collections.abc import Iterator

from games.contract.leaving import of_leaving
from games.contract.words import (
    A_TURN,
    AN_EXAMPLE,
    CAREFUL,
    GOOD_TO_KNOW,
    WINNING,
    Paragraph,
    Text,
    _,
    ngettext,
    under,
)
from games.mia.rules.state import MiaOptions, ranking

MOST_HEARTS = 5
"""Maximum hearts drawn in a row."""


def manual(options: MiaOptions, seats: int | None) -> tuple[Paragraph, ...]:
    """Explain a turn, the order of the dice, the cost of losing, and what to watch for."""
    return (
        *under(A_TURN, *_turn(options)),
        *under(_("What beats what"), *_order(options)),
        *under(
            _("2-1 is Mia!"),
            Paragraph(
                text=_(
                    "It beats everything. Say Mia, and the dice are shown at once. If it's true,"
                    " everybody else loses; if not, you do."
                ),
                art=("mia",),
            ),
        ),
        *under(
            AN_EXAMPLE,
            Paragraph(text=_("Ann says “6-1!”, but has 4-3."), art=("face-Ann",)),
            Paragraph(text=_("Leo says “Show me!” and lifts the cup."), art=("face-Leo",)),
            Paragraph(
                text=_("A bluff: Ann loses the round. With 6-1 or better, Leo would."),
                art=("dice-4-3",),
            ),
        ),
        *under(WINNING, *_stakes(options)),
        *under(CAREFUL, *_careful(options), of_leaving(options)),
        *under(GOOD_TO_KNOW, *_good_to_know(options)),
    )


def _turn(options: MiaOptions) -> Iterator[Paragraph]:
    yield Paragraph(
        text=_("Roll in secret: only you look under the cup."),
        parts=("turn",),
        listed=True,
        art=("cup",),
    )
    if options.must_raise:
        say = _("Say what you have: it must beat the last call. You may lie.")
    else:
        say = _(
            "Say what you have: at least as much as the last call, but never the same three times"
            " in a row. You may lie."
        )
    yield Paragraph(text=say, parts=("announce",), listed=True, art=("said-6-1",))
    yield Paragraph(
        text=_("Believe or call: the next player rolls, or calls the bluff and lifts the cup."),
        parts=("turn",),
        listed=True,
        art=("face-Leo",),
    )
    yield Paragraph(
        text=_(
            "Somebody pays: a bluff costs the bluffer the round, a wrong call costs the caller."
        ),
        parts=("result",),
        listed=True,
        art=("broken",),
    )


def _order(options: MiaOptions) -> Iterator[Paragraph]:
    ranks = tuple(value.replace(",", "-") for value in ranking(options.little_mia))
    plain = 13 if options.little_mia else 14
    yield Paragraph(text=_("The higher die comes first. From low to high:"))
    yield _dice(ranks[:plain])
    yield Paragraph(text=_("Then the doubles:"))
    yield _dice(ranks[plain : plain + 6])
    if options.little_mia:
        yield Paragraph(text=_("Little Mia: 3-1."), listed=True, art=("dice-3-1",))


def _dice(values: tuple[str, ...]) -> Paragraph:
    text = _("%(values)s.", values=", ".join(values))
    return Paragraph(text=text, art=tuple(f"dice-{value}" for value in values))


def _stakes(options: MiaOptions) -> Iterator[Paragraph]:
    if options.scoring == "points":
        if options.rounds == 1:
            yield Paragraph(
                text=_(
                    "Everybody who doesn't lose the round gets a point. There is just one round."
                )
            )
            return
        yield Paragraph(text=_("Everybody who doesn't lose the round gets a point."))
        yield Paragraph(
            text=_("Most points after %(rounds)s rounds wins.", rounds=options.rounds),
            art=("crown",),
        )
        return
    yield Paragraph(
        text=ngettext(
            "Everybody has %(count)s life. Lose a round and you're out.",
            "Everybody has %(count)s lives. Lose a round and you lose one.",
            options.lives,
        ),
        art=("heart",) * min(options.lives, MOST_HEARTS),
    )
    if options.mia_costs > 1:
        yield Paragraph(
            text=_("A round with Mia in it costs %(lives)s lives.", lives=options.mia_costs),
            art=("broken",) * options.mia_costs,
        )
    yield Paragraph(
        text=_("No lives left, and you're out. Last player standing wins."), art=("crown",)
    )


def _careful(options: MiaOptions) -> Iterator[Paragraph]:
    yield Paragraph(text=_("If you announce too low, you lose the round."), art=("broken",))
    if options.on_fault == "lose":
        early: Text = _("If you call before anybody has rolled, you lose the round.")
    else:
        early = _("The first player of a round can only roll.")
    yield Paragraph(text=early, art=("cup",))
    yield Paragraph(text=_("If you run out of time, you lose the round."), art=("clock",))


def _good_to_know(options: MiaOptions) -> Iterator[Paragraph]:
    yield Paragraph(
        text=_("How likely a Mia is: one roll in 18. Any double: one in 6."),
        listed=True,
        art=("dice-2-1",),
    )
    if options.little_mia:
        call = _("When to call: the higher the call, the more often it is a bluff.")
    else:
        call = _(
            "When to call: every second roll is 6-1 or better. The higher the call, the more often"
            " it is a bluff."
        )
    yield Paragraph(text=call, listed=True, art=("said-6-1",))
    yield Paragraph(
        text=_("What bots know: no more than you. They see only their own dice, and bluff, too."),
        listed=True,
        art=("cup",),
    )
