"""The rules of Secret Hitler for players, with the teams, board and deck of this table."""

from __future__ import annotations

from collections.abc import Iterator

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
from games.secret_hitler.rules.board import (
    enacted_before_the_start,
    fascists_among,
    fresh_deck,
    powers,
)
from games.secret_hitler.rules.state import Options, Power

SIZES = range(5, 11)
BOARDS = (("5–6", 5), ("7–8", 7), ("9–10", 9))
"""Table sizes that share a board, each group with one example size."""
POWERS: dict[Power, Text] = {
    "investigate": _("the president sees a player's party card"),
    "peek": _("the president sees the next three policies"),
    "special": _("the president chooses the next candidate"),
    "execute": _("the president executes a player"),
}


def manual(options: Options, seats: int | None) -> tuple[Paragraph, ...]:
    """Explain a turn, the roles, and the effects of policies."""
    return (
        *under(A_TURN, *_turn()),
        *under(WINNING, *_winning()),
        *under(_("Who is who"), *_teams(seats)),
        *under(_("Elections"), *_elections(options, seats)),
        *under(_("Policies"), *_policies(options, seats)),
        *_board(seats),
        *under(AN_EXAMPLE, *_example()),
        *under(CAREFUL, *_careful(options)),
    )


def _turn() -> Iterator[Paragraph]:
    yield Paragraph(
        text=_("Nominate: the presidency goes round, and the president names a chancellor."),
        parts=("nominate",),
        listed=True,
        art=("talk",),
    )
    yield Paragraph(
        text=_("Vote: everybody alive votes Ja or Nein, and all votes are shown together."),
        parts=("vote",),
        listed=True,
        art=("ja", "nein"),
    )
    yield Paragraph(
        text=_(
            "Pass two on: the president draws three policies, secretly discards one and gives the"
            " chancellor two."
        ),
        parts=("president_discard",),
        listed=True,
        art=("hidden", "hidden", "hidden"),
    )
    yield Paragraph(
        text=_(
            "Enact one: the chancellor secretly discards the other. It may be bad luck, and it may"
            " be a lie."
        ),
        parts=("chancellor_enact",),
        listed=True,
        art=("fascist",),
    )


def _winning() -> Iterator[Paragraph]:
    yield Paragraph(
        text=_("Liberals win with five liberal policies, or when Hitler is executed."),
        art=("liberal",),
    )
    yield Paragraph(
        text=_(
            "Fascists win with six fascist policies, or when Hitler is elected chancellor after"
            " three fascist policies."
        ),
        art=("fascist",),
    )


def _teams(seats: int | None) -> Iterator[Paragraph]:
    if seats is not None:
        text = _("At this table: %(team)s", team=_team(seats))
        yield Paragraph(text=text, listed=True, art=_roles(seats))
        yield Paragraph(text=_knowledge(seats))
        return
    yield Paragraph(
        text=_("Most players are liberals. The rest are fascists, and one of them is Hitler:")
    )
    for size in SIZES:
        team = _("%(size)s players: %(team)s", size=size, team=_team(size))
        yield Paragraph(text=team, row=True, art=_roles(size))
    yield Paragraph(text=_("The fascists know each other and Hitler. Liberals know nobody."))
    yield Paragraph(text=_("With five or six players Hitler knows the fascist, with more nobody."))


def _roles(seats: int) -> tuple[str, ...]:
    fascists = fascists_among(seats)
    liberals = seats - 1 - fascists
    return ("liberal",) * liberals + ("fascist",) * fascists + ("hitler",)


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
        return _("Anybody can be chancellor but the last elected chancellor.")
    return _(
        "Anybody can be chancellor but the last elected chancellor and, with more than five alive,"
        " the last elected president."
    )


def _elections(options: Options, seats: int | None) -> Iterator[Paragraph]:
    yield Paragraph(text=_term_limits(seats), parts=("nominate",))
    yield from (Paragraph(text=text, parts=("discuss",)) for text in _discussion(options))
    yield Paragraph(text=_("A tie fails."), parts=("vote",), art=("ja", "nein"))
    yield Paragraph(
        text=_("Every failed government moves the election tracker up; a policy puts it back."),
        parts=("vote",),
    )
    yield Paragraph(
        text=_(
            "At three, the top policy passes without its power, and everybody can be elected again."
        ),
        parts=("vote",),
        art=("hidden",),
    )


def _discussion(options: Options) -> Iterator[Text]:
    if options.discussion:
        yield ngettext(
            "Before each vote there is a second to talk. It ends early when everybody is ready.",
            "Before each vote there are %(count)s seconds to talk. That ends early when everybody"
            " is ready.",
            options.discussion,
        )


def _policies(options: Options, seats: int | None) -> Iterator[Paragraph]:
    yield from (Paragraph(text=t, parts=("chancellor_enact",)) for t in _deck(options, seats))
    yield Paragraph(
        text=_("After five fascist policies the chancellor may ask for a veto."),
        parts=("veto_confirm",),
        art=("fascist",) * 5,
    )
    yield Paragraph(
        text=_(
            "If the president agrees, both policies are discarded, and it counts as a failed"
            " government."
        ),
        parts=("veto_confirm",),
    )


def _deck(options: Options, seats: int | None) -> Iterator[Text]:
    if seats is None and options.rebalance:
        yield _("There are 6 liberal and 11 fascist policies.")
        yield _(
            "With 6 players one fascist policy is already in place; with 7 there are 10 fascist"
            " policies, with 9 there are 9."
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
    boards = (("", seats),) if seats is not None else BOARDS
    for sizes, one in boards:
        heading = _("Powers")
        if sizes:
            heading = _("Powers with %(sizes)s players", sizes=sizes)
        for nth, power in _powers(one):
            text = _("Fascist policy %(nth)s: %(power)s.", nth=nth, power=POWERS[power])
            yield Paragraph(text=text, parts=parts, row=True, heading=heading, art=(power,))


def _powers(seats: int) -> Iterator[tuple[int, Power]]:
    return ((nth, power) for nth, power in enumerate(powers(seats), 1) if power)


def _example() -> Iterator[Paragraph]:
    yield Paragraph(
        text=_(
            "Ann draws two fascist policies and a liberal one, and discards the liberal one. Bob"
            " must enact a fascist policy."
        ),
        art=("fascist", "fascist", "liberal"),
    )
    yield Paragraph(
        text=_("Ann says she drew three fascist policies."), art=("fascist", "fascist", "fascist")
    )


def _careful(options: Options) -> Iterator[Paragraph]:
    yield Paragraph(text=_("If you don't vote in time, you vote Nein."), art=("clock", "nein"))
    yield Paragraph(text=_("Anything else is decided at random, and a veto is refused."))
    yield Paragraph(text=_talk(options), art=("talk",))
    yield from (Paragraph(text=text, art=("leave",)) for text in _leaving(options))


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


def _leaving(options: Options) -> Iterator[Text]:
    if options.on_leave == "abort":
        yield _("If a living player leaves, the match ends, and nobody wins.")
    elif options.on_leave == "leave":
        yield _("If you leave, your seat doesn't vote and plays at random until you take it back.")
        yield _("With fewer than two living players left, nobody wins.")
    else:
        yield _("If you leave, a bot plays on for you. You can take your seat back.")
