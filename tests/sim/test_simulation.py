"""Simulated evenings find no fault, can be repeated by seed, and find planted faults."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from tests.kit.repository import ROOT
from tests.sim.planted import FAULTS


def simulated(*arguments: object, **env: str) -> str:
    return run("-m", "tests.sim", "--jobs", 1, *arguments, **env)


def run(*arguments: object, **env: str) -> str:
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, env=os.environ | env, capture_output=True, text=True)
    return done.stdout + done.stderr


def hashes(said: str) -> dict[str, str]:
    """Return the hash of the evening that each seed plays."""
    return dict(re.findall(r"^seed (\d+) : good\n.* hash (\w+)$", said, re.MULTILINE))


def test_simulation_finds_no_fault_and_is_reproducible_by_seed() -> None:
    said = simulated("--kept", PYTHONHASHSEED="0", TZ="UTC")
    here = hashes(said)
    assert len(here) > 14, said
    assert said.count("\nseed ") + 1 == len(set(here.values())), said
    there = simulated(4, "--until", 12, PYTHONHASHSEED="3", TZ="Asia/Tokyo")
    assert hashes(there) == {"4": here["4"]}, there


def test_new_command_is_sent_without_further_code() -> None:
    """Nothing carries out this command, so the server logs an error for it."""
    command = "class Shout(declaration.Command, frozen=True): pass"
    play = "from tests.sim import __main__; __main__.main()"
    code = f"from games.wire import declaration\n{command}\n{play}"
    said = run("-c", code, 7, "--until", 20, "--jobs", 1, "--faults", "none")
    assert "KeyError: <class '__main__.Shout'>" in said, said


@pytest.mark.slow
def test_each_check_finds_its_planted_fault() -> None:
    said = simulated("--planted", "--until", 40)
    found = dict(re.findall(r"^seed \d+ (\w+): (.*)$", said, re.MULTILINE))
    assert list(found) == list(FAULTS), said
    assert {name: of for name, of in found.items() if FAULTS[name].found not in of} == {}
