"""Luck of version 2, recomputed from what a server has revealed (docs/fairness.md)."""

from __future__ import annotations

import hmac
import json
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from conformance.wire_program import Program

Json = dict[str, Any]
LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"


def secret_of(name: str) -> str:
    """Return the secret with which a program adds to the luck."""
    return sha256(name.encode()).hexdigest()


def share_of(commitment: str, name: str) -> str:
    """Return the share with which a program commits to its secret."""
    parts = bytes.fromhex(commitment), _text(name), bytes.fromhex(secret_of(name))
    return sha256(_tagged("share", *parts)).hexdigest()


async def commit(programs: Sequence[Program]) -> list[Program]:
    """Send the shares of these programs. Return none of them if the server knows no shares."""
    for program in programs:
        commitment = program.data["fairness"]["commitment"]
        share = share_of(commitment, program.name)
        answer = await program.ask("CommitLuck", commitment=commitment, share=share)
        if answer["type"] != "Done":
            return []
    return list(programs)


async def reveal(programs: Sequence[Program]) -> None:
    """Open the shares of these programs as soon as they are listed."""
    for program in programs:
        data = await program.synced(
            lambda d: d.get("mixing", {}).get("list") or d["status"] != "open", "a list of shares"
        )
        if "mixing" in data:
            listed = data["mixing"]["list"]
            await program.done("RevealLuck", list=listed, secret=secret_of(program.name))


def disagreements(
    fair: Json, game: str, options: Mapping[str, Any], names: Sequence[str], added: Sequence[str]
) -> Iterator[str]:
    """Yield a sentence for each value that does not follow from what was agreed.

    `names` are those of all seats in order, and `added` those that have opened a share.
    """
    seats, secret = fair["seats"], bytes.fromhex(fair["serverSeed"])
    if [one["username"] for one in seats] != list(names):
        yield "the seats on the list are not the players in the order of their seats"
    for one in seats:
        name = one["username"]
        known = (share_of(fair["commitment"], name), secret_of(name)) if name in added else None
        if (one["share"], one["secret"]) != (known or (None, None)):
            yield f"the list does not have the share and the secret of {name}"
    text = json.dumps(options, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    head = bytes.fromhex(fair["commitment"]), _text(game), sha256(text.encode()).digest(), bytes(48)
    shares = b"".join(_text(one["username"]) + _given(one["share"]) for one in seats)
    listed = _tagged("list", *head, len(seats).to_bytes(2, "big"), shares)
    if sha256(listed).hexdigest() != fair["list"]:
        yield "the list is not that of the shares"
    answers = bytes.fromhex(fair["list"]), *(_given(one["secret"]) for one in seats), bytes(32)
    if hmac.digest(secret, _tagged("seed", *answers), "sha256").hex() != fair["seed"]:
        yield "the seed does not follow from the server's seed, the list and the secrets"
    number = int.from_bytes(sha256(_tagged("code", *answers)).digest(), "big")
    code = "".join(LETTERS[number // 31**at % 31] for at in range(7))
    if fair["code"] != f"{code[:3]}-{code[3:]}":
        yield "the code is not that of the list and the secrets"


def _given(value: str | None) -> bytes:
    return bytes(33) if value is None else b"\1" + bytes.fromhex(value)


def _tagged(tag: str, *parts: bytes) -> bytes:
    return b"".join((b"parlour/2 ", tag.encode(), b"\0", *parts))


def _text(text: str) -> bytes:
    data = text.encode()
    return len(data).to_bytes(2, "big") + data
