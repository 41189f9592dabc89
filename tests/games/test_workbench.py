"""The workbench: an author's program in the arena, without a server."""

from __future__ import annotations

import json
import signal
import sys
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.management.arena import Tally
from games.management.workbench import difference
from games.registry import GAMES
from tests.kit.client import Json
from tests.kit.programs import node
from tests.kit.repository import ROOT

RANDOM = "def bot(decision):\n    return decision.random()\n"
FAILING = "def bot(decision):\n    raise KeyError('a mistake of its author')\n"
CHEATING = (
    "from parlour_client import Move\n\ndef bot(decision):\n    return Move('Win', {'now': True})\n"
)
SILENT = "def bot(decision):\n    return None\n"
HANGING = """
def bot(decision):
    while True:
        try:
            pass
        except Exception:
            pass
"""
ASYNC = "async def bot(decision):\n    return decision.random()\n"


def arena(*what: str, **given: Any) -> str:
    """Run the arena, and return what it prints. Whatever fails is raised with the output."""
    out = StringIO()
    given = {"game": "mia", "games": 4, "against": "random", **given}
    try:
        call_command("arena", *what, stdout=out, **given)
    except CommandError as error:
        raise CommandError(f"{out.getvalue()}\n{error}") from None
    return out.getvalue()


@pytest.fixture
def written(tmp_path: Path) -> Any:
    def write(source: str, name: str = "mybot.py") -> str:
        path = tmp_path / name
        path.write_text(source)
        return str(path)

    return write


@pytest.mark.parametrize("source", [RANDOM, ASYNC])
def test_bot_of_a_file_plays_in_the_arena(written: Any, source: str) -> None:
    said = arena(written(source), seats=3)
    assert "mybot: Mia, 3 seats, 4 matches against random, from deal 0" in said
    for line in ("wins  ", "fair share 33.3%", "places  ", "answers  "):
        assert line in said


def test_the_same_deals_give_the_same_results(written: Any, tmp_path: Path) -> None:
    def saved(folder: str) -> list[Json]:
        arena(written(RANDOM), games=6, save=str(tmp_path / folder))
        lines = [path.read_text() for path in sorted((tmp_path / folder).iterdir())]
        return [json.loads(line) for line in "".join(lines).splitlines()]

    first, again = saved("one"), saved("two")
    assert [line.get("move") for line in first] == [line.get("move") for line in again]
    assert first[0]["type"] == "Match"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (FAILING, r"times, first in deal 0[^$]*a mistake of its author[^$]*Random moves were made"),
        (CHEATING, r"illegal[^$]*Win\(now=True\) is not among the offers"),
        (
            HANGING,
            r"line \d, in bot\n[^$]*Hangs: no answer[^$]*did not answer within 0.05 seconds",
        ),
    ],
)
def test_mistakes_of_a_bot_are_shown_and_fail_the_command(
    written: Any, source: str, said: str
) -> None:
    patience = 0.05 if source == HANGING else 10.0
    with pytest.raises(CommandError, match=said):
        arena(written(source), patience=patience)


def test_unanswered_questions_run_out_of_time(written: Any) -> None:
    assert "questions that ran out of time" in arena(written(SILENT))


def test_alarm_of_the_test_run_goes_on(written: Any) -> None:
    before = signal.getitimer(signal.ITIMER_REAL)[0]
    arena(written(RANDOM), games=1)
    assert bool(signal.getitimer(signal.ITIMER_REAL)[0]) == bool(before)


@pytest.mark.parametrize(
    ("source", "said"),
    [
        (None, "There is no file"),
        ("def bot(decision)\n    pass\n", r"line 1: expected ':':\s+def bot\(decision\)"),
        ("play = 1\n", r"has no function bot\(decision\)"),
        ("import nothing_of_the_kind\n", "cannot be imported:[^$]*nothing_of_the_kind"),
    ],
)
def test_unusable_files_are_rejected_with_a_message(
    written: Any, source: str | None, said: str
) -> None:
    path = "missing.py" if source is None else written(source)
    with pytest.raises(CommandError, match=said):
        arena(path)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"game": None}, "Name a game with --game"),
        ({"game": "chess"}, "There is no game chess"),
        ({"seats": 9}, "2 to 8 players"),
        ({"against": "clever"}, "There is no bot clever"),
        ({"options": ["lives=99"]}, "must be one of"),
        ({"patience": 0.0}, "more than 0"),
        ({"bots": "normal"}, "--bots is for built-in levels"),
        ({"cmd": "cat"}, "either a file or --cmd"),
        ({"save": "/dev/null/lost"}, "cannot be saved"),
    ],
)
def test_wrong_arguments_are_rejected_with_a_message(
    written: Any, given: dict[str, Any], said: str
) -> None:
    with pytest.raises(CommandError, match=said):
        arena(written(RANDOM), **given)


