"""Random draws follow docs/fairness.md and docs/fairness-1.md, in several implementations."""

from __future__ import annotations

import json
import re
import subprocess
from collections import Counter
from hashlib import sha256
from math import factorial
from pathlib import Path
from typing import Any

import pytest

from games.contract.luck import (
    TASTES,
    Draw,
    KeyedLuck,
    Luck,
    bot_luck,
    claim_luck,
    commitment,
    derived_nonce,
    drawn_after,
    manner_of,
    mix,
    share_of_delay,
)
from games.contract.mixing import Share, code_of, list_of, seed_of_list, share_of

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "fairness-1.md").read_text(encoding="utf-8")
PAGE_2 = (DOCS / "fairness.md").read_text(encoding="utf-8")
SERVER = bytes(range(32))
NONCES = ("ann", "Bär", "🎲")

Draws = list[Any]
"""The notation of the page: a number is the size of a draw, and `[k]` shuffles k things."""


def facts() -> dict[str, str]:
    """Return the first table of the page."""
    rows = re.findall(r"^\| ([a-z0-9, ]+) \| `([0-9a-f]+)` \|$", PAGE, re.MULTILINE)
    assert len(rows) == 5
    return dict(rows)


def vectors() -> list[tuple[int, Draws, Draws]]:
    """Return the second table of the page: act, draws, values."""
    rows = re.findall(r"^\| (\d+) \| `(.*)` \| `(.*)` \|$", PAGE, re.MULTILINE)
    assert len(rows) == 4
    return [(int(act), json.loads(draws), json.loads(values)) for act, draws, values in rows]


