"""The messages of Secret Hitler: prompts, refusals and the end of the match."""

from collections.abc import Mapping
from typing import Any, assert_never

from games.contract.data import BySeat, Seat, Viewer
from games.contract.wording import Words
from games.contract.words import Fact, Text, _
from games.secret_hitler.rules.state import View
from games.secret_hitler.telling.buttons import hint
from games.secret_hitler.telling.log import event, heading, hitler_among
from games.secret_hitler.telling.newcomer import explain
from games.secret_hitler.telling.reasons import sentence
from games.secret_hitler.telling.terms import MOVES, TERMS


def prompt(view: View, viewer: Viewer) -> Text:
    if view.phase == "over":
        return _("The match is over.")
    if viewer is not None and not view.players[viewer].alive:
        return _table(view)
    if viewer is not None and view.players[viewer].autopilot:
        return _("Your seat plays at random until you take it back. %(what)s", what=_table(view))
    mine = viewer == (view.chancellor if view.phase == "chancellor_enact" else view.candidate)
    if view.phase == "discuss" and viewer in view.ready:
        return _("You are ready to vote. The others are still talking.")
    if view.phase == "vote":
        return _vote(view, viewer)
    return _your_turn(view) if mine else _table(view)


def _ending(view: View, winners: tuple[Seat, ...], reason: str) -> Text:
    why = _why(view, reason)
    seats = tuple(Seat(at) for at in range(len(view.players)))
    losers = tuple(seat for seat in seats if seat not in winners)
    if view.side is None:
        return _("Nobody wins: %(why)s", why=why)
    if view.side == "liberal":
        text = _("The liberals win: %(why)s", why=why)
    else:
        text = _("The fascists win: %(why)s", why=why)
    return text.to(winners, _("You win: %(why)s")).to(losers, _("You lose: %(why)s"))


def _why(view: View, reason: str) -> Text:
    who = hitler_among(view.roles or BySeat())
    match reason:
        case "liberal_policies":
            return _("five liberal policies.")
        case "fascist_policies":
            return _("six fascist policies.")
        case "hitler_executed":
            text = _("Hitler (%(who)s) was executed.", who=who)
            return text.to(who, _("you were Hitler and got executed."))
        case "hitler_elected":
            text = _("Hitler (%(who)s) was elected chancellor.", who=who)
            return text.to(who, _("you are Hitler and were elected chancellor."))
        case _:
            return _("players have left.")


def _vote(view: View, viewer: Viewer) -> Text:
    if viewer is not None and viewer in view.voted:
        return _("You have voted. Waiting for the others.")
    if viewer is None:
        return _(
            "Everybody votes: **%(president)s** as president, **%(chancellor)s** as chancellor?",
            **_pair(view),
        )
    pair = _pair(view)
    text = _("**%(president)s** as president, **%(chancellor)s** as chancellor?", **pair)
    asked = text.to(pair["president"], _("**You** as president, **%(chancellor)s** as chancellor?"))
    return asked.to(pair["chancellor"], _("**%(president)s** as president, **you** as chancellor?"))


def _pair(view: View) -> dict[str, Fact]:
    chancellor = view.candidate if view.chancellor is None else view.chancellor
    return {"president": view.candidate, "chancellor": chancellor}


def _your_turn(view: View) -> Text:
    match view.phase:
        case "nominate" if view.special:
            return _("This special election is yours. **Who is your chancellor?**")
        case "nominate":
            return _("You run for president. **Who is your chancellor?**")
        case "president_discard":
            return _("Throw one away. **%(chancellor)s gets the other two.**", **_pair(view))
        case "chancellor_enact" if view.veto_unlocked and not view.veto_refused:
            return _("Enact **one**, or ask for a **veto**.")
        case "chancellor_enact" if view.veto_refused:
            return _("No veto. **Which policy** do you enact?")
        case "chancellor_enact":
            return _("**Which policy** do you enact?")
        case "veto_confirm":
            return _("%(chancellor)s asks for a **veto**. Agree?", **_pair(view))
        case "power_investigate":
            return _("**Whose party card** do you want to see?")
        case "power_special":
            return _("Who should be the **next candidate**?")
        case "power_execute":
            return _("Who do you **execute**?")
        case "power_ack" if view.power == "peek":
            return _("These three policies come next. **Only you** see them.")
        case "power_ack":
            return _("**Only you** see this party card.")
        case "discuss" | "vote" | "over":
            return _table(view)
        case _:
            assert_never(view.phase)