@pytest.mark.parametrize("slug", GAMES)
def test_javascript_example_plays_in_the_arena(slug: str) -> None:
    said = arena(cmd=f"{node()} {ROOT / 'examples/random_bot.js'}", game=slug, games=2)
    assert f"program: {GAMES[slug].name}" in said


def command(source: str) -> str:
    return f'{sys.executable} -c "{source}"'


@pytest.mark.parametrize(
    ("cmd", "said"),
    [
        (command("pass"), "has ended with exit code 0 instead of answering. It was playing deal 0"),
        (command("import os; os.kill(os.getpid(), 9)"), "was killed by signal 9"),
        (command("import sys; sys.stdin.read()"), "did not answer within 0.5 seconds"),
        (command("while True: print(input()[:9])"), "Other output belongs on stderr"),
        ("no-such-program", "cannot be started: No such file"),
        ("'", "cannot be started"),
    ],
)
def test_commands_that_fail_are_reported_in_a_sentence(cmd: str, said: str) -> None:
    patience = 0.5 if "stdin.read" in cmd else 10.0
    with pytest.raises(CommandError, match=said):
        arena(cmd=cmd, games=1, patience=patience)


def test_compare_plays_the_same_deals(written: Any) -> None:
    out, one, two = StringIO(), written(RANDOM, "old.py"), written(RANDOM, "new.py")
    call_command("compare", one, two, game="mia", games=5, against="random", stdout=out)
    assert "new − old: +0.0 points (95 %: +0.0 to +0.0), no difference is proved" in out.getvalue()
    with pytest.raises(CommandError, match="at least two files"):
        call_command("compare", one, game="mia")


def test_intervals() -> None:
    assert Tally(matches=100, won=0).interval == pytest.approx((0.0, 0.037), abs=0.001)
    assert Tally(matches=100, won=50).interval == pytest.approx((0.404, 0.596), abs=0.001)
    assert Tally().interval == (0.0, 1.0)
    assert difference([0, 0, 1, 1], [1, 0, 1, 1]) == pytest.approx((0.25, 0.49))


def replayed(path: Path | str, **given: Any) -> str:
    out = StringIO()
    call_command("replay", str(path), stdout=out, **given)
    return out.getvalue()


@pytest.mark.parametrize("slug", GAMES)
def test_lost_match_is_replayed_with_the_board_of_every_act(
    written: Any, tmp_path: Path, slug: str
) -> None:
    arena(written(RANDOM), game=slug, games=3, against="normal", save=str(tmp_path / "lost"))
    path = min((tmp_path / "lost").iterdir())
    acts = path.read_text().count('"type":"Act"')
    said = replayed(path)
    assert said.count("── act ") == said.count("  phase: ") == acts
    assert "* mybot " in said


def test_replay_looks_through_one_seat(written: Any, tmp_path: Path) -> None:
    folder = tmp_path / "lost"
    arena(written(RANDOM), game="coup", games=8, seats=2, against="normal", save=str(folder))
    path = min(folder.iterdir())
    me = int(path.stem.split("-")[1]) % 2
    hands = [
        [line for line in replayed(path, seat=seat).splitlines() if line.startswith("  hand: ")]
        for seat in (me, 1 - me)
    ]
    assert hands[0] != hands[1]
    assert replayed(path) == replayed(path, seat=me)


def test_replay_shows_no_board_after_the_rules_have_changed(written: Any, tmp_path: Path) -> None:
    arena(written(RANDOM), games=8, against="normal", save=str(tmp_path / "lost"))
    path = min((tmp_path / "lost").iterdir())
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    announced = next(line for line in lines if line.get("move", {}).get("type") == "Announce")
    announced["events"][0]["dice"] = "6,6"
    path.write_text("\n".join(map(json.dumps, lines)))
    said = replayed(path)
    assert 0 < said.count("  phase: ") < said.count("── act ")
    assert "6-6" in said


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (None, "cannot be read: No such file"),
        ("", "is not a saved match"),
        ("{}\n{", "line 2 is not JSON"),
        ("{}\n{}", "begins with Match"),
        ('{"type":"Match","game":"chess"}\n{"type":"End"}', "There is no such game"),
        ('{"type":"Match","game":"mia","seats":[]}\n{"type":"End"}', "cannot be read: KeyError"),
    ],
)
def test_files_that_are_no_match_are_rejected(tmp_path: Path, text: str | None, said: str) -> None:
    path = tmp_path / "match.ndjson"
    if text is not None:
        path.write_text(text)
    with pytest.raises(CommandError, match=said):
        replayed(path)


def test_replay_obeys_keys_in_a_terminal(
    written: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    arena(written(RANDOM), games=8, against="normal", save=str(tmp_path / "lost"))
    keys = iter(["", "n", "b", "4", "999", "0", "x", "q"])
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda question: next(keys))
    path = min((tmp_path / "lost").iterdir())
    shown = [line.split()[2] for line in replayed(path).splitlines() if line.startswith("── act")]
    last = str(path.read_text().count('"type":"Act"'))
    assert shown == ["1", "2", "3", "2", "4", last, "1", "1"]
