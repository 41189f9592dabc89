"""Scenes about names: registration, ownership, moving, spectators."""

from __future__ import annotations

import secrets
import time
from collections.abc import Iterable

from conformance.mia import plans
from conformance.mia.bench import LONG, Endpoint
from conformance.mia.kit import Kit
from conformance.mia.lines import shortened
from conformance.mia.plans import Act, Plan, say
from conformance.mia.rounds import Prompt

MOST = 16
MANY = 24
BAD_NAMES = (
    *("", "x" * 21, "名" * 21, "a b", " a", "a ", "a,b", "a:b", "a\tb", "a\x00b", "a\x1bb"),
    "a\x7fb",
    "a\u0085b",
    "a\u00a0b",
    "a\u2003b",
    "a\u2028b",
    "a\u3000b",
    "a\nb",
    "a\rb",
)
JUNK = (
    *(b"", b"\n", b";", b";;;;", b"\xff\xfe\x00", b"HELLO", b"ROLL", b"SEE", b"JOIN", b"ANNOUNCE"),
    *(b"ANNOUNCE;", b"ANNOUNCE;;", b"JOIN;", b"ROLL;;", b"x" * 60_000, b"REGISTERED", b"\x00" * 40),
    *(b"ERROR", b"SCORE;x:1", b"ROUND STARTED;x", "JOIN;é".encode("utf-16"), b"JOIN;\xc3\x28"),
)


def registering(kit: Kit) -> None:
    """New names, repeated names and names of others."""
    one = kit.enter(6)
    again = kit.bench.open(6)
    reply = kit.register(again, one.name)
    _expect(kit, "5-register", "REGISTERED for the same address", reply, ["REGISTERED"])
    if kit.bench.loopback:
        reply = kit.ask(kit.bench.open(7), f"REGISTER;{again.name}")
        seed = kit.dialect == "seed"
        right = ["REJECTED"] if seed else ["REJECTED", "REJECTED;NAME_ALREADY_TAKEN"]
        _expect(kit, "5-rejected", "REJECTED for another address", reply, right)
    else:
        kit.book.missed["5-rejected"] = "needs two addresses: run this on the server's machine"
    name = kit.spare(again)
    reply = kit.ask(kit.bench.open(6), f"REGISTER;{name};a password;more", name)
    _expect(kit, "4-fields", "REGISTERED", reply, ["REGISTERED"])
    name = kit.spare(again, name)
    reply = kit.ask(kit.bench.open(6), f"REGISTER;{name}\r\n", name)
    _expect(kit, "2-line-end", "REGISTERED", reply, ["REGISTERED"])


def _expect(kit: Kit, check: str, expected: str, came: str, right: list[str]) -> None:
    if came in right:
        kit.book.ok(check)
    else:
        kit.book.differs(check, expected, shortened(came) or "nothing")


def names(kit: Kit) -> None:
    """Valid and invalid names."""
    speaker = kit.bench.open(8)
    own = secrets.token_hex(3)
    for name in (
        f"É{own}",
        f"😀{own}",
        f"<b>'&|.\"{own}",
        (own + "名" * 20)[:20],
        own,
        own.upper(),
    ):
        reply = kit.register(speaker, name if name != own.upper() else f"X{own}")
        _expect(kit, "7-names", f"REGISTERED for {name!r}", reply, ["REGISTERED"])
    seed = kit.dialect == "seed"
    right = ["REJECTED"] if seed else ["REJECTED", "REJECTED;INVALID_NAME"]
    for name in BAD_NAMES:
        asking = kit.bench.open(10)
        reply = kit.ask(asking, f"REGISTER;{name}")
        _expect(kit, "7-names", f"{right[-1]} for {shortened(repr(name), 40)}", reply, right)
    reply = kit.ask(kit.bench.open(10), "REGISTER")
    _expect(kit, "7-names", f"{right[-1]} for no name", reply, right)
    _capitals(kit)


def _capitals(kit: Kit) -> None:
    """Check that names and commands are case-sensitive."""
    name = kit.name()
    for each, host in ((name, 8), (name.upper(), 11)) if kit.bench.loopback else ():
        reply = kit.register(kit.bench.open(host), each)
        _expect(kit, "7-names", f"REGISTERED for {each}", reply, ["REGISTERED"])
    asking = kit.bench.open(10)
    asking.send(f"register;{kit.name()}".encode())
    came = "".join(kit.strays(asking)[:1])
    _expect(kit, "4-case", "no answer to register;name", came, [""])


def junk(kit: Kit) -> None:
    """Unknown messages from a stranger, and from a player during its turn."""
    stranger, player = kit.bench.open(10), kit.trio()[0]
    player.answers.clear()
    for data in JUNK:
        stranger.send(data)
        player.send(data)
    strays = kit.strays(stranger) + kit.strays(player)
    if strays:
        kit.book.differs("3-junk", "no answer", ", ".join(strays[:2]))

    def noisy(prompt: Prompt) -> Iterable[Act]:
        for data in JUNK:
            prompt.by.send(data)
        command = "SEE" if prompt.round.said else "ROLL"
        return [Act(f"{command};{prompt.token}", 0.3, check="3-junk")]

    kit.provoke("3-junk", Plan(turn=noisy))


