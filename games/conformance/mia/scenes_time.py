"""What is provoked with time: silence, late answers, windows, forty rounds, a restart."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Iterable

from games.conformance.mia import plans
from games.conformance.mia.bench import ALLOWANCE, LONG, Endpoint
from games.conformance.mia.kit import Kit, Silent
from games.conformance.mia.plans import Act, Plan, only, say
from games.conformance.mia.rounds import Prompt, Round

SILENT = 40
UNANSWERED = 3
PAUSE = 1.0
SHORT_PAUSES = 3
"""Pauses that are too short, one after the other, before that is a difference."""
OTHERS = "others play here"
MOST_ROUNDS = 60
LATE = 1.5
LATER = 0.35
"""Seconds a late answer is late at least: a busy server may notice late that the time is up."""
STILL = 0.2
SLACK = 0.25
"""Seconds a busy server may take longer than it should."""


def silences(kit: Kit) -> None:
    """No answer to YOUR TURN, none to ROLLED."""
    for _ in range(2):
        kit.provoke("25-turn", Plan(turn=plans.silence))
        kit.provoke("25-announce", Plan(announce=plans.silence))
    waited(kit, "24-time", kit.referee.judge.silences, "an answer")


def waited(kit: Kit, check: str, times: list[float], what: str) -> None:
    """Whether the server has waited for about one answer time, in the median."""
    if not times:
        return
    middle, most = statistics.median(times), LATE * kit.pace + SLACK
    if middle > most:
        expected = f"to wait {kit.pace * 1000:.0f} ms for {what}"
        kit.book.differs(check, expected, f"{middle * 1000:.0f} ms")
    kit.book.ok(check)


def late(kit: Kit) -> None:
    """Answer after the time: nothing follows, neither now nor in the next round."""
    kit.trio()
    kit.book.focus = "24-late"
    after = too_late(kit)
    for plan in (
        Plan(turn=say("ROLL", after=after)),
        Plan(turn=say("SEE", after=after)),
        Plan(announce=say("ANNOUNCE;6,5", after=after)),
    ):
        kit.play(plan)
        _go_on(kit, Plan(turn=say("SEE", after=0.6)))
    kit.book.focus = ""
    kit.book.ok("24-late")


def too_late(kit: Kit) -> float:
    """After how many answer times an answer is too late beyond doubt."""
    return max(LATE, 1 + LATER / kit.pace)


def _go_on(kit: Kit, plan: Plan) -> None:
    """Play until what was sent late has come."""
    until = time.time() + (too_late(kit) - 1) * kit.pace
    kit.play(plan)
    while time.time() < until:
        kit.play(plan)


def anew(kit: Kit) -> None:
    """Every answer takes more than half of the time; together they take more than all of it."""
    plan = Plan(
        lambda p: say("SEE" if p.round.said else "ROLL", after=0.6)(p),
        say("ANNOUNCE;6,5", after=0.6, check="24-anew"),
        say("JOIN", after=0.6),
    )
    kit.provoke("24-anew", plan)


def bystander(kit: Kit) -> None:
    """One of ours does not join: the window is waited out; it keeps its points; late is late."""
    trio = kit.trio()
    fourth = kit.guest(4)
    names = [one.name for one in trio]
    joining = Plan(join=only(names, say("JOIN")))
    kit.provoke("31-bystander", joining)
    slowly = Plan(join=only(names, say("JOIN", after=0.6)))
    for _ in range(2):
        kit.play(slowly)
    kit.register(fourth, fourth.name)
    kit.play(Plan())
    kit.book.focus = "11-late"
    kit.play(Plan(join=_some_late(fourth, too_late(kit))))
    _go_on(kit, Plan(turn=say("SEE", after=0.6), join=only(names, say("JOIN"))))
    kit.book.focus = ""
    kit.book.ok("11-late")
    waited(kit, "11-window", kit.referee.judge.windows, "who has not joined")


def _some_late(late_one: Endpoint, late: float) -> plans.Answers:
    def answers(prompt: Prompt) -> Iterable[Act]:
        after = late if prompt.by is late_one else 0.0
        return [Act(f"JOIN;{prompt.token}", after)]

    return answers


def few(kit: Kit) -> None:
    """Nobody joins, one joins."""
    trio = kit.trio()
    kit.play(Plan(join=plans.silence))
    alone = Plan(join=only([trio[0].name], say("JOIN")))
    for _ in range(4):
        round_ = kit.play(alone)
        if len(round_.order) > 1:
            kit.book.missed["14-alone"] = kit.book.missed["14-pause"] = OTHERS
        elif kit.book.settled("14-alone"):
            _pause(kit, trio, alone, round_)
            break
    kit.trio()


def _pause(kit: Kit, trio: list[Endpoint], alone: Plan, before: Round) -> None:
    """A round of one is over: the next one begins a second later, the one after it when asked."""
    waited = _waited_alone(kit, alone, before)
    if waited is None:
        kit.book.missed["14-pause"] = OTHERS
        return
    if waited < PAUSE - STILL:
        kit.book.differs("14-pause", "the next round a second later", f"{waited * 1000:.0f} ms")
    kit.register(trio[1], trio[1].name)
    asked = time.time()
    waited = kit.play(Plan()).began - asked
    if waited > PAUSE:
        expected = "the next round when another name has registered"
        kit.book.differs("14-pause", expected, f"{waited * 1000:.0f} ms later")
    kit.book.ok("14-pause")


def _waited_alone(kit: Kit, alone: Plan, before: Round) -> float | None:
    """Seconds until the next round, None where others take part: they end a pause by registering.

    One who registers again and plays no round is not to be seen, so a short pause is tried anew.
    """
    waited = 0.0
    for _ in range(SHORT_PAUSES):
        ended = time.time()
        after = kit.play(alone)
        waited = after.began - ended
        if _others(kit, before, after):
            return None
        if waited >= PAUSE - STILL:
            break
        before = after
    return waited


def _others(kit: Kit, before: Round, after: Round) -> bool:
    """Whether somebody else has come or got points since this round."""
    old, new = before.score or {}, after.score or {}
    moved = {name for name, points in new.items() if old.get(name) != points}
    return bool((moved | set(after.order)) - set(kit.names))


def forty(kit: Kit) -> None:
    """An endpoint that says nothing for forty rounds, and then something that means nothing."""
    kit.trio()
    quiet = kit.guest(5)
    for _ in range(4):
        if not quiet.proved or quiet.unanswered:
            kit.play(Plan(turn=say("SEE")))
    quiet.send(b"x")
    quiet.invited = 0
    told = 0
    for _ in range(SILENT + 6):
        told += bool(kit.play(_without(quiet)).place.get(quiet))
        if quiet.invited > UNANSWERED:
            break
    if quiet.invited != UNANSWERED:
        expected = f"{UNANSWERED} invitations to who answers nothing"
        kit.book.differs("34a-silent", expected, str(quiet.invited))
        return
    kit.book.ok("34a-silent")
    if not SILENT <= told <= SILENT + 1:
        expected = f"{SILENT} rounds to be told to who says nothing, then none"
        kit.book.differs("33-silent", expected, f"{told} of {SILENT + 6}")
    kit.book.ok("33-silent")
    quiet.send(b"x")
    quiet.invited = 0
    for _ in range(3):
        kit.play(_without(quiet))
    if not quiet.invited:
        kit.book.differs("33-again", "an invitation after it has said x", "none in 3 rounds")
    kit.book.ok("33-again")


def megaphone(kit: Kit) -> None:
    """An endpoint that never answers, for as long as it could be sent more than it may be."""
    trio, forged = kit.trio(), kit.enter(19)
    until = trio[0].received + ALLOWANCE + 2 * LONG
    for _ in range(MOST_ROUNDS):
        kit.play(_without(forged))
        if trio[0].received > until:
            break
    forged.send(f"REGISTER;{forged.name}".encode())
    for _ in range(5):
        kit.play(_without(forged))
    kit.book.ok("34a-megaphone")


def _without(quiet: Endpoint) -> Plan:
    """Short rounds in which this one does not join."""
    return Plan(turn=say("SEE"), join=lambda p: () if p.by is quiet else say("JOIN")(p))


def restart(kit: Kit, command: str) -> None:
    """Restart the server by this command, and compare number and points."""
    trio = kit.trio()
    before = kit.play(Plan(turn=say("SEE")))
    first = before.number or 0
    kit.referee.plan = None
    if subprocess.run(command, shell=True).returncode:
        kit.book.missed["32-restart"] = "the command to restart the server has failed"
        return
    kit.listen(STILL)
    kit.referee.forget()
    _back(kit, trio)
    after = kit.play(Plan(turn=say("SEE")))
    if (after.number or 0) <= first:
        kit.book.differs("32-restart", f"a number above {first}", str(after.number))
    score, old = after.score or {}, before.score or {}
    for name in (one.name for one in trio):
        gain = (name in after.order) - (name in (after.lost or ([], ""))[0])
        if score.get(name) != old.get(name, 0) + gain:
            expected = f"{name}:{old.get(name, 0) + gain}"
            kit.book.differs("32-restart", expected, f"{name}:{score.get(name)}")
    kit.book.ok("32-restart")


def _back(kit: Kit, trio: list[Endpoint]) -> None:
    """Register the three again, as soon as the server is back. Raise Silent when it is not."""
    until = time.time() + 60
    for one in trio:
        while kit.register(one, one.name) != "REGISTERED":
            if time.time() > until:
                raise Silent("The server has not come back after its restart.")
