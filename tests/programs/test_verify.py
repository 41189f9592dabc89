"""Both verifiers find what is wrong with a record, and refuse what is none: in Python and in JS."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.contract.luck import KeyedLuck, Luck, mix
from games.contract.mixing import Share, code_of, list_of, seed_of_list, share_of
from parlour_client import verify
from tests.kit.garbled import ANY_SPEED, garbled

Json = dict[str, Any]
SCRIPT = Path(__file__).parents[2] / "static" / "verify.js"
SERVER = bytes(range(32))
NONCES = ["ann", "Bär", "🎲", "x" * 64]
ESCAPE = chr(27)
ASK = """
const lines = (await import("node:fs")).readFileSync(0, "utf8").trim().split("\\n");
for (const text of lines.map(JSON.parse)) {
  const record = read(text);
  console.log(JSON.stringify(record && check(record)));
}
"""


@pytest.fixture(scope="module")
def right() -> Json:
    """A record of 520 draws in 40 acts, made by the server's own code."""
    seed = mix(SERVER, NONCES)
    draws: list[Any] = []
    for act in range(1, 41):
        luck = Luck(seed, act)
        luck.shuffle("order", act)
        for _ in range(11):
            luck.draw("die", 6)
        luck.draw("large", 2**32)
        draws += [[act, one.label, one.size, one.value] for one in luck.draws]
    return {
        "version": 1,
        "match": 7,
        "game": "mia",
        "options": {"lives": 6},
        "commitment": sha256(SERVER).hexdigest(),
        "serverSeed": SERVER.hex(),
        "nonces": NONCES,
        "seed": seed.hex(),
        "draws": json.loads(json.dumps(draws)),
    }


SECRETS = {"ann": "a1" * 32, "Bär": "b2" * 32, "Fay": None}


@pytest.fixture(scope="module")
def agreed() -> Json:
    """A record of version 2, made by the server's own code."""
    commitment, options = sha256(SERVER).hexdigest(), {"packs": ["own"], "lives": 6, "loot": True}
    seats = [
        Share(name, share_of(commitment, name, secret), secret) if secret else Share(name)
        for name, secret in SECRETS.items()
    ]
    listed = list_of(commitment, "mia", options, seats)
    seed = seed_of_list(SERVER.hex(), listed, seats)
    luck = KeyedLuck(seed, {})
    draws: list[Any] = []
    for act in range(1, 41):
        luck.draws = []
        luck.shuffle("order", act)
        for _ in range(11):
            luck.draw("die", 6)
        luck.draw("große Zahl", 2**32)
        draws += [[act, one.label, one.size, one.value] for one in luck.draws]
    return {
        "version": 2,
        "match": 7,
        "game": "mia",
        "options": options,
        "commitment": commitment,
        "serverSeed": SERVER.hex(),
        "list": listed,
        "code": code_of(listed, seats),
        "seats": [one._asdict() for one in seats],
        "seed": seed.hex(),
        "draws": json.loads(json.dumps(draws)),
    }


