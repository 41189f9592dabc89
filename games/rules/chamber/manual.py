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
                "A chamber is loaded with live and blank rounds. Everybody sees how many of each,"
                " and what has been fired; nobody knows the order."
            )
        ),
        Paragraph(
            text=ngettext(
                "Everybody begins with %(count)s life.",
                "Everybody begins with %(count)s lives.",
                options.start_lives,
            )
        ),
        *loading,
        Paragraph(
            text=_(
                "On your turn you shoot somebody, or yourself. A live round takes a life, a blank"
                " takes none. A blank at yourself is free: your turn goes on. After any other shot"
                " it is the turn of the next in order."
            ),
            parts=("turn",),
        ),
        *_items(options),
        Paragraph(
            text=_(
                "If your time runs out, you shoot yourself, and your turn ends even if it was a"
                " blank."
            ),
            parts=("turn",),
        ),
        Paragraph(
            text=_(
                "When the chamber is empty, the turn ends whatever was left of it, and a new round"
                " begins."
            ),
            parts=("turn",),
        ),
        Paragraph(text=_end(options), parts=("over",)),
        of_leaving(options),
        Paragraph(
            text=_(
                "Whoever is out, or watches, sees what everybody sees, and nobody's secrets.",
            )
        ),
    )


def _loading(options: Options) -> Iterator[Text]:
    yield _(
        "Luck says how many rounds there are: %(live)s live and %(blank)s blank.",
        live=_span(options.live_min, options.live_max),
        blank=_span(options.blank_min, options.blank_max),
    )
    if options.items_per_round:
        yield ngettext(
            "Everybody gets %(count)s new item; what was left of the old ones is gone.",
            "Everybody gets %(count)s new items; what was left of the old ones is gone.",
            options.items_per_round,
        )
        yield _(
            "Whoever holds a Rebalancer may now add live or blank rounds; luck says how many."
            " Whoever does not answer in time adds none."
        )
    yield _("Then the chamber is shuffled, and luck says who begins.")


def _span(least: int, most: int) -> Fact:
    return least if least == most else _("%(least)s to %(most)s", least=least, most=most)


def _items(options: Options) -> Iterator[Paragraph]:
    if not options.items_per_round:
        return
    yield Paragraph(
        text=_("Before your shot you may use as many items as you like, also between free shots:"),
        parts=("turn",),
    )
    yield from (Paragraph(text=text, listed=True) for text in _each_item(options))
    if options.loot:
        text = _("Whoever takes somebody's last life takes their items as well.")
    else:
        text = _("The items of whoever is out are gone.")
    yield Paragraph(text=text, parts=("turn",))


def _each_item(options: Options) -> Iterator[Text]:
    yield _(
        "Skip: somebody's next turn is left out. It waits until then, over new rounds as well."
        " Nobody can have two of them waiting."
    )
    if options.skip_cooldown:
        yield _("Whoever was just skipped must have a turn before being skipped again.")
    yield _(
        "Double Damage: the next round takes two lives if it is live. A blank uses it up, too."
        " Two of them do not add up."
    )
    yield _("Chamber Check: you alone see the next round.")
    yield _(
        "Quickshot: you take two shots in this turn. After the first of them you can use no more"
        " items."
    )
    yield _(
        "Steal: you take an item from somebody and use it at once. Neither a Steal nor a"
        " Rebalancer can be stolen."
    )
    if options.add_life_rounds:
        yield _add_life(options)
    yield _("Rebalancer: only before the chamber is loaded. Later it is of no use in that round.")
    if options.shoot_air_copies:
        yield _(
            "Shoot Air: fires the next round into the air and ends your turn, also after a"
            " Quickshot's first shot."
        )


def _add_life(options: Options) -> Text:
    if options.max_lives:
        return _(
            "Add Life: you get one more life, up to %(most)s. After round %(last)s there is Double"
            " Damage in its place.",
            most=options.max_lives,
            last=options.add_life_rounds,
        )
    return _(
        "Add Life: you get one more life. After round %(last)s there is Double Damage in its"
        " place.",
        last=options.add_life_rounds,
    )


def _end(options: Options) -> Text:
    if options.max_rounds:
        return ngettext(
            "The last one alive wins. After %(count)s round the match is over, and the most lives"
            " win; several may share it.",
            "The last one alive wins. After %(count)s rounds the match is over, and the most lives"
            " win; several may share it.",
            options.max_rounds,
        )
    return _("The last one alive wins; the others are placed by how long they held out.")
