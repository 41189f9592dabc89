"""The rules of Chamber as people read them: only the items of this table, and its numbers."""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.chamber.state import Options
from games.rules.leaving import of_leaving
from games.rules.words import Fact, Paragraph, Text, _, ngettext


def manual(options: Options, seats: int | None) -> tuple[Paragraph, ...]:
    """How a chamber is loaded and fired, and how it ends."""
    loading = tuple(Paragraph(text=text, parts=("rebalance",)) for text in _loading(options))
    return (
        Paragraph(
            text=_(
                "The gun is loaded with live and blank shells. Everybody sees how many of each, but"
                " nobody knows the order."
            )
        ),
        Paragraph(
            text=ngettext(
                "You start with %(count)s life.",
                "You start with %(count)s lives.",
                options.start_lives,
            )
        ),
        *loading,
        Paragraph(
            text=_(
                "On your turn, shoot another player or yourself. A live shell takes a life, a blank"
                " takes none. Shoot yourself with a blank and you go again. After any other shot"
                " it's the next player's turn."
            ),
            parts=("turn",),
        ),
        Paragraph(
            text=_(
                "Example: 1 live and 3 blank are left. You shoot yourself: blank, so you go again."
                " Now 1 in 3 is live."
            )
        ),
        *_items(options),
        Paragraph(
            text=_(
                "If you run out of time, you shoot yourself, and your turn ends even on a blank."
            ),
            parts=("turn",),
        ),
        Paragraph(
            text=_("When the gun is empty, the turn ends, and a new round starts."),
            parts=("turn",),
        ),
        Paragraph(text=_end(options), parts=("over",)),
        of_leaving(options),
        Paragraph(
            text=_(
                "If you're out or watching, you see what everybody sees, and no secrets.",
            )
        ),
    )


def _loading(options: Options) -> Iterator[Text]:
    yield _(
        "How many shells there are is random: %(live)s live and %(blank)s blank.",
        live=_span(options.live_min, options.live_max),
        blank=_span(options.blank_min, options.blank_max),
    )
    if options.items_per_round:
        yield ngettext(
            "You get %(count)s new item. Unused old ones are gone.",
            "You get %(count)s new items. Unused old ones are gone.",
            options.items_per_round,
        )
        yield _(
            "If you have a Reload, you can now add live or blank shells; how many is random."
            " If you run out of time, you add none."
        )
        if options.rebalance_cap:
            yield _(
                "A Reload stops at %(cap)s of 100 shells of one kind. If there are that many, you"
                " can only add the other kind.",
                cap=options.rebalance_cap,
            )
    yield _("Then the shells are shuffled, and a random player starts.")


def _span(least: int, most: int) -> Fact:
    return least if least == most else _("%(least)s to %(most)s", least=least, most=most)


def _items(options: Options) -> Iterator[Paragraph]:
    if not options.items_per_round:
        return
    yield Paragraph(
        text=_("Before you shoot, use as many items as you like:"),
        parts=("turn",),
    )
    yield from (Paragraph(text=text, listed=True) for text in _each_item(options))
    if options.loot:
        text = _("Take a player's last life and you take their items as well.")
    else:
        text = _("When a player is out, their items are gone.")
    yield Paragraph(text=text, parts=("turn",))


def _each_item(options: Options) -> Iterator[Text]:
    yield _(
        "Skip: another player misses their next turn, even if that is in the next round. Two don't"
        " stack."
    )
    if options.skip_cooldown:
        yield _("A player who was just skipped must have a turn before being skipped again.")
    yield _(
        "Double: the next shell takes two lives if it's live. A blank uses it up, too. Two"
        " don't stack."
    )
    yield _("Check: only you see the next shell.")
    yield _("Quickshot: shoot twice this turn. After the first shot you can't use more items.")
    yield _(
        "Steal: take an item from another player and use it at once. Steal and Reload can't"
        " be stolen."
    )
    if options.add_life_rounds:
        yield _add_life(options)
    yield _("Reload: add shells, only before the gun is loaded.")
    if options.shoot_air_copies:
        yield _(
            "Air Shot: fire the next shell into the air. That ends your turn, even with a"
            " Quickshot."
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
