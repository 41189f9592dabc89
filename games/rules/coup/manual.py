"""The rules of Iron Throne as people read them, in the names and with the limits of the table."""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.coup.names import ROLE_LABELS, ROLES_IN_SENTENCES, purse
from games.rules.coup.state import CoupOptions
from games.rules.leaving import of_leaving
from games.rules.words import Paragraph, Text, _, ngettext


def manual(options: CoupOptions, seats: int | None) -> tuple[Paragraph, ...]:
    """What you have, what you can do, and what a lie costs; the roles as a list."""
    roles = ROLES_IN_SENTENCES[options.names]
    return (
        Paragraph(
            text=_(
                "You have two hidden cards, each a role. Claim any role on your turn, whether you"
                " have it or not. The last player with a hidden card wins."
            )
        ),
        Paragraph(text=_("The roles, three cards of each:")),
        *(Paragraph(text=text, parts=("action",), listed=True) for text in _roles(options)),
        Paragraph(
            text=_(
                "Without a role: Income, take 1. Foreign Aid, take 2. Coup, pay 7: a player of your"
                " choice loses a card, and nobody can stop it. With %(limit)s or more you must"
                " launch a Coup.",
                limit=options.mandatory_coup_at,
            ),
            parts=("action",),
        ),
        *(Paragraph(text=text) for text in _money(options, seats)),
        Paragraph(
            text=_(
                "Challenge a claim you don't believe. A bluffer loses a card. If the claim was"
                " true, you lose a card, and the card shown is replaced by a new one."
            ),
            parts=("challenge_window",),
        ),
        Paragraph(
            text=_(
                "Some actions can be blocked by claiming a role. A block can be challenged, too."
            ),
            parts=("block_window", "block_challenge_window"),
        ),
        Paragraph(
            text=_(
                "Example: Ann claims %(arya)s and steals 2 from Bob. Bob claims %(jaqen)s to block"
                " it. Ann challenges, and Bob was lying: he loses a card and the 2.",
                arya=roles["arya"],
                jaqen=roles["jaqen"],
            )
        ),
        Paragraph(text=_answers(options), parts=("challenge_window", "block_window")),
        Paragraph(
            text=_("A lost card is turned face up. Lose both and you're out."),
            parts=("lose_influence",),
        ),
        Paragraph(
            text=ngettext(
                "After %(count)s turn the match ends: most hidden cards win, then most money.",
                "After %(count)s turns the match ends: most hidden cards win, then most money.",
                options.max_turns,
            )
        ),
        Paragraph(
            text=_(
                "If you run out of time, you take Income, or launch the Coup you must. You allow"
                " what others do, lose your first card, and keep your old cards."
            )
        ),
        of_leaving(options),
    )


def _money(options: CoupOptions, seats: int | None) -> Iterator[Text]:
    first = purse(options.names, options.two_player_first_coins)
    if seats != 2:
        start = purse(options.names, options.start_coins)
        yield _("You start with %(purse)s.", purse=start)
        if seats is None:
            yield _("With two players, the first starts with %(purse)s.", purse=first)
        return
    yield _(
        "The first player starts with %(first)s, the second with %(second)s.",
        first=first,
        second=purse(options.names, options.start_coins),
    )


def _roles(options: CoupOptions) -> tuple[Text, ...]:
    roles = ROLE_LABELS[options.names]
    return (
        _("%(role)s: tax, take 3. Blocks Foreign Aid.", role=roles["baelish"]),
        _("%(role)s: assassinate, pay 3: a player loses a card.", role=roles["hound"]),
        _(
            "%(role)s: exchange, draw two cards and put two back. Blocks a steal.",
            role=roles["jaqen"],
        ),
        _("%(role)s: steal, take 2 from a player. Blocks a steal.", role=roles["arya"]),
        _("%(role)s: blocks an assassination.", role=roles["melisandre"]),
    )


def _answers(options: CoupOptions) -> Text:
    if options.window_mode == "sealed":
        return _(
            "Answers are collected in secret. When all are in, the first challenge or block in turn"
            " order counts."
        )
    return _("The first to challenge or block counts.")