def last_name(kit: Kit) -> None:
    """An endpoint with two names plays for the second one."""
    kit.trio()
    one = kit.guest(12)
    first, second = one.name, kit.name()
    reply = kit.register(one, second)
    _expect(kit, "9-last-name", "REGISTERED", reply, ["REGISTERED"])
    for _ in range(6):
        order = kit.play(Plan(turn=say("SEE"))).order
        if first in order:
            kit.book.differs("9-last-name", f"only {second} to play", ",".join(order))
        if second in order:
            kit.book.ok("9-last-name")
            break
    else:
        kit.book.differs("9-last-name", f"{second} to play", "not in 6 rounds")
    kit.play(Plan(turn=say("SEE"), join=lambda p: () if p.by is one else say("JOIN")(p)))


def moving(kit: Kit) -> None:
    """During a round, a player registers from another port, and a new player registers."""
    trio = kit.trio()
    old = trio[1]
    new, guest = kit.bench.open(2), kit.bench.open(13)
    new.claims, guest.claims = old.name, kit.name()

    def first(prompt: Prompt) -> Iterable[Act]:
        acts = [Act(f"ROLL;{prompt.token}", 0.4)]
        if prompt.by is not old and not prompt.round.said and not new.name:
            new.answers.clear()
            acts.append(Act(f"REGISTER;{new.claims}", by=new))
            acts.append(Act(f"REGISTER;{guest.claims}", by=guest))
        if prompt.round.said:
            acts[0] = Act(f"SEE;{prompt.token}")
        return acts

    def ladder(prompt: Prompt) -> Iterable[Act]:
        return plans.ladder(prompt)

    for _ in range(8):
        round_ = kit.play(Plan(turn=first, announce=ladder))
        if new.name:
            break
    trio[1] = new
    if not (new.name and guest.name):
        kit.book.differs("6-moved", "REGISTERED in the middle of a round", "no reply")
        return
    if guest.name in round_.order:
        kit.book.differs("8-invited", "to wait for the next round", "a seat in the running round")
    _after_moving(kit, new, guest)


def _after_moving(kit: Kit, new: Endpoint, guest: Endpoint) -> None:
    """Check that both players are invited to the next round and may play."""
    found = False
    for _ in range(4):
        after = kit.play(Plan(turn=say("SEE", after=0.3)))
        found = new.name in after.order and guest.name in after.order
        if found:
            break
    asked = {prompt.by for prompt in after.prompts}
    for check, one in (("6-moved", new), ("8-invited", guest)):
        if one not in asked or not found:
            kit.book.differs(check, f"{one.name} to be invited and to play", "not in 4 rounds")
        kit.book.ok(check)


def sixteen(kit: Kit) -> None:
    """Seventeen names from one address and endpoint."""
    speaker = kit.bench.open(14)
    replies = [kit.register(speaker, kit.name()) for _ in range(MOST)]
    if set(replies) != {"REGISTERED"}:
        came = f"{replies.count('REGISTERED')} of {MOST}"
        kit.book.differs("34-sixteen", f"REGISTERED for {MOST} names of one address", came)
    reply = kit.ask(speaker, f"REGISTER;{kit.name()}")
    right = ["REJECTED"] if kit.dialect == "seed" else ["REJECTED", "REJECTED;NAME_ALREADY_TAKEN"]
    _expect(kit, "34-sixteen", "REJECTED for the seventeenth name", reply, right)
    if kit.bench.loopback:
        _at_once(kit)


def _at_once(kit: Kit) -> None:
    """Register more than sixteen names concurrently from another address."""
    many = [kit.bench.open(16) for _ in range(MANY)]
    for one in many:
        one.claims = kit.name()
        one.send(f"REGISTER;{one.claims}".encode())
    until = time.time() + kit.reply
    while time.time() < until and not all(one.answers for one in many):
        kit.step(until)
    found = sum("REGISTERED" in one.answers for one in many)
    if found > MOST:
        expected = f"REGISTERED for {MOST} of {MANY} names at once"
        kit.book.differs("34-sixteen", expected, f"for {found}")


def long_scores(kit: Kit) -> None:
    """Enough long names to make SCORE too long for endpoints that have not answered."""
    trio, speaker = kit.trio(), kit.bench.open(17)
    for at in range(MOST):
        name = "😀" * 17 + f"{at:x}{secrets.token_hex(1)}"
        if kit.register(speaker, name) != "REGISTERED":
            kit.book.missed["34a-long"] = "there was no room for 16 names"
            return
    quiet = kit.enter(18)
    plan = Plan(turn=say("SEE"), join=lambda p: () if p.by is quiet else say("JOIN")(p))
    rounds = [kit.play(plan) for _ in range(3)]
    scores = [line for round_ in rounds for line in round_.told if line.kind == "SCORE"]
    if any(len(str(line).encode()) > LONG for line in scores) and trio[0].proved:
        kit.book.ok("34a-long")
    else:
        kit.book.missed["34a-long"] = "no SCORE was so long"


def spectator(kit: Kit) -> None:
    """A spectator, which only the current dialect has."""
    if kit.dialect == "seed":
        kit.book.missed["spectator"] = "the seed's dialect has none"
        return
    kit.trio()
    watcher = kit.bench.open(15)
    watcher.watching = True
    reply = kit.ask(watcher, f"REGISTER_SPECTATOR;{kit.name()}")
    _expect(kit, "spectator", "REGISTERED", reply, ["REGISTERED"])
    rounds = [kit.play(Plan()) for _ in range(3)]
    if not any(watcher in one.place for one in rounds):
        kit.book.differs("spectator", "to receive everything", "nothing in 3 rounds")
