"""Scenes about time: silence, late answers, join windows, forty rounds, a restart."""

from __future__ import annotations

import statistics
import subprocess
import time
from collections.abc import Iterable

from conformance.mia import plans
from conformance.mia.bench import ALLOWANCE, LONG, Endpoint
from conformance.mia.kit import Kit, Silent
from conformance.mia.plans import Act, Plan, only, say
from conformance.mia.rounds import Prompt, Round

SILENT = 40
UNANSWERED = 3
PAUSE = 1.0
TRIES = 3
"""Number of consecutive attempts that must be early or late before a difference is recorded."""
OTHERS = "others play here"
MOST_ROUNDS = 60
EARLY, LATE = 0.8, 1.5
"""Minimum and maximum time after which a server may time out, as a share of the answer time."""
LATER = 0.35
"""Minimum seconds of lateness, because a busy server may notice a timeout late."""
STILL = 0.2
SLACK = 0.25
"""Extra seconds that a busy server may need."""


def silences(kit: Kit) -> None:
    """No answer to YOUR TURN or to ROLLED."""
    for _ in range(2):
        kit.provoke("25-turn", Plan(turn=plans.silence))
        kit.provoke("25-announce", Plan(announce=plans.silence))
    waited(kit, "24-time", kit.referee.judge.silences, "an answer")


def waited(kit: Kit, check: str, times: list[float], what: str) -> None:
    """Check that the server waits for about one answer time, in the median."""
    if not times:
        return
    middle, most = statistics.median(times), LATE * kit.pace + SLACK
    expected, came = f"to wait {kit.pace * 1000:.0f} ms for {what}", f"{middle * 1000:.0f} ms"
    if middle < EARLY * kit.pace:
        kit.book.differs(check, expected, came)
    elif middle > most:
        kit.late(check, expected, came, middle - most)
    else:
        kit.book.ok(check)


def late(kit: Kit) -> None:
    """Late answers, which must have no effect in this round or the next."""
    after = too_late(kit)
    goes_on = Plan(turn=say("SEE", after=0.6))
    for plan in (
        Plan(turn=say("ROLL", after=after)),
        Plan(turn=say("SEE", after=after)),
        Plan(announce=say("ANNOUNCE;6,5", after=after)),
    ):
        _send_late(kit, "24-late", plan, goes_on)
    kit.book.ok("24-late")


def _send_late(kit: Kit, check: str, plan: Plan, goes_on: Plan) -> None:
    """Play until late answers do not count. Record a difference if they count in every attempt."""
    for _ in range(TRIES):
        kit.trio()
        kit.book.focus = check
        round_ = kit.play(plan)
        _go_on(kit, goes_on)
        kit.book.focus = ""
        if not round_.overdue:
            return
    margin = (too_late(kit) - 1) * kit.pace
    kit.late(check, "late answers to be ignored", round_.overdue[-1], margin)


def too_late(kit: Kit) -> float:
    """Return the number of answer times after which an answer is certainly too late."""
    return max(LATE, 1 + LATER / kit.pace)


def _go_on(kit: Kit, plan: Plan) -> None:
    """Play until late datagrams have arrived."""
    until = time.time() + (too_late(kit) - 1) * kit.pace
    kit.play(plan)
    while time.time() < until:
        kit.play(plan)


def anew(kit: Kit) -> None:
    """Answers that each take more than half of the answer time."""
    plan = Plan(
        lambda p: say("SEE" if p.round.said else "ROLL", after=0.6)(p),
        say("ANNOUNCE;6,5", after=0.6, check="24-anew"),
        say("JOIN", after=0.6),
    )
    kit.provoke("24-anew", plan)


def bystander(kit: Kit) -> None:
    """A player that does not join, or too late: the join window, and its points."""
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
    goes_on = Plan(turn=say("SEE", after=0.6), join=only(names, say("JOIN")))
    _send_late(kit, "11-late", Plan(join=_some_late(fourth, too_late(kit))), goes_on)
    kit.book.ok("11-late")
    waited(kit, "11-window", kit.referee.judge.windows, "a player who has not joined")


def _some_late(late_one: Endpoint, late: float) -> plans.Answers:
    def answers(prompt: Prompt) -> Iterable[Act]:
        after = late if prompt.by is late_one else 0.0
        return [Act(f"JOIN;{prompt.token}", after)]

    return answers


