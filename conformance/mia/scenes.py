"""Scenes in rounds of three players: moves, announcements, answers that are not valid.

The first line of a scene's docstring is shown to the user.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from itertools import permutations

from conformance.mia import chance, plans
from conformance.mia.bench import Endpoint
from conformance.mia.kit import Kit
from conformance.mia.lines import RANKING
from conformance.mia.plans import Act, Plan, announce, by_turn, once, say
from conformance.mia.rounds import Prompt

Scene = Callable[[Kit], None]
NO_ANNOUNCEMENTS = ("7,1", "3", "", "0,0", "5;3", "five", "5,3,1")
NO_MOVES = ("FOO", "roll", "ANNOUNCE;5,3", "JOIN")
FAIR_ROUNDS = 300
MOST_LADDERS = 40
SLOWLY = 0.4


def outcomes(kit: Kit) -> None:
    """Announcements and SEE."""
    see = plans.roll_then_see
    kit.provoke("22-first", Plan(turn=say("SEE")))
    kit.provoke("21-see", Plan(turn=see, announce=plans.truth), 12)
    kit.provoke("21-bluff", Plan(turn=see, announce=announce("6,6")), 8)
    kit.provoke("21-little", Plan(turn=see, announce=announce("1,3")), 8, "18-dice")
    kit.provoke("20-lie", Plan(announce=announce("2,1")), 8)
    kit.provoke("19-lower", Plan(_rolls(2), by_turn("6,6", "1,1")))
    kit.provoke("19-equal", Plan(_rolls(2), by_turn("4,3", "3,4")))
    kit.provoke("19-higher", Plan(_rolls(2), by_turn("6,5", "1,1")))


def ladder(kit: Kit) -> None:
    """Every value after the next lower one, until a Mia was rolled and there are enough rolls."""
    plan = Plan(plans.roll_or_see, plans.ladder)
    kit.trio()
    for _ in range(MOST_LADDERS):
        kit.play(plan)
        if kit.book.settled("20-mia") and len(kit.referee.rolls) >= 150:
            break
    rolls = kit.referee.rolls
    if len(rolls) < 100:
        return
    shares = {dice: (1 if dice[0] == dice[2] else 2) / 36 for dice in RANKING}
    odds = chance.unevenness({dice: rolls.count(dice) for dice in RANKING}, shares)
    if odds < chance.FALSE_ALARM:
        came = f"{len(rolls)} rolls with a probability of {odds:.1g}"
        kit.book.differs("17-fair", "the distribution of two dice", came)
    kit.book.ok("17-fair")


def fair(kit: Kit) -> None:
    """The order of three players over hundreds of rounds, including those of other scenes."""
    names = {one.name for one in kit.trio()}
    for _ in range(FAIR_ROUNDS):
        if len(_orders(kit, names)) >= FAIR_ROUNDS:
            break
        kit.play(Plan(turn=say("SEE")))
    orders = _orders(kit, names)
    if len(orders) < FAIR_ROUNDS * 0.8:
        kit.book.missed["13-fair"] = f"only {len(orders)} rounds of three"
        return
    possible = list(permutations(sorted(names)))
    for odds, what in zip(chance.of_orders(orders, possible), ("counts", "sequence"), strict=True):
        if odds < chance.FALSE_ALARM:
            came = f"{len(orders)} orders whose {what} have a probability of {odds:.1g}"
            kit.book.differs("13-fair", "all six orders of three with equal probability", came)
    kit.book.ok("13-fair")


def _orders(kit: Kit, names: set[str]) -> list[tuple[str, ...]]:
    """Return the relative order of these players in each round with all of them."""
    ours = [tuple(name for name in order if name in names) for order in kit.referee.orders]
    return [order for order in ours if len(order) == len(names)]


def invalid(kit: Kit) -> None:
    """Right tokens with unknown moves or invalid announcements."""
    for move in NO_MOVES:
        kit.provoke("28-invalid", Plan(turn=say(move, check="28-invalid")), 4)
    kit.provoke("4-case", Plan(turn=say("see", check="4-case")), 4)
    for dice in NO_ANNOUNCEMENTS:
        kit.provoke("29-bad", Plan(announce=say(f"ANNOUNCE;{dice}", check="29-bad")), 4)
    kit.provoke("29-bad", Plan(announce=say("ROLL", check="29-bad")), 4)


def line_ends(kit: Kit) -> None:
    """Answers that end with a line break."""

    def ended(command: str, end: str) -> plans.Answers:
        return lambda p: [Act(f"{command};{p.token}{end}", check="2-line-end")]

    for end in ("\n", "\r\n"):
        plan = Plan(
            _first_rolls(ended("ROLL", end)), ended("ANNOUNCE;6,6", end), ended("JOIN", end)
        )
        kit.provoke("2-line-end", plan, 4)


def strangers(kit: Kit) -> None:
    """Right tokens from wrong endpoints: another player, and strangers of two addresses."""
    others = [kit.bench.open(1), kit.bench.open(2), kit.bench.open(9)]
    trio = kit.trio()

    def foreign(command: str, prompt: Prompt) -> Iterable[Act]:
        rest = [one for one in (*trio, *others) if one is not prompt.by]
        bad = [Act(f"{command};{prompt.token}", by=one) for one in rest]
        return [*bad, Act(f"{command};{prompt.token}", 0.35, check="26-owner")]

    turn, tell = partial(foreign, "ROLL"), partial(foreign, "ANNOUNCE;6,5")
    kit.provoke("26-owner", Plan(_first_rolls(turn), once(tell, plans.truth)))
    kit.provoke("26-owner", Plan(turn=partial(foreign, "FOO")))
    quiet = trio[0].name

    def stolen(prompt: Prompt) -> Iterable[Act]:
        if prompt.by.name != quiet:
            return [Act(f"JOIN;{prompt.token}")]
        thieves = [*trio[1:], *others]
        return [Act(f"JOIN;{prompt.token}", by=one, check="26-owner") for one in thieves]

    kit.provoke("26-owner", Plan(join=stolen))


def tokens(kit: Kit) -> None:
    """Wrong, missing, old and reused tokens, and the entropy of tokens."""
    trio = kit.trio()
    old = list(kit.referee.tokens[-30:]) or ["0123456789abcdef"]

    def wrong(command: str, prompt: Prompt) -> Iterable[Act]:
        token = prompt.token
        guesses = [token[:-1], token.upper() + "x", "0" * len(token), token[::-1] + "1", old[-1]]
        bad = [Act(f"{command};{guess}") for guess in (*guesses, "")]
        right = Act(f"{command};{token}", 0.35, check="27-ignored")
        return [*bad, Act("ROLL"), Act("FOO;" + guesses[0]), right]

    plan = Plan(_first_rolls(partial(wrong, "ROLL")), partial(wrong, "ANNOUNCE;6,5"))
    kit.provoke("27-ignored", plan)
    kit.provoke("27-ignored", Plan(join=partial(wrong, "JOIN")))
    _twice(kit, trio)
    seen = kit.referee.tokens
    for _ in range(max(0, (200 - len(seen)) // 4 + 1)):
        kit.play(Plan(turn=say("SEE")))
    if len(seen) >= 200 and (bits := chance.bits(seen[-400:])) < 24:
        came = f"{len(seen[-400:])} tokens with {bits:.0f} bits, e.g. {', '.join(seen[-3:])}"
        kit.book.differs("26-token", "tokens with enough entropy", came)
    kit.book.ok("26-token")


def _twice(kit: Kit, trio: list[Endpoint]) -> None:
    def twice(command: str, prompt: Prompt) -> Iterable[Act]:
        text = f"{command};{prompt.token}"
        return [Act(text, after, check="26-once") for after in (0.0, 0.01, 0.2)]

    slowly = say("ANNOUNCE;6,5", after=SLOWLY, check="26-once")
    see = say("SEE", after=SLOWLY)
    plans_ = (
        Plan(_first_rolls(partial(twice, "ROLL"), see), slowly),
        Plan(_first_rolls(say("ROLL"), see), partial(twice, "ANNOUNCE;6,5")),
    )
    for plan in plans_:
        spoiled = []
        for _ in range(4):
            round_ = kit.play(plan)
            if not round_.spoiled:
                break
            spoiled += round_.spoiled
        else:
            margin = SLOWLY * kit.pace
            kit.late("26-once", "the second datagram to be ignored", spoiled[-1], margin)
    kit.book.ok("26-once")


def _rolls(times: int) -> plans.Answers:
    """Return answers that roll until `times` announcements were made, and then see."""

    def answers(prompt: Prompt) -> Iterable[Act]:
        command = "ROLL" if len(prompt.round.said) < times else "SEE"
        return [Act(f"{command};{prompt.token}")]

    return answers


def _first_rolls(first: plans.Answers, then: plans.Answers = plans.roll_then_see) -> plans.Answers:
    """Return answers that use `first` for the first player in a round, and `then` for the
    others.
    """
    return lambda prompt: then(prompt) if prompt.round.said else first(prompt)
