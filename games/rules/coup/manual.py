"""The rules of Iron Throne as people read them, in the names and with the limits of the table."""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.coup.names import ROLE_LABELS, purse
from games.rules.coup.state import CoupOptions
from games.rules.leaving import of_leaving
from games.rules.words import Paragraph, Text, _, ngettext


def manual(options: CoupOptions, seats: int | None) -> tuple[Paragraph, ...]:
    """What one starts with, does, doubts and loses."""
    return (
        Paragraph(
            text=_(
                "Everybody has two hidden cards, each a role; there are three of every role. On"
                " your turn you act, and you may claim any role, whether you have it or not."
            )
        ),
        *(Paragraph(text=text) for text in _money(options, seats)),
        Paragraph(
            text=_(
                "Income: take 1. Foreign Aid: take 2. Coup: pay 7, and somebody loses a card;"
                " nobody can stop that. From %(limit)s on a Coup is a must.",
                limit=options.mandatory_coup_at,
            ),
            parts=("action",),
        ),
        *(Paragraph(text=text, parts=("action",), listed=True) for text in _roles(options)),
        Paragraph(
            text=_(
                "Whoever doubts a claim says so. If it was a bluff, the bluffer loses a card; if it"
                " was true, the doubter does, and the shown card is swapped."
            ),
            parts=("challenge_window",),
        ),
        Paragraph(
            text=_(
                "Some actions can be blocked by claiming a role; such a claim can be doubted, too."
            ),
            parts=("block_window", "block_challenge_window"),
        ),
        Paragraph(text=_answers(options), parts=("challenge_window", "block_window")),
        Paragraph(
            text=_(
                "A lost card is turned face up. Without hidden cards you are out. The last one in"
                " has won."
            ),
            parts=("lose_influence",),
        ),
        Paragraph(
            text=ngettext(
                "After %(count)s turn the match ends: the most hidden cards win, then the most"
                " money.",
                "After %(count)s turns the match ends: the most hidden cards win, then the most"
                " money.",
                options.max_turns,
            )
        ),
        Paragraph(
            text=_(
                "If your time runs out, you take Income, or make the Coup that is a must; you let"
                " pass what others do, lose your first card, or keep your old ones."
            )
        ),
        of_leaving(options),
    )


def _money(options: CoupOptions, seats: int | None) -> Iterator[Text]:
    first = purse(options.names, options.two_player_first_coins)
    if seats != 2:
        start = purse(options.names, options.start_coins)
        yield _("Everybody starts with %(purse)s.", purse=start)
        if seats is None:
            yield _("Of two players the first starts with %(purse)s.", purse=first)
        return
    yield _(
        "The first player starts with %(first)s, the second with %(second)s.",
        first=first,
        second=purse(options.names, options.start_coins),
    )


def _roles(options: CoupOptions) -> tuple[Text, ...]:
    roles = ROLE_LABELS[options.names]
    return (
        _("%(role)s: take 3 as a tax, and block Foreign Aid.", role=roles["baelish"]),
        _("%(role)s: pay 3, and somebody loses a card.", role=roles["hound"]),
        _(
            "%(role)s: draw two cards and put two back, and block stealing.",
            role=roles["jaqen"],
        ),
        _("%(role)s: steal 2 from somebody, and block stealing.", role=roles["arya"]),
        _("%(role)s: block an assassination of yourself.", role=roles["melisandre"]),
    )


def _answers(options: CoupOptions) -> Text:
    if options.window_mode == "sealed":
        return _(
            "Answers are collected unseen. When all are in, the first doubt or block in turn"
            " order counts."
        )
    return _("The first to doubt or to block counts.")