def few(kit: Kit) -> None:
    """Rounds that nobody or only one player joins."""
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
    """The pause after rounds of one: a second, then until somebody registers."""
    for _ in range(TRIES):
        waited = _waited_alone(kit, alone, before)
        if waited is None:
            kit.book.missed["14-pause"] = OTHERS
            return
        if waited < PAUSE - STILL:
            kit.book.differs(
                "14-pause", "the next round after one second", f"{waited * 1000:.0f} ms"
            )
        kit.register(trio[1], trio[1].name)
        asked = trio[1].since
        late = kit.play(Plan()).began - asked
        if late <= PAUSE:
            kit.book.ok("14-pause")
            return
        before = kit.play(alone)
    expected = "the next round when another name registers"
    kit.late("14-pause", expected, f"{late * 1000:.0f} ms later", late - PAUSE)


def _waited_alone(kit: Kit, alone: Plan, before: Round) -> float | None:
    """Return the seconds until the next round, or None if others play, because a registration ends
    the pause.

    Others who register without playing cannot be observed, so short pauses are retried.
    """
    waited = 0.0
    for _ in range(TRIES):
        after = kit.play(alone)
        waited = after.began - before.ended
        if _others(kit, before, after):
            return None
        if waited >= PAUSE - STILL:
            break
        before = after
    return waited


def _others(kit: Kit, before: Round, after: Round) -> bool:
    """Whether somebody else has joined or got points since this round."""
    old, new = before.score or {}, after.score or {}
    moved = {name for name, points in new.items() if old.get(name) != points}
    return bool((moved | set(after.order)) - set(kit.names))


def forty(kit: Kit) -> None:
    """An endpoint that is silent for forty rounds, and then sends an unknown message."""
    kit.trio()
    quiet = kit.guest(5)
    for _ in range(2):  # a busy server may read x late, and count more rounds
        _stay_silent(kit, quiet)
        if quiet.invited == UNANSWERED and SILENT <= quiet.told <= SILENT + 1:
            break
    if quiet.invited != UNANSWERED:
        expected = f"{UNANSWERED} invitations to an endpoint that does not answer"
        kit.book.differs("34a-silent", expected, str(quiet.invited))
        return
    kit.book.ok("34a-silent")
    if not SILENT <= quiet.told <= SILENT + 1:
        expected = f"{SILENT} rounds sent to a silent endpoint, then none"
        kit.book.differs("33-silent", expected, f"{quiet.told} of {SILENT + 6}")
    kit.book.ok("33-silent")
    quiet.send(b"x")
    quiet.invited = 0
    for _ in range(3):
        kit.play(_without(quiet))
    if not quiet.invited:
        kit.book.differs("33-again", "an invitation after it has sent x", "none in 3 rounds")
    kit.book.ok("33-again")


def _stay_silent(kit: Kit, quiet: Endpoint) -> None:
    """Send the unknown message `x` as a player who has proved its address.

    Then send nothing for longer than the server may report rounds to a silent endpoint.
    """
    kit.register(quiet, quiet.name)
    for _ in range(MOST_ROUNDS):
        kit.trio()
        if kit.play(Plan(turn=say("SEE"))) and quiet.proved and not quiet.unheard:
            break
    quiet.send(b"x")
    quiet.invited = quiet.told = 0
    for _ in range(SILENT + 6):
        kit.play(_without(quiet))
        if quiet.invited > UNANSWERED:
            break


def megaphone(kit: Kit) -> None:
    """An endpoint that never answers, until its allowance would be exceeded."""
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
    """Return a plan of short rounds in which this endpoint does not join."""
    return Plan(turn=say("SEE"), join=lambda p: () if p.by is quiet else say("JOIN")(p))


def restart(kit: Kit, command: str) -> None:
    """Restart the server, and compare number and points."""
    trio = kit.trio()
    before = kit.play(Plan(turn=say("SEE")))
    first = before.number or 0
    kit.referee.plan = None
    if subprocess.run(command, shell=True).returncode:
        kit.book.missed["32-restart"] = "the command to restart the server failed"
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
    """Register the three players again once the server is back.

    Raise Silent if it does not come back.
    """
    until = time.time() + 60
    for one in trio:
        while kit.register(one, one.name) != "REGISTERED":
            if time.time() > until:
                raise Silent("The server did not respond after its restart.")
