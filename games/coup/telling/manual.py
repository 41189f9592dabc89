"""The rules of Iron Throne for players, with the names and limits of this table."""

from __future__ import annotations

from collections.abc import Iterator

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
from games.coup.rules.state import CoupOptions
from games.coup.telling.names import ROLE_LABELS, ROLES_IN_SENTENCES, purse


def manual(options: CoupOptions, seats: int | None) -> tuple[Paragraph, ...]:
    """Explain a turn, the roles, actions without a role, and the cost of a lie."""
    return (
        *under(A_TURN, *_turn()),
        *under(WINNING, *_winning(options)),
        *under(_("The roles"), *_roles(options)),
        *under(_("Without a role"), *_without_a_role(options)),
        *under(_("Money"), *_money(options, seats)),
        *under(_("Challenges"), *_challenges(options)),
        *under(AN_EXAMPLE, *_example(options)),
        *under(CAREFUL, *_careful(), of_leaving(options)),
    )


def _turn() -> Iterator[Paragraph]:
    yield Paragraph(
        text=_("Claim a role: use its action, whether you have the card or not."),
        parts=("action",),
        listed=True,
        art=("back",),
    )
    yield Paragraph(
        text=_(
            "Anybody may challenge: a bluffer loses a card. If the claim was true, the challenger"
            " loses one."
        ),
        parts=("challenge_window",),
        listed=True,
        art=("doubt",),
    )
    yield Paragraph(
        text=_(
            "Some may block: they claim a role that stops the action. A block can be challenged,"
            " too."
        ),
        parts=("block_window", "block_challenge_window"),
        listed=True,
        art=("shield",),
    )
    yield Paragraph(
        text=_("Stay alive: a lost card is turned face up. Lose both and you're out."),
        parts=("lose_influence",),
        listed=True,
        art=("lost",),
    )


def _winning(options: CoupOptions) -> Iterator[Paragraph]:
    yield Paragraph(
        text=_("You have two hidden cards, each a role. The last player with a hidden card wins."),
        art=("back", "back"),
    )
    yield Paragraph(
        text=ngettext(
            "After %(count)s turn the match ends: most hidden cards win, then most money.",
            "After %(count)s turns the match ends: most hidden cards win, then most money.",
            options.max_turns,
        ),
        art=("crown",),
    )


def _without_a_role(options: CoupOptions) -> Iterator[Paragraph]:
    for text, art in (
        (_("Income: take 1."), ("coin",)),
        (_("Foreign Aid: take 2."), ("coin", "coin")),
        (
            _("Coup: pay 7. A player of your choice loses a card, and nobody can stop it."),
            ("lost",),
        ),
    ):
        yield Paragraph(text=text, parts=("action",), listed=True, art=art)
    yield Paragraph(
        text=_("With %(limit)s or more you must launch a Coup.", limit=options.mandatory_coup_at),
        parts=("action",),
    )


def _money(options: CoupOptions, seats: int | None) -> Iterator[Paragraph]:
    first = purse(options.names, options.two_player_first_coins)
    if seats != 2:
        start = purse(options.names, options.start_coins)
        art = ("coin",) * min(options.start_coins, 5)
        yield Paragraph(text=_("You start with %(purse)s.", purse=start), art=art)
        if seats is None:
            text = _("With two players, the first starts with %(purse)s.", purse=first)
            yield Paragraph(text=text)
        return
    yield Paragraph(
        text=_(
            "The first player starts with %(first)s, the second with %(second)s.",
            first=first,
            second=purse(options.names, options.start_coins),
        )
    )


def _roles(options: CoupOptions) -> Iterator[Paragraph]:
    roles = ROLE_LABELS[options.names]
    yield Paragraph(text=_("Three cards of each:"))
    for role, text in (
        ("baelish", _("%(role)s: tax, take 3. Blocks Foreign Aid.", role=roles["baelish"])),
        ("hound", _("%(role)s: assassinate, pay 3: a player loses a card.", role=roles["hound"])),
        (
            "jaqen",
            _(
                "%(role)s: exchange, draw two cards and put two back. Blocks a steal.",
                role=roles["jaqen"],
            ),
        ),
        (
            "arya",
            _("%(role)s: steal, take 2 from a player. Blocks a steal.", role=roles["arya"]),
        ),
        ("melisandre", _("%(role)s: blocks an assassination.", role=roles["melisandre"])),
    ):
        yield Paragraph(text=text, parts=("action",), listed=True, art=(role,))


def _challenges(options: CoupOptions) -> Iterator[Paragraph]:
    parts = ("challenge_window", "block_window")
    yield Paragraph(
        text=_("If a claim was true, the card shown is replaced by a new one."),
        parts=("challenge_window",),
    )
    if options.window_mode == "sealed":
        answers: Text = _(
            "Answers are collected in secret. When all are in, the first challenge or block in turn"
            " order counts."
        )
    else:
        answers = _("The first to challenge or block counts.")
    yield Paragraph(text=answers, parts=parts)


def _example(options: CoupOptions) -> Iterator[Paragraph]:
    roles = ROLES_IN_SENTENCES[options.names]
    yield Paragraph(
        text=_(
            "Ann claims %(arya)s and steals 2 from Bob. Bob claims %(jaqen)s to block it.",
            arya=roles["arya"],
            jaqen=roles["jaqen"],
        ),
        art=("arya", "jaqen"),
    )
    yield Paragraph(
        text=_("Ann challenges, and Bob was lying: he loses a card and the 2."), art=("lost",)
    )


def _careful() -> Iterator[Paragraph]:
    yield Paragraph(
        text=_("If you run out of time, you take Income, or launch the Coup you must."),
        art=("clock",),
    )
    yield Paragraph(
        text=_("You allow what others do, lose your first card, and keep your old cards."),
        art=("clock",),
    )