def _table(view: View) -> Text:
    pair = _pair(view)
    match view.phase:
        case "nominate" if view.special:
            return _(
                "Special election: waiting for **%(president)s** to pick a chancellor.", **pair
            )
        case "nominate":
            return _("Waiting for **%(president)s** to pick a chancellor.", **pair)
        case "discuss":
            text = _(
                "Talk it over: **%(president)s** as president, **%(chancellor)s** as chancellor?",
                **pair,
            )
            mine = _("Talk it over: **you** as president, **%(chancellor)s** as chancellor?")
            yours = _("Talk it over: **%(president)s** as president, **you** as chancellor?")
            return text.to(pair["president"], mine).to(pair["chancellor"], yours)
        case "vote":
            return _vote(view, None)
        case "president_discard":
            text = _("Waiting for **%(president)s** to discard a policy.", **pair)
            return text.to(
                pair["chancellor"], _("**%(president)s** discards a policy. You get the other two.")
            )
        case "chancellor_enact":
            return _("Waiting for **%(chancellor)s** to enact a policy.", **pair)
        case "veto_confirm":
            text = _("%(chancellor)s asks for a veto. Waiting for **%(president)s**.", **pair)
            yours = _("You ask for a veto. Waiting for **%(president)s**.")
            return text.to(pair["chancellor"], yours)
        case "power_investigate":
            return _("Waiting for **%(president)s** to choose whose party card to see.", **pair)
        case "power_special":
            return _("Waiting for **%(president)s** to name the next candidate.", **pair)
        case "power_execute":
            return _("Waiting for **%(president)s** to choose who is executed.", **pair)
        case "power_ack" if view.power == "peek":
            return _("**%(president)s** is looking at the next three policies.", **pair)
        case "power_ack":
            return _("**%(president)s** is looking at a party card.", **pair)
        case "over":
            return _("The match is over.")
        case _:
            assert_never(view.phase)


def refusal(code: str, facts: Mapping[str, Fact]) -> Text:
    match code:
        case "not_eligible":
            return _("That player can't be chancellor now. Choose from %(eligible)s.", **facts)
        case "bad_choice" if facts["choose"] == 2:
            return _("Keep two of the three policies.")
        case "bad_choice":
            return _("Enact one of your two policies.")
        case "veto_locked":
            return _(
                "You can't veto before %(needed)s fascist policies; there are %(have)s so far.",
                **facts,
            )
        case "veto_refused":
            return _("Your veto was refused. Enact one of the two policies.")
        case "bad_target":
            return _("You can't choose that player now. Choose from %(targets)s.", **facts)
        case _:
            raise KeyError(code)


def choice(view: View, move: str, argument: str, value: Any) -> Text | None:
    """Return the label of a tile, a ballot or a veto answer, or None for other choices."""
    if argument in ("keep", "enact"):
        return TERMS[view.hand[value]]
    if argument == "ja":
        return _("Ja") if value else _("Nein")
    if argument == "accept":
        return _("Agree") if value else _("Refuse")
    return None


WORDS = Words(
    tagline=_("A secret minority, a shuffled deck of policies, and nobody to trust."),
    prompt=prompt,
    event=event,
    heading=heading,
    ending=_ending,
    refusal=refusal,
    move=lambda name: MOVES[name],
    choice=choice,
    hint=hint,
    reason=sentence,
    explain=explain,
    terms=TERMS,
)
