"""The bots of Secret Hitler: random, easy, normal, hard."""

from collections.abc import Mapping, Sequence
from typing import assert_never

from games.contract.choices import random_bot, sometimes_random
from games.contract.core import Bot, ClaimMade, Decision, Event, Offer, ReasoningBot, Talk
from games.contract.data import Seat
from games.contract.luck import BotLuck
from games.contract.words import _
from games.secret_hitler.bots import loyal, plot
from games.secret_hitler.bots.mind import Mind
from games.secret_hitler.bots.policy import policy_of
from games.secret_hitler.bots.reasons import reason_of
from games.secret_hitler.bots.talk import anything, speaker
from games.secret_hitler.rules.state import (
    ChancellorNomination,
    ChancellorPolicy,
    ComeBack,
    ExecutePlayer,
    ExecutiveConfirmation,
    InvestigateAffiliation,
    Moves,
    NextPresident,
    PresidentPolicies,
    Ready,
    VetoConfirm,
    VetoRequest,
    View,
    Vote,
)


def player(level: str) -> ReasoningBot:
    """Return a bot that plays with the parameters of this level (`policy`)."""

    def decide(
        seat: Seat,
        view: View,
        offers: Sequence[Offer],
        heard: Sequence[Event],
        said: Sequence[ClaimMade],
        luck: BotLuck,
    ) -> Decision:
        if offers[0].move == ComeBack.__name__:
            return Decision(ComeBack())
        policy = policy_of(level, len(view.players), view.role == "liberal")
        mind = Mind(seat, view, said, luck, policy)
        move = _move(mind, offers)
        return Decision(move, reason_of(mind, move) if level == "hard" else None)

    return ReasoningBot(decide)


def _move(mind: Mind, offers: Sequence[Offer]) -> Moves:
    """Choose a move. Liberals trust the exact belief. The others act on their cover story."""
    view, how = mind.view, loyal if mind.view.role == "liberal" else plot
    match view.phase:
        case "nominate":
            return ChancellorNomination(how.chancellor(mind))
        case "discuss":
            return Ready()
        case "vote":
            return Vote(how.ja(mind))
        case "president_discard":
            return PresidentPolicies(mind.without(how.unwanted(mind)))
        case "chancellor_enact":
            return _enact(mind, how.unwanted(mind), offers)
        case "veto_confirm":
            unwanted = how.unwanted(mind)
            return VetoConfirm(all(tile == unwanted for tile in view.hand))
        case "power_investigate":
            return InvestigateAffiliation(how.suspect(mind))
        case "power_special":
            return NextPresident(how.ally(mind))
        case "power_execute":
            return ExecutePlayer(how.victim(mind))
        case "power_ack" | "over":
            return ExecutiveConfirmation()
        case _:
            assert_never(view.phase)


def _enact(mind: Mind, unwanted: str, offers: Sequence[Offer]) -> Moves:
    wanted = [at for at, tile in enumerate(mind.view.hand) if tile != unwanted]
    if not wanted and any(offer.move == VetoRequest.__name__ for offer in offers):
        return VetoRequest()
    return ChancellorPolicy(wanted[0] if wanted else 0)


LEVELS: Mapping[str, Bot] = {
    "random": random_bot(Moves),
    "easy": sometimes_random(Moves, player("normal")),
    "normal": player("normal"),
    "hard": player("hard"),
}
TALKS: Mapping[str, Talk] = {
    "random": anything,
    "easy": speaker("normal"),
    "normal": speaker("normal"),
    "hard": speaker("hard"),
}

LEVEL_NOTES = {
    "normal": _("Says what it held, true or not, and weighs what everybody says."),
    "hard": _("Weighs what everybody says, and how everybody votes."),
}
