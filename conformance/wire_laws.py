"""Laws that every match must obey.

Each law reads what all players received, and yields differences.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from conformance.wire_luck import disagreements
from conformance.wire_play import Played, nonce_of
from conformance.wire_program import Program, brief
from conformance.wire_words import (
    AFTER,
    EVENTS,
    FACTS,
    MIXED,
    OWN,
    TO_EACH,
    TO_ONE,
    Json,
    differences,
)

Law = Callable[[Played], Iterator[str]]
LAWS: dict[str, tuple[str, Law]] = {}


def law(sentence: str) -> Callable[[Law], Law]:
    """Register a function in `LAWS` under its name, together with the requirement that it
    checks.
    """

    def register(function: Law) -> Law:
        LAWS[function.__name__.replace("_", "-")] = (sentence, function)
        return function

    return register


@law("every id is answered exactly once, and nobody gets an answer without a request")
def answers(played: Played) -> Iterator[str]:
    for program in played.everybody:
        had = Counter(p["id"] for p in program.frames if "id" in p)
        for id_, packet in program.said.items():
            if had[id_] != 1:
                yield f"{program.name} got {had[id_]} answers to {packet['type']} {id_}"
        for id_ in had.keys() - program.said.keys():
            yield f"{program.name} got an answer to {id_!r}, an id it never sent"


@law("all receive the same public events, each exactly once and in the same order")
def once(played: Played) -> Iterator[str]:
    told = {p.name: [_plain(e) for e in _public(played, p)] for p in played.everybody}
    common = Counter(tuple(events) for events in told.values()).most_common(1)[0][0]
    for name, events in told.items():
        if tuple(events) == common:
            continue
        missed, more = Counter(common) - Counter(events), Counter(events) - Counter(common)
        for event in missed:
            yield f"{name} did not receive {event}"
        for event in more:
            yield f"{name} received a duplicate or different event: {event}"
        if not missed and not more:
            yield f"{name} received the events in a different order"


@law("versions rise from act to act, and the events of an act come before its sync")
def versions(played: Played) -> Iterator[str]:
    for program in played.everybody:
        last, synced = 0, 0
        for packet in _of_match(program):
            version = _version(packet)
            if version is None:
                continue
            if version < last:
                yield f"{program.name} received {packet['type']} of {version} after {last}"
            last = max(last, version)
            if packet["type"] in EVENTS[played.game]:
                if version <= synced:
                    yield f"{program.name} received {packet['type']} after the sync of {version}"
            elif packet["type"] == "GameDataSync":
                synced = version


@law("events are followed by a sync of the newest act")
def syncs(played: Played) -> Iterator[str]:
    for program in played.everybody:
        waiting: Json | None = None
        for packet in _of_match(program):
            if packet["type"] in EVENTS[played.game]:
                waiting = packet
            elif packet["type"] == "GameDataSync":
                version = packet["data"]["version"]
                if waiting is not None and version < waiting["version"]:
                    yield f"{program.name} got a sync of {version} after {brief(waiting)}"
                waiting = None
            elif packet["type"] in ("TurnEnd", "TurnStart", "GameEnd") and waiting is not None:
                yield f"{program.name} got {packet['type']} before the sync of {brief(waiting)}"
                waiting = None
        if waiting is not None:
            yield f"{program.name} got no sync after {brief(waiting)}"


@law("changes applied to the previous sync give the full sync that others receive")
def changes(played: Played) -> Iterator[str]:
    told = _seen_by_all(played.seats[0])
    versions = {data["version"] for data in told}
    for program in played.by_changes:
        if not program.merged:
            yield f"{program.name} asked for changes but got full syncs only"
        for data in _seen_by_all(program):
            if data["version"] in versions and data not in told:
                yield f"{program.name} merged a different sync of {data['version']}"
                break


@law("TurnEnd and TurnStart directly follow the sync in which the turn changed")
def turns(played: Played) -> Iterator[str]:
    for program in played.everybody:
        before: tuple[Any, int] = (None, 0)
        due: list[tuple[str, str, int]] = []
        for packet in _of_match(program):
            type_ = packet["type"]
            if type_ in ("TurnEnd", "TurnStart"):
                told = (type_, packet["username"], packet["version"])
                if not due or due.pop(0) != told:
                    yield f"{program.name} received {brief(packet)}, which was not due"
                continue
            if due and type_ in ("GameDataSync", "GameEnd", *EVENTS[played.game]):
                yield f"{program.name} did not receive {due[0]} before {type_}"
                due = []
            if type_ == "GameDataSync" and packet["data"]["matchId"] is not None:
                data = packet["data"]
                now = (data["turn"], data["turnCount"] if data["status"] == "playing" else 0)
                due = _due(before, now, data["version"])
                before = now
        if due:
            yield f"{program.name} did not receive {due[0]}"


@law("GameEnd comes once and last, and agrees with the finished sync")
def ending(played: Played) -> Iterator[str]:
    names = sorted(p.name for p in played.seats)
    for program in played.everybody:
        ends = program.heard("GameEnd")
        if len(ends) != 1:
            yield f"{program.name} received GameEnd {len(ends)} times"
            continue
        after = program.frames[program.frames.index(ends[0]) + 1 :]
        late = [p["type"] for p in after if p["type"] in {*EVENTS[played.game], "TurnEnd"}]
        if late:
            yield f"{program.name} received {late} after GameEnd"
        placed = sorted(name for group in ends[0]["places"] for name in group)
        if placed != names:
            yield f"the places in GameEnd are {placed}"
        over = [d for d in program.syncs if d["status"] == "finished"]
        before = program.frames[: program.frames.index(ends[0])]
        if not any(p["type"] == "GameDataSync" and p["data"] in over for p in before):
            yield f"{program.name} got no finished sync before GameEnd"
        for data in over:
            told = {key: data["outcome"][key] for key in ("winners", "places", "reason")}
            if told != {key: ends[0][key] for key in told}:
                yield f"{program.name}: GameEnd and outcome differ"
            if data["turn"] or data["awaited"] or data["offers"] or data["prompt"] is not None:
                yield f"{program.name} still has a question after the end"


@law("the luck follows from the commitment, and is revealed only at the end")
def fairness(played: Played) -> Iterator[str]:
    for program in played.everybody:
        end = next(iter(program.heard("GameEnd")), None)
        if end is None:
            yield f"{program.name} cannot verify the luck: it got no GameEnd"
            continue
        yield from (f"{program.name}: {odd}" for odd in _luck(end["fairness"], played))
        began = program.heard("GameStarted")
        shown = [packet["fairness"]["commitment"] for packet in began]
        shown += [d["fairness"]["commitment"] for d in program.syncs if d["status"] == "playing"]
        if set(shown) != {played.committed}:
            yield f"{program.name} saw different commitments before and during the match"
        at = program.frames.index(end)
        for packet in program.frames[:at]:
            if packet.get("data", {}).get("status") == "finished":
                break
            if end["fairness"]["serverSeed"] in str(packet):
                yield f"{program.name} received the server's seed before the end"


@law("secrets of a seat reach nobody else")
def secrets(played: Played) -> Iterator[str]:
    one, each = TO_ONE[played.game], TO_EACH.get(played.game, set())
    owners: dict[tuple[str, int], list[str]] = {}
    for program in played.everybody:
        for event in _events(played, program):
            if event["type"] not in one | each:
                continue
            if program is played.gallery:
                yield f"the gallery received {brief(event)}"
            owners.setdefault((event["type"], event["version"]), []).append(program.name)
    for (type_, version), names in owners.items():
        if len(set(names)) > 1 and type_ in one:
            yield f"{type_} of {version} was sent to {' and '.join(sorted(set(names)))}"
    for data in played.gallery.syncs:
        for key in OWN[played.game].split():
            if data["view"] is not None and data["view"].get(key):
                yield f"the gallery sees {key}: {data['view'][key]}"
        if data["offers"] or data["prompt"] is not None:
            yield "the gallery has a question"
    for program in played.everybody:
        for data in program.syncs:
            for key in AFTER.get(played.game, "").split():
                if data["status"] == "playing" and data["view"].get(key) is not None:
                    yield f"{program.name} sees {key} before the end"


@law("all see the same players, turn, awaited and public view of a version")
def views(played: Played) -> Iterator[str]:
    seen: dict[int, dict[str, Json]] = {}
    for program in played.everybody:
        for data in program.syncs:
            if data["status"] == "playing":
                seen.setdefault(data["version"], {})[program.name] = data
    fields = ("turn", "next", "turnCount", "turnOrder", "awaited", "options", "gameHost")
    for version, by in seen.items():
        first_name, first = next(iter(by.items()))
        for name, data in by.items():
            odd = [key for key in fields if data[key] != first[key]]
            public = (data["view"].keys() | first["view"].keys()) - _own(played.game)
            odd += [key for key in public if data["view"].get(key) != first["view"].get(key)]
            odd += [] if _facts(played, data) == _facts(played, first) else ["players"]
            for key in odd:
                yield f"at {version}, {name} and {first_name} see a different {key}"


@law("all awaited seats have offers, and every offered value is accepted")
def offers(played: Played) -> Iterator[str]:
    for program in played.seats:
        for data in program.syncs:
            if data["status"] == "playing":
                yield from (f"{program.name}: {odd}" for odd in _asked(data))
        for made in played.moves.get(program.name, []):
            code = made.answer.get("code")
            if made.answer["type"] != "Done" and code not in ("stale", "ignored"):
                yield f"{made.move} {made.args} was offered to {program.name}, but refused: {code}"
            if code in ("stale", "ignored") and made.data["version"] == _then(program, made.data):
                yield f"{made.move} of {program.name} was answered {code}, but nobody was faster"


@law("a prompt changes with every accepted move of its seat")
def prompt_numbers(played: Played) -> Iterator[str]:
    for program in played.seats:
        for made in played.moves.get(program.name, []):
            if made.answer["type"] != "Done":
                continue
            after = (d for d in program.syncs if (d["version"] or 0) >= made.answer["version"])
            new = next(after, None)
            if new is not None and new["prompt"] == made.data["prompt"]:
                yield f"{program.name} got prompt {new['prompt']} again after answering it"
            if made.answer["version"] <= made.data["version"]:
                yield f"Done of {made.move} has an earlier version: {made.answer['version']}"


@law("the log repeats the events that each program received")
def logs(played: Played) -> Iterator[str]:
    for program in played.everybody:
        log = played.logs.get(program.name, {"acts": []})
        kept = [_plain(event) for act in log["acts"] for event in act["events"]]
        heard = [_plain(event) for event in _events(played, program)]
        if kept != heard:
            odd = (Counter(kept) - Counter(heard)) or (Counter(heard) - Counter(kept))
            yield f"the log of {program.name} differs from its events: {next(iter(odd), '')}"
        numbers = [act["version"] for act in log["acts"]]
        if numbers != list(range(1, len(numbers) + 1)):
            yield f"the log of {program.name} skips acts"


@law("every packet has exactly the fields of the contract")
def shapes(played: Played) -> Iterator[str]:
    for program in played.everybody:
        yield from (f"{program.name}: {odd}" for odd in dict.fromkeys(program.wrong))


def _of_match(program: Program) -> Iterator[Json]:
    """Return the packets pushed since GameStarted."""
    began = next((at for at, p in enumerate(program.frames) if p["type"] == "GameStarted"), 0)
    return (p for p in program.frames[began:] if "id" not in p)


def _events(played: Played, program: Program) -> list[Json]:
    return [p for p in program.frames if p["type"] in EVENTS[played.game]]


def _public(played: Played, program: Program) -> list[Json]:
    private = TO_ONE[played.game] | TO_EACH.get(played.game, set())
    return [event for event in _events(played, program) if event["type"] not in private]


def _plain(event: Json) -> str:
    return json.dumps(event, sort_keys=True, ensure_ascii=False)


def _version(packet: Json) -> int | None:
    found = packet["data"]["version"] if packet["type"] == "GameDataSync" else packet.get("version")
    return found if isinstance(found, int) else None


def _due(before: tuple[Any, int], now: tuple[Any, int], version: int) -> list[tuple[str, str, int]]:
    """Return the packets that are due after the turn has passed to another player."""
    if before == now:
        return []
    both = (("TurnEnd", before[0], version), ("TurnStart", now[0], version))
    return [told for told in both if told[1] is not None]


def _luck(fair: Json, played: Played) -> Iterator[str]:
    """Yield a sentence for each value that does not follow from what was revealed."""
    if any(differences(fair["serverSeed"], str)) or len(fair["serverSeed"]) != 64:
        yield "the server's seed is not 32 bytes in hex"
        return
    secret = bytes.fromhex(fair["serverSeed"])
    if not hashlib.sha256(secret).hexdigest() == fair["commitment"] == played.committed:
        yield "the server's seed does not match the commitment"
    if "luck" in fair:
        names = [program.name for program in played.seats]
        options = played.seats[0].syncs[-1]["options"]
        yield from disagreements(fair, played.game, options, names, names[:-1])
        return
    message = b""
    for entry in fair["nonces"]:
        nonce = entry["nonce"].encode()
        message += len(nonce).to_bytes(2, "big") + nonce
    if hmac.new(secret, message, "sha256").hexdigest() != fair["seed"]:
        yield "the seed does not follow from the server's seed and the nonces"
    given = {program.name: nonce_of(program) for program in played.seats}
    silent = len(played.seats) - 1
    derived = hmac.new(secret, b"nonce" + bytes([silent]), "sha256").hexdigest()
    given[played.seats[silent].name] = derived
    if [(e["username"], e["nonce"]) for e in fair["nonces"]] != list(given.items()):
        yield "the nonces are not the given or derived ones, in the order of the seats"


def _own(game: str) -> set[str]:
    """Return the fields of a view that may differ between viewers."""
    return {*OWN[game].split(), *MIXED.get(game, "").split()}


def _facts(played: Played, data: Json) -> list[Json]:
    keys = ("username", "seat", "inGame", "isSpectator", "isBot", *FACTS[played.game].split())
    return [{key: entry.get(key) for key in keys} for entry in data["players"]]


def _asked(data: Json) -> Iterator[str]:
    if data["you"] in data["awaited"] and not data["offers"]:
        yield f"awaited at {data['version']} without an offer"
    if data["offers"] and data["prompt"] is None:
        yield f"offers at {data['version']} without a prompt"
    for offer in data["offers"]:
        for name, choices in offer["args"].items():
            if set(choices) == {"oneOf"} and choices["oneOf"]:
                continue
            some = {"some", "least", "most", "ordered"}
            is_full = set(choices) == some and len(choices["some"]) >= choices["most"]
            if not is_full or not 0 <= choices["least"] <= choices["most"]:
                yield f"{offer['move']}.{name} offers {brief(choices)}"


def _then(program: Program, data: Json) -> int | None:
    """Return the version of the sync after this one, or None if there is none."""
    at = next(at for at, d in enumerate(program.syncs) if d is data)
    after = program.syncs[at + 1 : at + 2]
    return after[0]["version"] if after else None


def _seen_by_all(program: Program) -> list[Json]:
    """Return those fields of syncs that are equal for everybody and that acts may change."""
    names = ("version", "awaited", "turn", "next", "turnCount", "turnOrder", "players")
    syncs = (data for data in program.syncs if data["status"] == "playing")
    return [{name: data[name] for name in names} for data in syncs]