def program(language: str) -> str:
    """Return the page's code block in this language."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    return str(block)


# A reimplementation from the wire's contract that uses nothing of luck.py.


def hmac(key: bytes, message: bytes) -> bytes:
    inner, outer = (bytes(k ^ pad for k in key.ljust(64, b"\0")) for pad in (0x36, 0x5C))
    return sha256(outer + sha256(inner + message).digest()).digest()


def drawn(luck: Luck, draws: Draws) -> Draws:
    return [
        list(luck.shuffle("", d[0])) if isinstance(d, list) else luck.draw("", d) for d in draws
    ]


@pytest.mark.parametrize(("act", "draws", "values"), vectors(), ids=str)
def test_documented_test_vectors_match_the_server(act: int, draws: Draws, values: Draws) -> None:
    assert drawn(Luck(mix(SERVER, NONCES), act), draws) == values


def test_documented_commitment_and_seed_match_the_server() -> None:
    assert facts()["commitment"] == commitment(SERVER) == sha256(SERVER).hexdigest()
    assert facts()["seed"] == mix(SERVER, NONCES).hex()


def test_missing_nonce_is_derived_from_the_server_seed() -> None:
    for seat in (0, 3):
        again = hmac(SERVER, b"nonce" + bytes([seat])).hex()
        assert facts()[f"nonce of seat {seat}, derived"] == derived_nonce(SERVER, seat) == again


def test_documented_python_program_draws_the_same() -> None:
    space: dict[str, Any] = {}
    exec(program("python"), space)  # the program printed on the page is under test
    seed = space["seed_of"](SERVER, NONCES)
    assert seed.hex() == facts()["seed"]
    assert space["nonce_of_nobody"](SERVER, 3) == facts()["nonce of seat 3, derived"]
    for act, draws, values in vectors():
        words = space["stream"](seed, act)
        found = [
            space["shuffle"](words, d[0]) if isinstance(d, list) else space["draw"](words, d)
            for d in draws
        ]
        assert found == values


def test_documented_javascript_program_draws_the_same() -> None:
    acts = [f"[{act}, {json.dumps(draws)}]" for act, draws, _ in vectors()]
    as_exact = re.sub(r"\d{16,}", r"\g<0>n", ", ".join(acts))
    check = f"""
        const server = Buffer.from("{SERVER.hex()}", "hex");
        const seed = seedOf(server, {json.dumps(NONCES)});
        const found = [{as_exact}].map(([act, draws]) => {{
            const words = stream(seed, act);
            return draws.map((d) => Array.isArray(d) ? shuffle(words, d[0]) : draw(words, d));
        }});
        console.log(JSON.stringify([seed.toString("hex"), nonceOfNobody(server, 3), ...found]));
    """
    ran = subprocess.run(
        ["node", "-"], input=program("javascript") + check, capture_output=True, text=True
    )
    assert ran.returncode == 0, ran.stderr
    seed, nonce, *found = json.loads(ran.stdout, parse_int=float)
    assert (seed, nonce) == (facts()["seed"], facts()["nonce of seat 3, derived"])
    assert found == json.loads(json.dumps([v for _, _, v in vectors()]), parse_int=float)


def test_nonces_are_prefixed_with_their_length_in_bytes() -> None:
    message = b"\0\x03ann\0\x04B\xc3\xa4r\0\x04\xf0\x9f\x8e\xb2"
    assert mix(SERVER, NONCES) == hmac(SERVER, message)
    assert mix(SERVER, ("ab", "c")) != mix(SERVER, ("a", "bc"))
    assert mix(SERVER, ("a", "b")) != mix(SERVER, ("b", "a"))
    assert mix(SERVER, ("", "a")) != mix(SERVER, ("a", ""))


def test_numbers_are_uniformly_distributed() -> None:
    luck = Luck(b"a fair seed", 7)
    counted = Counter(luck.draw("die", 6) for _ in range(12_000))
    assert set(counted) == set(range(6))
    # chi square, 5 degrees of freedom: above 20.5 for one seed in a thousand; this one is fixed
    assert sum((n - 2000) ** 2 / 2000 for n in counted.values()) < 20.5


def test_permutations_are_uniformly_distributed() -> None:
    luck = Luck(b"a fair seed", 8)
    counted = Counter(luck.shuffle("order", 4) for _ in range(12_000))
    assert len(counted) == factorial(4)
    # 23 degrees of freedom: above 49.7 for one seed in a thousand
    assert sum((n - 500) ** 2 / 500 for n in counted.values()) < 49.7


def test_every_draw_is_recorded() -> None:
    luck = Luck(b"seed", 1)
    die, order = luck.draw("die", 6), luck.shuffle("order", 3)
    card, hand = luck.pick("card", "abc"), luck.shuffled("hand", "xyz")
    assert luck.draws[:2] == [Draw("die", 6, die), Draw("order", 3, order)]
    assert [(d.label, d.size) for d in luck.draws[2:]] == [("card", 3), ("hand", 3)]
    assert card == "abc"[int(str(luck.draws[2].value))]
    assert isinstance(luck.draws[3].value, tuple)
    assert hand == tuple("xyz"[at] for at in luck.draws[3].value)


def test_every_act_and_bot_decision_has_its_own_stream() -> None:
    streams = [Luck(b"seed", act) for act in range(20)]
    streams += [bot_luck(b"seed", seat, prompt) for seat in range(4) for prompt in range(5)]
    assert len({luck.draw("", 2**64) for luck in streams}) == 40


def test_delay_is_uniform_and_has_its_own_stream() -> None:
    shares = [share_of_delay(b"seed", seat, b"%d" % n) for seat in range(5) for n in range(400)]
    assert all(0 <= share < 1 for share in shares)
    tenths = Counter(int(share * 10) for share in shares)
    assert all(140 < tenths[tenth] < 260 for tenth in range(10))
    bot_luck(b"seed", 0, 1).draw("chance", 100)
    assert share_of_delay(b"seed", 0, b"1") == share_of_delay(b"seed", 0, b"1")


def test_bot_personality_is_fixed_per_match_and_evenly_distributed() -> None:
    manners = [manner_of(b"%d" % seed, seat) for seed in range(60) for seat in range(5)]
    kinds = Counter((manner.temper, manner.chatty) for manner in manners)
    assert len(kinds) == 6
    assert min(kinds.values()) > 25
    assert len({manner.taste for manner in manners}) > 280
    assert all(manner.taste < TASTES for manner in manners)
    assert bot_luck(b"7", 3, 1).manner == bot_luck(b"7", 3, 9).manner == manner_of(b"7", 3)
    assert claim_luck(b"7", 3, "drawn", 0).manner == manner_of(b"7", 3)


def test_every_bot_claim_has_its_own_stream() -> None:
    streams = [
        claim_luck(b"seed", seat, kind, about)
        for seat in (0, 1)
        for kind in ("drawn", "received")
        for about in (0, 1)
    ]
    assert len({luck.draw("", 2**64) for luck in streams}) == 8


class TestVersion2:
    """The bytes of luck to which everybody adds."""

    ANN, BAER = "a1" * 32, "b2" * 32
    OPTIONS = {"scoring": "lives", "lives": 6}

    def seats(self) -> list[Share]:
        given = {"ann": self.ANN, "Bär": self.BAER}
        shares = [Share(n, share_of(commitment(SERVER), n, s), s) for n, s in given.items()]
        return [*shares, Share("Fay")]

    def listed(self) -> str:
        return list_of(commitment(SERVER), "mia", self.OPTIONS, self.seats())

    def seed(self) -> bytes:
        return seed_of_list(SERVER.hex(), self.listed(), self.seats())

    def test_shares_list_seed_and_code(self) -> None:
        assert [one.share for one in self.seats()] == [
            "493832246753c2071328ca91763ea478e092ecec485808f5609434cb3fd0767c",
            "23c1745115ffac3dde29a0b94774a840f04452e62c01184c393f02a84bd86f8f",
            None,
        ]
        assert self.listed() == "5d9a508b3459772dc70eaad07ef2b502f48a0855b3c464592973bf3ed58aebe8"
        expected = "3a0b8b38edc2ca1423d9e6856ec11f8f7cbf85ae1fe6cb1268a9d4e25ef569b8"
        assert self.seed().hex() == expected
        assert code_of(self.listed(), self.seats()) == "5AU-D47R"

    def test_draws(self) -> None:
        luck = KeyedLuck(self.seed(), {})
        assert luck.shuffle("order", 3) == (0, 1, 2)
        assert [luck.draw("die", 6) for _ in range(4)] == [2, 1, 1, 5]
        deck = (9, 4, 1, 2, 6, 5, 0, 11, 3, 12, 14, 8, 10, 13, 7)
        assert luck.shuffle("deck", 15) == deck
        assert luck.draw("one", 1) == 0

    def test_documented_program_computes_the_documented_vectors(self) -> None:
        (block,) = re.findall(r"^```python\n(.*?)^```$", PAGE_2, re.MULTILINE | re.DOTALL)
        space: dict[str, Any] = {}
        exec(block, space)  # the program printed on the page is under test
        facts = dict(re.findall(r"^\| ([\w ]+) \| `([0-9a-fA-Z-]+)` \|$", PAGE_2, re.MULTILINE))
        committed = bytes.fromhex(commitment(SERVER))
        secrets = {"ann": bytes.fromhex(self.ANN), "Bär": bytes.fromhex(self.BAER), "Fay": None}
        shares = [(n, of and space["share_of"](committed, n, of)) for n, of in secrets.items()]
        listed = space["list_of"](committed, "mia", self.OPTIONS, shares)
        seed = space["seed_of"](SERVER, listed, secrets.values())
        assert facts == {
            "share of ann": dict(shares)["ann"].hex(),
            "share of Bär": dict(shares)["Bär"].hex(),
            "list": listed.hex(),
            "seed": seed.hex(),
            "code": space["code_of"](listed, secrets.values()),
        }
        assert seed == self.seed()
        rows = re.findall(r"^\| (\w+) \| `(\[.*\])` \| `(\[.*\])` \|$", PAGE_2, re.MULTILINE)
        assert len(rows) == 4
        for label, draws, values in rows:
            found = [
                space["shuffle"](space["stream"](seed, label, count), of[0])
                if isinstance(of, list)
                else space["draw"](space["stream"](seed, label, count), of)
                for count, of in enumerate(json.loads(draws))
            ]
            assert found == json.loads(values), label

    def test_too_high_numbers_are_skipped(self) -> None:
        size = 2**63 + 1
        found = [self.first_number(count) for count in range(9)]
        skipped = next(count for count, number in enumerate(found) if number >= size)
        luck = KeyedLuck(self.seed(), {"big": skipped})
        assert luck.draw("big", size) == 4880867398217992608

    def first_number(self, count: int) -> int:
        label = b"\0\x03big" + count.to_bytes(4, "big") + bytes(4)
        return int.from_bytes(hmac(self.seed(), b"parlour/2 draw\0" + label)[:8], "big")

    def test_table_of_silent_bots(self) -> None:
        silent = [Share("Ada (bot)"), Share("Bela (bot)")]
        listed = list_of(commitment(SERVER), "mia", self.OPTIONS, silent)
        assert (listed[:8], listed[-8:]) == ("c54eb369", "8aa66d63")
        seed = seed_of_list(SERVER.hex(), listed, silent)
        assert (seed.hex()[:8], seed.hex()[-10:]) == ("a2538f6e", "655aad0514")
        luck = KeyedLuck(seed, {})
        assert [luck.draw("die", 6) for _ in range(2)] == [4, 2]

    def test_acts_without_draws_change_nothing(self) -> None:
        together = KeyedLuck(b"seed", {})
        numbers = [together.draw("die", 6) for _ in range(50)]
        drawn: dict[str, int] = {}
        for number in numbers:
            act = KeyedLuck(b"seed", drawn)
            act.shuffle("other", 3)
            assert act.draw("die", 6) == number
            drawn = drawn_after(drawn, act.draws)
        assert drawn == {"die": 50, "other": 50}

    def test_every_part_matters(self) -> None:
        seats, listed = self.seats(), self.listed()
        others = [
            list_of("00" * 32, "mia", self.OPTIONS, seats),
            list_of(commitment(SERVER), "coup", self.OPTIONS, seats),
            list_of(commitment(SERVER), "mia", {**self.OPTIONS, "lives": 5}, seats),
            list_of(commitment(SERVER), "mia", self.OPTIONS, seats[::-1]),
            list_of(commitment(SERVER), "mia", self.OPTIONS, seats[:-1]),
            list_of(commitment(SERVER), "mia", self.OPTIONS, [*seats[:-1], Share("Eve")]),
        ]
        assert len({listed, *others}) == 7
        refused = [*seats[:-1], Share("Fay", None, "00" * 32)]
        seeds = [seed_of_list(SERVER.hex(), one, seats) for one in (listed, *others)]
        assert len({*seeds, seed_of_list(SERVER.hex(), listed, refused)}) == 8
        assert code_of(listed, refused) != code_of(listed, seats)

    def test_options_are_written_canonically(self) -> None:
        options = {"b": [True, None, "ü\n\x1f"], "a": {"d": -1, "c": ""}}
        text = '{"a":{"c":"","d":-1},"b":[true,null,"ü\\n\\u001f"]}'
        nobody = [Share("ann")]
        message = b"parlour/2 list\0" + bytes(32) + b"\0\x03mia" + sha256(text.encode()).digest()
        message += bytes(48) + b"\0\x01" + b"\0\x03ann" + bytes(33)
        assert list_of("00" * 32, "mia", options, nobody) == sha256(message).hexdigest()
