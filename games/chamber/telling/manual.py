"""The rules of Chamber for players, limited to the items and numbers of this table."""

from __future__ import annotations

from collections.abc import Iterator

from games.chamber.rules.state import Options
from games.contract.leaving import of_leaving
from games.contract.words import (
    A_TURN,
    AN_EXAMPLE,
    CAREFUL,
    WINNING,
    Fact,
    Paragraph,
    Text,
    _,
    ngettext,
    under,
)

MOST_HEARTS = 5
"""Maximum hearts drawn in a row."""


def manual(options: Options, seats: int | None) -> tuple[Paragraph, ...]:
    """Explain a turn, how the gun is loaded, the items, and how the match ends."""
    return (
        *under(A_TURN, *_turn(options)),
        *under(WINNING, *_winning(options)),
        *under(_("Loading"), *_loading(options)),
        *under(
            AN_EXAMPLE,
            Paragraph(
                text=_(
                    "1 live and 3 blank are left. You shoot yourself: blank, so you go again. Now"
                    " 1 in 3 is live."
                ),
                art=("live", "blank", "blank", "blank"),
            ),
        ),
        *under(_("The items"), *_items(options)),
        *under(CAREFUL, *_careful(), of_leaving(options), _watching()),
    )


def _turn(options: Options) -> Iterator[Paragraph]:
    yield Paragraph(
        text=_(
            "Count the shells: everybody sees how many are live and blank, but nobody knows the"
            " order."
        ),
        listed=True,
        art=("live", "blank", "live"),
    )
    if options.items_per_round:
        yield Paragraph(
            text=_("Use items: as many as you like before you shoot."),
            parts=("turn",),
            listed=True,
            art=("chamber_check",),
        )
    yield Paragraph(
        text=_("Shoot: another player or yourself."), parts=("turn",), listed=True, art=("gun",)
    )
    yield Paragraph(
        text=_(
            "Live or blank: a live shell takes a life. Shoot yourself with a blank and you go"
            " again."
        ),
        parts=("turn",),
        listed=True,
        art=("broken",),
    )


def _winning(options: Options) -> Iterator[Paragraph]:
    yield Paragraph(
        text=ngettext(
            "You start with %(count)s life.",
            "You start with %(count)s lives.",
            options.start_lives,
        ),
        art=("heart",) * min(options.start_lives, MOST_HEARTS),
    )
    yield Paragraph(text=_end(options), parts=("over",), art=("crown",))


def _loading(options: Options) -> Iterator[Paragraph]:
    parts = ("rebalance",)
    yield Paragraph(
        text=_(
            "How many shells there are is random: %(live)s live and %(blank)s blank.",
            live=_span(options.live_min, options.live_max),
            blank=_span(options.blank_min, options.blank_max),
        ),
        parts=parts,
        art=("live", "blank"),
    )
    if options.items_per_round:
        yield Paragraph(
            text=ngettext(
                "You get %(count)s new item. Unused old ones are gone.",
                "You get %(count)s new items. Unused old ones are gone.",
                options.items_per_round,
            ),
            parts=parts,
        )
        yield Paragraph(
            text=_(
                "If you have a Reload, you can now add live or blank shells. How many is random."
            ),
            parts=parts,
            art=("rebalancer",),
        )
        if options.rebalance_cap:
            yield Paragraph(
                text=_(
                    "A Reload stops at %(cap)s%% of one kind. If there are that many, you can only"
                    " add the other kind.",
                    cap=options.rebalance_cap,
                ),
                parts=parts,
                art=("live", "blank"),
            )
        yield Paragraph(
            text=_("If you run out of time, you add none."), parts=parts, art=("clock",)
        )
    yield Paragraph(
        text=_("Then the shells are shuffled, and a random player starts."),
        parts=parts,
        art=("hidden", "hidden", "hidden"),
    )


def _careful() -> Iterator[Paragraph]:
    yield Paragraph(
        text=_("After any other shot it's the next player's turn."), parts=("turn",), art=("gun",)
    )
    yield Paragraph(
        text=_("When the gun is empty, the turn ends, and a new round starts."), parts=("turn",)
    )
    yield Paragraph(
        text=_("If you run out of time, you shoot yourself, and your turn ends even on a blank."),
        parts=("turn",),
        art=("clock",),
    )


def _watching() -> Paragraph:
    text = _("If you're out or watching, you see what everybody sees, and no secrets.")
    return Paragraph(text=text)


def _span(least: int, most: int) -> Fact:
    return least if least == most else _("%(least)s to %(most)s", least=least, most=most)


def _items(options: Options) -> Iterator[Paragraph]:
    if not options.items_per_round:
        return
    yield Paragraph(
        text=_("Before you shoot, use as many items as you like:"),
        parts=("turn",),
    )
    for text, art in _each_item(options):
        yield Paragraph(text=text, listed=True, art=art)
    if options.loot:
        text = _("Take a player's last life and you take their items as well.")
    else:
        text = _("When a player is out, their items are gone.")
    yield Paragraph(text=text, parts=("turn",))


def _each_item(options: Options) -> Iterator[tuple[Text, tuple[str, ...]]]:
    yield (
        _(
            "Skip: another player misses their next turn, even if that is in the next round. Two"
            " don't stack."
        ),
        ("skip",),
    )
    if options.skip_cooldown:
        yield _("A player who was just skipped must have a turn before being skipped again."), ()
    yield (
        _(
            "Double: the next shell takes two lives if it's live. A blank uses it up, too. Two"
            " don't stack."
        ),
        ("double_damage",),
    )
    yield _("Check: only you see the next shell."), ("chamber_check",)
    yield (
        _("Quickshot: shoot twice this turn. After the first shot you can't use more items."),
        ("quickshot",),
    )
    yield (
        _(
            "Steal: take an item from another player and use it at once. Steal and Reload can't"
            " be stolen."
        ),
        ("steal",),
    )
    if options.add_life_rounds:
        yield _add_life(options), ("add_life",)
    yield _("Reload: add shells, only before the gun is loaded."), ("rebalancer",)
    if options.shoot_air_copies:
        yield (
            _(
                "Air Shot: fire the next shell into the air. That ends your turn, even with a"
                " Quickshot."
            ),
            ("shoot_air",),
        )


def _add_life(options: Options) -> Text:
    if options.max_lives:
        return _(
            "Life: one more life, up to %(most)s. After round %(last)s you get Double instead.",
            most=options.max_lives,
            last=options.add_life_rounds,
        )
    return _(
        "Life: one more life. After round %(last)s you get Double instead.",
        last=options.add_life_rounds,
    )


def _end(options: Options) -> Text:
    if options.max_rounds:
        return ngettext(
            "The last player alive wins. After %(count)s round the match is over, and most lives"
            " wins; a tie is shared.",
            "The last player alive wins. After %(count)s rounds the match is over, and most lives"
            " wins; a tie is shared.",
            options.max_rounds,
        )
    return _("The last player alive wins. The others rank by how long they lasted.")
