"""No datagram reveals more than its recipient may know."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from games.udp.server import UdpServer
from tests.kit.udp import Program

Serve = Callable[..., UdpServer]
Make = Callable[..., Program]


def seen_by_others(
    serve: Serve, program: Make, dice: Callable[..., None], throws: tuple[str, str]
) -> list[list[str]]:
    """A rolls and announces 6,4. Then B rolls and announces 6,6.

    C is in the round and receives all of this. D only watches.
    """
    dice(*throws)
    a, b, c, d = (program(name).known() for name in "ABCD")
    server = serve()
    for one in (a, b, c, d):
        one.join()
    a.answer("YOUR TURN", "ROLL")
    a.answer("ROLLED", "ANNOUNCE;6,4")
    b.answer("YOUR TURN", "ROLL")
    b.answer("ROLLED", "ANNOUNCE;6,6")
    c.until("YOUR TURN")
    d.until("ANNOUNCED;B")
    server.stop()
    for one in (a, b, c, d):
        one.close()
    return [[without_token(line) for line in one.lines] for one in (c, d)]


def without_token(line: str) -> str:
    return re.sub(r";[0-9a-f]{16}$", "", re.sub(r"^ROUND STARTING;\d+", "ROUND STARTING", line))


@pytest.mark.parametrize("other", [("2,1", "3,1"), ("6,6", "2,1"), ("1,1", "6,5")])
def test_hidden_dice_do_not_affect_datagrams_to_other_players(
    serve: Serve, program: Make, dice: Callable[..., None], other: tuple[str, str]
) -> None:
    from games.models import UdpName

    once = seen_by_others(serve, program, dice, ("4,3", "5,5"))
    UdpName.objects.all().delete()
    assert seen_by_others(serve, program, dice, other) == once