def in_javascript(texts: list[str], *more: str) -> list[Any]:
    """Return what the page's verifier says about these records."""
    program = "\n".join((SCRIPT.read_text(encoding="utf-8"), *more, ASK))
    lines = "\n".join(json.dumps(text) for text in texts)
    ran = subprocess.run(
        ["node", "--input-type=module", "-e", program],
        input=lines,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == 0, ran.stderr
    return [json.loads(line) for line in ran.stdout.splitlines()]


def in_python(text: str) -> list[str]:
    return list(verify.differences(verify.read(text)))


def test_right_record_is_confirmed(right: Json, agreed: Json) -> None:
    texts = [json.dumps(right), json.dumps(agreed)]
    assert [in_python(text) for text in texts] == [[], []]
    assert in_javascript(texts) == [{"isCommitted": True, "wrong": 0}] * 2


def of_draw(at: int, index: int, value: Any) -> Callable[[Json], None]:
    def tamper(record: Json) -> None:
        record["draws"][at][index] = value

    return tamper


def of_field(name: str, value: Any) -> Callable[[Json], None]:
    return lambda record: record.update({name: value})


TAMPERED: dict[str, Callable[[Json], None]] = {
    "number": lambda record: of_draw(1, 3, (record["draws"][1][3] + 1) % 6)(record),
    "shuffle": lambda record: record["draws"][-13][3].reverse(),
    "size": of_draw(1, 2, 2**31),
    "act": of_draw(-1, 0, 41),
    "order": lambda record: record["draws"].insert(1, record["draws"].pop(12)),
    "removed": lambda record: record["draws"].pop(1),
    "added": lambda record: record["draws"].insert(1, [1, "large", 2**32, 3]),
    "nonce": of_field("nonces", ["Ann", *NONCES[1:]]),
    "fewer nonces": of_field("nonces", NONCES[:3]),
    "server seed": of_field("serverSeed", "ff" * 32),
    "commitment": of_field("commitment", "0" * 64),
    "seed": of_field("seed", "0" * 64),
}


def of_seat(at: int, **fields: Any) -> Callable[[Json], None]:
    return lambda record: record["seats"][at].update(fields)


ELSEWHERE = share_of("00" * 32, "ann", "a1" * 32)
AGREEMENTS: dict[str, Callable[[Json], None]] = {
    "number": TAMPERED["number"],
    "shuffle": TAMPERED["shuffle"],
    "label": of_draw(1, 1, "order"),
    "removed": TAMPERED["removed"],
    "order": lambda record: record["draws"].insert(1, record["draws"].pop(11)),
    "secret": of_seat(0, secret="a2" * 32),
    "share": of_seat(1, share="b2" * 32),
    "share and secret": of_seat(0, secret="a2" * 32, share="a2" * 32),
    "share for another commitment": of_seat(0, share=ELSEWHERE),
    "username": of_seat(0, username="Ann"),
    "username of a silent seat": of_seat(2, username="Eve"),
    "left out": of_seat(0, share=None, secret=None),
    "seats in another order": lambda record: record["seats"].reverse(),
    "fewer seats": lambda record: record["seats"].pop(),
    "option": lambda record: record["options"].update(lives=5),
    "game": of_field("game", "coup"),
    "list": of_field("list", "0" * 64),
    "code": of_field("code", "222-2222"),
    "code in small letters": lambda record: record.update(code=record["code"].lower()),
    "server seed": TAMPERED["server seed"],
    "commitment": TAMPERED["commitment"],
    "seed": TAMPERED["seed"],
}


def test_changed_names_hide_only_the_list(agreed: Json) -> None:
    renamed = deepcopy(agreed)
    for at in (0, 2):
        renamed["seats"][at]["username"] = None
    other = deepcopy(renamed)
    other["code"] = "222-2222"
    texts = [json.dumps(renamed), json.dumps(other)]
    said = in_javascript(texts)
    assert [one["isCommitted"] for one in said] == [True, False]
    assert in_python(texts[0]) == []
    assert len(in_python(texts[1])) == 1


@pytest.mark.parametrize("version", [1, 2])
def test_tampered_record_is_found_out(version: int, right: Json, agreed: Json) -> None:
    tampered = TAMPERED if version == 1 else AGREEMENTS
    records = [deepcopy(right if version == 1 else agreed) for _ in tampered]
    for record, tamper in zip(records, tampered.values(), strict=True):
        tamper(record)
    texts = [json.dumps(record) for record in records]
    for which, text, said in zip(tampered, texts, in_javascript(texts), strict=True):
        assert in_python(text), which
        assert said is not None, which
        assert said["wrong"] or not said["isCommitted"], which
        wrong = [one for one in in_python(text) if one.startswith("Draw ")]
        assert len(wrong) == said["wrong"], which


HOSTILE: dict[str, Any] = {
    "empty": "",
    "no JSON": "{",
    "list": "[]",
    "nothing": "null",
    "deep": "[" * 100_000,
    "long number": '{"version": ' + "9" * 10_000 + "}",
    "version": of_field("version", 3),
    "version as text": of_field("version", "1"),
    "no nonces": of_field("nonces", []),
    "many nonces": of_field("nonces", ["x"] * 51),
    "long nonce": of_field("nonces", ["x" * 1001]),
    "half a character": of_field("nonces", [chr(0xD83C)]),
    "nonce that is no text": of_field("nonces", [1]),
    "short hash": of_field("serverSeed", "00"),
    "hash that is no text": of_field("commitment", None),
    "capital letters": of_field("seed", "A" * 64),
    "no draws": of_field("draws", None),
    "many draws": of_field("draws", [[1, "die", 6, 1]] * 20_001),
    "long in sum": of_field("draws", [[1, "deck", 10_000, list(range(10_000))]] * 21),
    "long shuffle": of_field("draws", [[1, "deck", 10_001, list(range(10_001))]]),
    "shuffle of another size": of_field("draws", [[1, "deck", 3, [0, 1]]]),
    "acts in no order": of_field("draws", [[2, "die", 6, 1], [1, "die", 6, 1]]),
    "draw that is none": of_field("draws", [None]),
    "short draw": of_field("draws", [[1, "die", 6]]),
    "act 0": of_draw(0, 0, 0),
    "act of 33 bits": of_draw(-1, 0, 2**32),
    "size 0": of_draw(1, 2, 0),
    "size of 33 bits": of_draw(1, 2, 2**32 + 1),
    "size as text": of_draw(1, 2, "6"),
    "half a size": of_draw(1, 2, 6.5),
    "value as text": of_draw(1, 3, "1"),
    "value in a shuffle as text": of_draw(0, 3, ["0"]),
    "long label": of_draw(1, 1, "x" * 1001),
}


def deep(levels: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(levels):
        found = [found]
    return found


DISAGREEABLE: dict[str, Any] = {
    "no game": of_field("game", None),
    "no options": of_field("options", None),
    "options that are a list": of_field("options", []),
    "half a number": of_field("options", {"lives": 6.5}),
    "number of 54 bits": of_field("options", {"lives": 2**53}),
    "key in other letters": of_field("options", {"große": 1}),
    "deep options": of_field("options", {"packs": deep(900)}),
    "half a character in the options": of_field("options", {"packs": [chr(0xD83C)]}),
    "no seats": of_field("seats", []),
    "seats that are none": of_field("seats", [None]),
    "many seats": of_field("seats", [{"username": "ann"}] * 51),
    "seat without a name": lambda record: record["seats"][0].pop("username"),
    "name that is no text": of_seat(0, username=1),
    "long name": of_seat(0, username="x" * 1001),
    "share without a secret": of_seat(0, secret=None),
    "secret without a share": of_seat(0, share=None),
    "short secret": of_seat(0, secret="00"),
    "no list": of_field("list", None),
    "no code": of_field("code", None),
    "half a character in a label": of_draw(1, 1, chr(0xD83C)),
    "missing version": of_field("version", None),
}


@pytest.mark.parametrize("version", [1, 2])
def test_hostile_data_is_refused_in_a_sentence(version: int, right: Json, agreed: Json) -> None:
    texts, hostile = [], HOSTILE if version == 1 else DISAGREEABLE
    for told in hostile.values():
        if isinstance(told, str):
            texts.append(told)
        else:
            record = deepcopy(right if version == 1 else agreed)
            told(record)
            texts.append(json.dumps(record))
    for which, text, said in zip(hostile, texts, in_javascript(texts), strict=True):
        assert said is None, which
        with pytest.raises(verify.NoRecordError, match=r"^This is no record of a match: .*\.$"):
            verify.read(text)


ODD = json.loads((Path(__file__).parent / "odd_records.json").read_text(encoding="utf-8"))


def of_javascript(said: Json | None) -> str:
    """Return the verdict of the page."""
    if said is None:
        return "none"
    return "right" if said["isCommitted"] and not said["wrong"] else "wrong"


def of_python(text: str) -> str:
    """Return the verdict of the program."""
    try:
        return "wrong" if in_python(text) else "right"
    except verify.NoRecordError:
        return "none"


@pytest.mark.parametrize("version", [1, 2])
def test_both_verifiers_say_the_same_of_odd_records(
    version: int, right: Json, agreed: Json
) -> None:
    record = right if version == 1 else agreed
    value = str(record["draws"][1][3])
    whole, texts, verdicts = json.dumps(record), [], []
    for before, after, verdict in ODD["of any version"] + ODD[f"of version {version}"]:
        old, new = (one.replace("VALUE", value) for one in (before, after))
        assert old in whole, before
        texts.append(whole.replace(old, new, 1))
        verdicts.append(verdict)
    for text, verdict, said in zip(texts, verdicts, in_javascript(texts), strict=True):
        found = of_python(text)
        assert of_javascript(said) == found, text[:400]
        assert verdict in (found, "any"), text[:400]


def test_both_verifiers_write_options_as_the_server_does() -> None:
    seats, commitment = [Share("ann")], "c1" * 32
    options = ODD["options written as RFC 8785 asks"]
    told = f"""
        const seats = [{{ username: "ann" }}];
        for (const options of JSON.parse({json.dumps(json.dumps(options))}))
          console.log(JSON.stringify(listOf("{commitment}", "mia", options, seats)));
    """
    found = in_javascript(["{}"], told)[: len(options)]
    assert found == [list_of(commitment, "mia", one, seats) for one in options]
    given = [verify.Share("ann")]
    assert found == [verify.list_of(commitment, "mia", one, given) for one in options]


@ANY_SPEED
@given(st.data())
def test_garbled_record_is_read_or_refused(right: Json, agreed: Json, data: st.DataObject) -> None:
    short = {**data.draw(st.sampled_from([right, agreed]))}
    short["draws"] = short["draws"][:3]
    text = json.dumps(data.draw(garbled(short)))
    with suppress(verify.NoRecordError):
        list(verify.differences(verify.read(text)))


class TestCommand:
    """`python -m parlour_client.verify`."""

    @pytest.fixture
    def file(self, right: Json, tmp_path: Path) -> Path:
        path = tmp_path / "luck.json"
        path.write_text(json.dumps(right), encoding="utf-8")
        return path

    def test_right_record(self, file: Path, capsys: Any) -> None:
        assert verify.main([str(file), "--commitment", sha256(SERVER).hexdigest().upper()]) == 0
        out = capsys.readouterr().out
        assert "All 520 draws follow from the server seed and the nonces." in out
        assert "Nonces added by players: 4 of 4." in out

    def test_other_commitment(self, file: Path, capsys: Any) -> None:
        assert verify.main([str(file), "--commitment", "00"]) == 1
        assert "The noted commitment is not that of the server seed" in capsys.readouterr().out

    def test_many_differences_are_counted(self, file: Path, right: Json, capsys: Any) -> None:
        file.write_text(json.dumps({**right, "nonces": ["eve"]}), encoding="utf-8")
        assert verify.main([str(file)]) == 1
        said = capsys.readouterr().out.splitlines()
        assert len(said) == verify.SHOWN + 2
        assert said[-1] == "This record is wrong. Save it and show it to the others."

    def test_agreed_record(self, file: Path, agreed: Json, capsys: Any) -> None:
        file.write_text(json.dumps(agreed), encoding="utf-8")
        share = agreed["seats"][1]["share"]
        assert verify.main([str(file), "--share", share, "--code", agreed["code"].lower()]) == 0
        out = capsys.readouterr().out
        assert "All 520 draws follow from what was agreed before the start." in out
        assert "Seats that added to the luck: 2 of 3." in out
        assert f"Code: {agreed['code']}" in out

    def test_other_share_or_code(self, file: Path, agreed: Json, capsys: Any) -> None:
        assert verify.main([str(file), "--code", "222-2222"]) == 1
        assert "has no shares and no code" in capsys.readouterr().out
        file.write_text(json.dumps(agreed), encoding="utf-8")
        assert verify.main([str(file), "--share", "00" * 32, "--code", "222-2222"]) == 1
        out = capsys.readouterr().out
        assert "The noted share is not on the list." in out
        assert f"The noted code should be {agreed['code']}." in out

    def test_label_cannot_control_the_terminal(self, file: Path, right: Json, capsys: Any) -> None:
        record = deepcopy(right)
        record["draws"][1] = [1, f"{ESCAPE}[2J", 6, 9]
        file.write_text(json.dumps(record), encoding="utf-8")
        assert verify.main([str(file)]) == 1
        assert ESCAPE not in capsys.readouterr().out

    def test_no_file_and_no_record(self, tmp_path: Path, capsys: Any) -> None:
        binary, large = tmp_path / "binary", tmp_path / "large"
        binary.write_bytes(b"\xff\xfe")
        with large.open("wb") as opened:
            opened.truncate(verify.MOST_BYTES + 1)
        for path in (tmp_path / "missing", binary, large):
            assert verify.main([str(path)]) == 2
        errors = capsys.readouterr().err.splitlines()
        assert len(errors) == 3
        assert "No such file" in errors[0]

    def test_standard_input(self, right: Json, monkeypatch: Any, capsys: Any) -> None:
        given = io.TextIOWrapper(io.BytesIO(json.dumps(right).encode()))
        monkeypatch.setattr(sys, "stdin", given)
        assert verify.main(["-"]) == 0
        assert capsys.readouterr().err == ""

    def test_runs_as_a_module_without_warnings(self, file: Path) -> None:
        command = [sys.executable, "-m", "parlour_client.verify", str(file)]
        ran = subprocess.run(command, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")

    def test_needs_nothing_but_the_standard_library(self, file: Path) -> None:
        command = [sys.executable, "-I", "-S", verify.__file__, str(file)]
        ran = subprocess.run(command, capture_output=True, text=True)
        assert (ran.returncode, ran.stderr) == (0, "")


def test_own_sha256_of_the_page_is_right() -> None:
    lengths = [0, 1, 55, 56, 63, 64, 65, 119, 120, 1000]
    told = f"""
        for (const n of {lengths}) {{
          const message = new Uint8Array(n).map((_, i) => i * 7);
          console.log(JSON.stringify(hex(sha256(message))));
        }}
    """
    found = in_javascript(["{}"], told)[: len(lengths)]
    assert found == [sha256(bytes(i * 7 % 256 for i in range(n))).hexdigest() for n in lengths]
