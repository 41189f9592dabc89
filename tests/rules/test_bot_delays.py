"""A bot's delay reveals nothing about its role, its move, or whether it lies."""

from __future__ import annotations

import math
from collections import defaultdict
from itertools import combinations

from games.contract.core import all_seats
from games.contract.data import Seat
from games.contract.luck import Luck, bot_luck, claim_luck, share_of_delay
from games.engine.talk import key_of
from games.secret_hitler import GAME
from games.secret_hitler.rules.spoken import liberals_in
from games.secret_hitler.rules.state import ChancellorPolicy, PresidentPolicies
from games.secret_hitler.tests.table import A, B, Table

MATCHES = 400


def differ(one: list[float], other: list[float]) -> float:
    """Kolmogorov-Smirnov test: probability that samples of one distribution differ this much."""
    points = sorted(one + other)
    shares = [
        abs(sum(x <= at for x in one) / len(one) - sum(x <= at for x in other) / len(other))
        for at in points[:: max(1, len(points) // 200)]
    ]
    n = len(one) * len(other) / (len(one) + len(other))
    far = (math.sqrt(n) + 0.12 + 0.11 / math.sqrt(n)) * max(shares)
    terms = (2 * (-1) ** (k - 1) * math.exp(-2 * (k * far) ** 2) for k in range(1, 100))
    return min(1.0, max(0.0, sum(terms)))


def tells_nothing(delays: dict[object, list[float]]) -> None:
    assert len(delays) > 1
    for one, other in combinations(delays, 2):
        assert differ(delays[one], delays[other]) > 0.01, (one, other)


def test_delays_reveal_neither_role_nor_move() -> None:
    by_role, by_move = (
        defaultdict[object, list[float]](list),
        defaultdict[object, list[float]](list),
    )
    options = GAME.rules.options()
    for seed in range(MATCHES):
        key = seed.to_bytes(4, "big")
        state = GAME.rules.setup(5, options, Luck(key, 1)).state
        for seat in all_seats(5):
            prompt = state.prompts[seat]
            share = share_of_delay(key, seat, prompt.to_bytes(4, "big"))
            by_role[state.roles[seat]].append(share)
            luck = bot_luck(key, seat, prompt)
            by_move[luck.draw("chance", 4)].append(share)
    tells_nothing(by_role)
    tells_nothing(by_move)


def test_delays_of_claims_do_not_reveal_lies() -> None:
    delays = defaultdict[object, list[float]](list)
    table = Table("FHLLL", deck="FFLFLFFLFFLFLF").elect(B).do(A, PresidentPolicies((0, 1)))
    table.do(B, ChancellorPolicy(0))
    assert GAME.rules.claims is not None
    (claim,) = GAME.rules.claims.open(table.state, A)
    view = table.view(A)
    for seed in range(3 * MATCHES):
        key = seed.to_bytes(4, "big")
        luck = claim_luck(key, Seat(A), claim.kind, claim.about)
        said = GAME.bots.talks["normal"](A, view, (claim,), (), (), luck)
        what = None if said is None else liberals_in(said.values)
        delays[what].append(share_of_delay(key, A, key_of(A, claim).encode()))
    assert set(delays) == {None, 0, 1}
    tells_nothing(delays)
