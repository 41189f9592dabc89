"""UDP servers with one fault each, for the conformance kit: Parlour's, patched at startup."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable, Sequence
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from games.contract.luck import Luck
from games.mia.rules import play as rules
from games.mia.rules.state import Announce, MiaOptions
from games.udp import allowance, lines, listeners, names, prompts, rest, rounds, table
from games.udp.lines import Answer
from games.udp.listeners import Program
from games.udp.names import Names
from games.udp.prompts import Prompts
from games.udp.table import Table

Patch = pytest.MonkeyPatch
Fault = Callable[[Patch], None]
Send = Callable[[str, Any], None]


def on_the_wire(patch: Patch, change: Callable[[str, Any, Send], None]) -> None:
    """Pass every datagram through `change(line, to, send)`."""
    connect = Table.connection_made

    def made(table: Table, transport: Any) -> None:
        def send(line: str, to: Any) -> None:
            transport.sendto(line.encode(), to)

        def sendto(data: bytes, to: Any) -> None:
            change(data.decode(), to, send)

        connect(table, SimpleNamespace(sendto=sendto, close=transport.close))  # type: ignore[arg-type]

    patch.setattr(Table, "connection_made", made)


def replaced(old: str, new: str) -> Fault:
    """Replace a text in every line."""
    return lambda patch: on_the_wire(patch, lambda line, to, send: send(line.replace(old, new), to))


def dropped(start: str) -> Fault:
    """Drop lines that begin with this."""

    def change(line: str, to: Any, send: Send) -> None:
        if not line.startswith(start):
            send(line, to)

    return lambda patch: on_the_wire(patch, change)


def line_end(patch: Patch) -> None:
    on_the_wire(patch, lambda line, to, send: send(line + "\n", to))


def another_port(patch: Patch) -> None:
    def change(line: str, to: Any, send: Send) -> None:
        if line.startswith("PLAYER ROLLS"):
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
                other.sendto(line.encode(), to)
        else:
            send(line, to)

    on_the_wire(patch, change)


def dice_before_the_first_roll(patch: Patch) -> None:
    def change(line: str, to: Any, send: Send) -> None:
        if line.endswith("SEE_BEFORE_FIRST_ROLL"):
            send("ACTUAL DICE;3,1", to)
        send(line, to)

    on_the_wire(patch, change)


def small_die_first(patch: Patch) -> None:
    def change(line: str, to: Any, send: Send) -> None:
        send(line[:-3] + line[:-4:-1] if line.startswith("ANNOUNCED") else line, to)

    on_the_wire(patch, change)


def mia_punishes_the_announcer(patch: Patch) -> None:
    said = [""]

    def change(line: str, to: Any, send: Send) -> None:
        if line.startswith("ANNOUNCED;"):
            said[0] = line.split(";")[1]
        send(f"PLAYER LOST;{said[0]};MIA" if line.endswith(";MIA") else line, to)

    on_the_wire(patch, change)


def shown_to_all(start: str) -> Fault:
    """Send everybody a message that only one player may receive."""

    def fault(patch: Patch) -> None:
        private = Table._send_to

        def send_to(table: Table, name: str, line: str) -> None:
            (table._tell if line.startswith(start) else partial(private, table, name))(line)

        patch.setattr(Table, "_send_to", send_to)

    return fault


def biased_order(patch: Patch) -> None:
    def half_shuffled(luck: Luck, label: str, size: int) -> tuple[int, ...]:
        places = list(range(size))
        for at in range(size):  # the classic wrong shuffle: swap each place with any other
            other = luck._number(label, size)
            places[at], places[other] = places[other], places[at]
        return tuple(sorted(places[:2])) + tuple(places[2:])

    patch.setattr(Luck, "_permutation", half_shuffled)


def loaded_dice(patch: Patch) -> None:
    number = Luck._number

    def loaded(luck: Luck, label: str, size: int) -> int:
        return max(number(luck, label, size), number(luck, label, size))

    patch.setattr(Luck, "_number", loaded)


def equal_will_do(patch: Patch) -> None:
    patch.setattr(rounds, "MiaOptions", partial(MiaOptions, must_raise=False))


def token_counts_twice(patch: Patch) -> None:
    hear = Table.datagram_received
    rolled: list[str] = []

    def heard(table: Table, data: bytes, addr: Any) -> None:
        command, _, token = data.decode(errors="replace").partition(";")
        if command == "ROLL" and token in rolled:
            table._tell(f"PLAYER ROLLS;{table.names.heard((addr[0], addr[1]))}")
        if command == "ROLL" and token in table.prompts._open:
            rolled.append(token)
        hear(table, data, addr)

    patch.setattr(Table, "datagram_received", heard)


def token_counts_from_anywhere(patch: Patch) -> None:
    def answer(prompts: Prompts, name: str | None, answer: Answer) -> None:
        _, take = prompts._open.get(answer.token, (None, None))
        if take is not None and take(answer):
            prompts.withdraw(answer.token)

    patch.setattr(Prompts, "answer", answer)


def wrong_token_is_punished(patch: Patch) -> None:
    right = Prompts.answer

    def answer(prompts: Prompts, name: str | None, answer: Answer) -> None:
        if answer.token not in prompts._open and len(prompts._open) == 1:
            token, (asked, _) = next(iter(prompts._open.items()))
            answer = Answer(("WRONG",), token) if asked == name else answer
        right(prompts, name, answer)

    patch.setattr(Prompts, "answer", answer)


def only_right_moves_are_heard(patch: Patch) -> None:
    right = Prompts.answer

    def answer(prompts: Prompts, name: str | None, answer: Answer) -> None:
        if answer.fields[0] in ("JOIN", "ROLL", "SEE", "ANNOUNCE"):
            right(prompts, name, answer)

    patch.setattr(Prompts, "answer", answer)


def waits(times: float) -> Fault:
    """Multiply all waits by `times`."""

    def fault(patch: Patch) -> None:
        right = table._answer_time
        patch.setattr(table, "_answer_time", lambda: right() * times)

    return fault


def winners_get_two(patch: Patch) -> None:
    gain = Names.gain

    def twice(names: Names, points: Any) -> None:
        gain(names, [(name, 2 * of) for name, of in points])

    patch.setattr(Names, "gain", twice)


def alone_for_nothing(patch: Patch) -> None:
    gain = Names.gain

    def nothing(names: Names, points: Any) -> None:
        points = list(points)
        gain(names, points if len(points) > 1 else [])

    patch.setattr(Names, "gain", nothing)


def one_is_left_out(patch: Patch) -> None:
    """Leave the first name out of SCORE, which needs no other names with points."""
    score = lines.score
    patch.setattr(
        lines, "score", lambda of: score({name: of[name] for name in sorted(of)[1:] or of})
    )


def number_stays(patch: Patch) -> None:
    starting = lines.round_starting
    patch.setattr(
        lines, "round_starting", lambda d, number, token: starting(d, number // 3 + 1, token)
    )


def reason_given(patch: Patch) -> None:
    patch.setattr(lines, "rejected", lambda dialect, taken: "REJECTED;NAME_ALREADY_TAKEN")


def tells_the_first_only(patch: Patch) -> None:
    audience = Names.audience
    patch.setattr(Names, "audience", lambda names: list(audience(names))[:2])


def answers_junk(patch: Patch) -> None:
    hear = Table.datagram_received

    def heard(table: Table, data: bytes, addr: Any) -> None:
        if lines.read(data) is None:
            table._send((addr[0], addr[1]), "ERROR")
        hear(table, data, addr)

    patch.setattr(Table, "datagram_received", heard)


def commands_in_small_letters(patch: Patch) -> None:
    read = lines.read
    patch.setattr(lines, "read", lambda data, dialect="seed": read(data.upper(), dialect))


def line_ends_stay(patch: Patch) -> None:
    read = lines.read

    def strict(data: bytes, dialect: Any = "seed") -> Any:
        return None if data.endswith(b"\n") else read(data, dialect)

    patch.setattr(lines, "read", strict)


def short_tokens(patch: Patch) -> None:
    fake = SimpleNamespace(token_hex=lambda size: secrets.token_hex(3))
    patch.setattr(prompts, "secrets", fake)


def stays_where_it_was(patch: Patch) -> None:
    enter = Names.enter

    def entered(names: Names, name: str, endpoint: Any) -> Program:
        if name not in names.programs or names.programs[name].endpoint is None:
            enter(names, name, endpoint)
        return names.programs[name]

    patch.setattr(Names, "enter", entered)


def speaks_for_the_first(patch: Patch) -> None:
    enter = Names.enter

    def entered(names: Names, name: str, endpoint: Any) -> Program:
        before = names._speaks.get(endpoint)
        program = enter(names, name, endpoint)
        if before is not None and before != name:
            enter(names, before, endpoint)
        return program

    patch.setattr(Names, "enter", entered)


def everybody_plays(patch: Patch) -> None:
    invite = Table._invite

    async def asked(table: Table, invited: Sequence[Program]) -> list[str]:
        await invite(table, invited)
        return [program.name for program in invited]

    patch.setattr(Table, "_invite", asked)


def any_dice_will_do(patch: Patch) -> None:
    move_of = lines.move_of

    def move(fields: Any, phase: str) -> Any:
        bad = phase == "announce" and fields[0] == "ANNOUNCE" and fields[-1] not in lines.VALUES
        return Announce("6,6") if bad else move_of(fields, phase)

    patch.setattr(lines, "move_of", move)


def silent_for_ever(patch: Patch) -> None:
    heard = Names.heard

    def hear(names: Names, endpoint: Any) -> str | None:
        program = names.programs.get(names._speaks.get(endpoint, ""))
        return heard(names, endpoint) if program is None or program.active else program.name

    patch.setattr(Names, "heard", hear)


def invites_three(patch: Patch) -> None:
    invited = Names.invited
    patch.setattr(Names, "invited", lambda names: invited(names)[:3])


def more_fields_are_no_message(patch: Patch) -> None:
    read = lines.read

    def strict(data: bytes, dialect: Any = "seed") -> Any:
        return (
            None if data.startswith(b"REGISTER") and data.count(b";") > 1 else read(data, dialect)
        )

    patch.setattr(lines, "read", strict)


def names_told_as(change: Callable[[list[str]], list[str]]) -> Fault:
    """Change the names in ROUND STARTED."""

    def fault(patch: Patch) -> None:
        started = lines.round_started
        patch.setattr(
            lines, "round_started", lambda d, number, told: started(d, number, change(list(told)))
        )

    return fault


def setting(module: Any, name: str, value: Any) -> Fault:
    return lambda patch: patch.setattr(module, name, value)


FAULTS: dict[str, tuple[Fault, str]] = {
    "another port": (another_port, "1-port"),
    "a password is no message": (more_fields_are_no_message, "4-fields"),
    "invites three": (invites_three, "8-invited"),
    "everybody plays": (everybody_plays, "10-join"),
    "late joiners play": (waits(5), "11-late"),
    "nobody taken for one": (replaced("no players", "only one player"), "12-nobody"),
    "wrong reason for silence": (replaced("DID_NOT_TAKE_TURN", "DID_NOT_ANNOUNCE"), "25-turn"),
    "wrong reason for saying nothing": (
        replaced("DID_NOT_ANNOUNCE", "DID_NOT_TAKE_TURN"),
        "25-announce",
    ),
    "any dice will do": (any_dice_will_do, "29-bad"),
    "silent for ever": (silent_for_ever, "33-again"),
    "a line end": (line_end, "2-lines"),
    "line ends not accepted": (line_ends_stay, "2-line-end"),
    "an error for junk": (answers_junk, "3-junk"),
    "small letters will do": (commands_in_small_letters, "4-case"),
    "a reason for REJECTED": (reason_given, "5-rejected"),
    "stays with the old endpoint": (stays_where_it_was, "6-moved"),
    "a comma in a name": (setting(lines, "FORBIDDEN", ";:"), "7-names"),
    "speaks for the first name": (speaks_for_the_first, "9-last-name"),
    "a number again": (number_stays, "10-number"),
    "a short window": (waits(0.3), "11-window"),
    "biased order": (biased_order, "13-fair"),
    "alone for nothing": (alone_for_nothing, "14-alone"),
    "some are told nothing": (tells_the_first_only, "15-all"),
    "ROLLED to all": (shown_to_all("ROLLED"), "15-private"),
    "no ANNOUNCED": (dropped("ANNOUNCED"), "17-roll"),
    "one twice": (names_told_as(lambda told: told + told[:1]), "13-order"),
    "told in another order": (names_told_as(lambda told: told[::-1]), "16-turns"),
    "lower will do": (setting(rules, "loses_at_once", lambda state, dice: False), "19-lower"),
    "loaded dice": (loaded_dice, "17-fair"),
    "dice as announced": (small_die_first, "18-dice"),
    "equal will do": (equal_will_do, "19-equal"),
    "true Mia punishes the announcer": (mia_punishes_the_announcer, "20-mia"),
    "no ACTUAL DICE": (dropped("ACTUAL DICE"), "21-see"),
    "Mia unseen": (dropped("ACTUAL DICE"), "20-lie"),
    "dice before the first roll": (dice_before_the_first_roll, "22-first"),
    "too patient": (waits(5), "24-time"),
    "late answers count": (waits(5), "24-late"),
    "short tokens": (short_tokens, "26-token"),
    "tokens from anywhere": (token_counts_from_anywhere, "26-owner"),
    "a token twice": (token_counts_twice, "26-once"),
    "a wrong token is punished": (wrong_token_is_punished, "27-ignored"),
    "wrong moves are not heard": (only_right_moves_are_heard, "28-invalid"),
    "SCORE without everybody": (one_is_left_out, "30-score"),
    "points for two": (winners_get_two, "31-points"),
    "silent ones still told": (setting(listeners, "SILENT_ROUNDS", 99), "33-silent"),
    "silent ones still invited": (setting(listeners, "UNANSWERED_ROUNDS", 99), "34a-silent"),
    "no pause after one alone": (setting(rest, "SHORTEST", 0.0), "14-pause"),
    "a megaphone": (setting(allowance, "MOST_BYTES", 10**6), "34a-megaphone"),
    "long scores for all": (setting(table, "LARGE", 10**6), "34a-long"),
    "seventeen names": (setting(names, "PER_ADDRESS", 17), "34-sixteen"),
}
"""The faults: (patch, the check that must find it)."""
