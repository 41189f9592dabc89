"""The rules of Secret Hitler as people read them: teams, board and deck of this very table."""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.secret_hitler.board import (
    enacted_before_the_start,
    fascists_among,
    fresh_deck,
    powers,
)
from games.rules.secret_hitler.state import Options, Power
from games.rules.words import Fact, Paragraph, Text, _, ngettext

SIZES = range(5, 11)
BOARDS = (("5–6", 5), ("7–8", 7), ("9–10", 9))
"""The sizes that share a board, and one of each."""
POWERS: dict[Power, Text] = {
    "investigate": _("the president sees a player's party card"),
    "peek": _("the president sees the next three policies"),
    "special": _("the president chooses the next candidate"),
    "execute": _("the president executes a player"),
}


def manual(options: Options, seats: int | None) -> tuple[Paragraph, ...]:
    """Who is who, how governments come about, and what their policies bring."""
    return (
        *_teams(seats),
        Paragraph(
            text=_(
                "Liberals win with five liberal policies, or when Hitler is executed. Fascists win"
                " with six fascist policies, or when Hitler is elected chancellor after three"
                " fascist policies."
            )
        ),
        Paragraph(text=_term_limits(seats), parts=("nominate",)),
        *(Paragraph(text=text, parts=("discuss",)) for text in _discussion(options)),
        *(Paragraph(text=text, parts=("vote",)) for text in _elections()),
        Paragraph(
            text=_(
                "An elected president draws three policies, secretly discards one and passes two"
                " to the chancellor."
            ),
            parts=("president_discard",),
        ),
        Paragraph(
            text=_(
                "The chancellor enacts one of the two and secretly discards the other. It may be"
                " bad luck, and it may be a lie."
            ),
            parts=("chancellor_enact",),
        ),
        Paragraph(
            text=_(
                "Example: Ann draws two fascist policies and a liberal one, and discards the"
                " liberal one. Bob must enact a fascist policy. Ann says she drew three of those."
            )
        ),
        *(Paragraph(text=text, parts=("chancellor_enact",)) for text in _deck(options, seats)),
        *_board(seats),
        Paragraph(
            text=_(
                "After five fascist policies the chancellor may ask for a veto. If the president"
                " agrees, both policies are discarded, and it counts as a failed government."
            ),
            parts=("veto_confirm",),
        ),
        Paragraph(
            text=_(
                "If you don't vote in time, you vote Nein. Anything else is decided at random, and"
                " a veto is refused."
            )
        ),
        Paragraph(text=_talk(options)),
        Paragraph(text=_leaving(options)),
    )


def _teams(seats: int | None) -> Iterator[Paragraph]:
    if seats is not None:
        yield Paragraph(text=_("At this table: %(team)s", team=_team(seats)))
        yield Paragraph(text=_knowledge(seats))
        return
    yield Paragraph(
        text=_("Most players are liberals. The rest are fascists, and one of them is Hitler:")
    )
    for size in SIZES:
        team = _("%(size)s players: %(team)s", size=size, team=_team(size))
        yield Paragraph(text=team, listed=True)
    yield Paragraph(
        text=_(
            "The fascists know each other and Hitler. With five or six players Hitler knows the"
            " fascist, with more nobody. Liberals know nobody."
        )
    )


def _team(seats: int) -> Text:
    fascists = fascists_among(seats)
    return ngettext(
        "%(liberals)s liberals, %(count)s fascist and Hitler.",
        "%(liberals)s liberals, %(count)s fascists and Hitler.",
        fascists,
        liberals=seats - 1 - fascists,
    )


def _knowledge(seats: int) -> Text:
    if fascists_among(seats) == 1:
        return _("The fascist and Hitler know each other. Liberals know nobody.")
    return _("The fascists know each other and Hitler. Hitler and the liberals know nobody.")


def _term_limits(seats: int | None) -> Text:
    if seats == 5:
        return _(
            "The presidency goes round. The president nominates a chancellor: anybody but the last"
            " elected chancellor."
        )
    return _(
        "The presidency goes round. The president nominates a chancellor: not the last elected"
        " chancellor and, with more than five alive, not the last elected president."
    )


def _discussion(options: Options) -> Iterator[Text]:
    if options.discussion:
        yield ngettext(
            "Before each vote there is a second to talk. It ends early when everybody is ready.",
            "Before each vote there are %(count)s seconds to talk. That ends early when everybody"
            " is ready.",
            options.discussion,
        )


def _elections() -> tuple[Text, ...]:
    return (
        _("Everybody alive votes Ja or Nein, and all votes are shown together. A tie fails."),
        _(
            "Every failed government moves the election tracker up; a policy puts it back. At"
            " three, the top policy passes without its power, and everybody can be elected again."
        ),
    )


def _deck(options: Options, seats: int | None) -> Iterator[Text]:
    if seats is None and options.rebalance:
        yield _(
            "There are 6 liberal and 11 fascist policies. With 6 players one fascist policy is"
            " already in place; with 7 there are 10 fascist policies, with 9 there are 9."
        )
        return
    size = SIZES[0] if seats is None else seats
    deck = fresh_deck(size, options)
    yield _(
        "There are %(liberal)s liberal and %(fascist)s fascist policies in the deck.",
        liberal=deck.count("liberal"),
        fascist=deck.count("fascist"),
    )
    if enacted_before_the_start(size, options):
        yield _("One more fascist policy is already in place; it brings no power.")


def _board(seats: int | None) -> Iterator[Paragraph]:
    parts = ("power_investigate", "power_special", "power_execute", "power_ack")
    if seats is not None:
        yield Paragraph(text=_("Some fascist policies bring a power:"), parts=parts)
        for nth, power in _powers(seats):
            text = _("Fascist policy %(nth)s: %(power)s.", nth=nth, power=power)
            yield Paragraph(text=text, parts=parts, listed=True)
        return
    yield Paragraph(
        text=_("Some fascist policies bring a power, by the number of players:"), parts=parts
    )
    for sizes, one in BOARDS:
        brought: Fact = tuple(
            _("%(nth)s: %(power)s", nth=nth, power=power) for nth, power in _powers(one)
        )
        text = _("%(sizes)s players: %(powers)s.", sizes=sizes, powers=brought)
        yield Paragraph(text=text, parts=parts, listed=True)


def _powers(seats: int) -> tuple[tuple[int, Text], ...]:
    return tuple((nth, POWERS[power]) for nth, power in enumerate(powers(seats), 1) if power)


def _talk(options: Options) -> Text:
    if options.chat == "off":
        return _(
            "There is no chat here, but presidents and chancellors can say what they held, true or"
            " not."
        )
    if options.chat == "quiet_votes":
        return _(
            "Say what you like about your cards, but not during a vote; you may lie. Executed"
            " players stay silent and reveal nothing."
        )
    return _(
        "Say what you like about your cards; you may lie. Executed players stay silent and reveal"
        " nothing."
    )


def _leaving(options: Options) -> Text:
    if options.on_leave == "abort":
        return _("If a living player leaves, the match ends, and nobody wins.")
    if options.on_leave == "leave":
        return _(
            "If you leave, your seat doesn't vote and plays at random until you take it back. With"
            " fewer than two living players left, nobody wins."
        )
    return _("If you leave, a bot plays on for you. You can take your seat back.")
