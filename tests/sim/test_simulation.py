"""Simulated evenings find no fault, can be repeated by seed, and find planted faults."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.copies import copied
from tests.kit.repository import ROOT
from tests.once import Once
from tests.sim.planted import FAULTS

pytestmark = pytest.mark.django_db


def simulated(*arguments: object, **env: str) -> str:
    return run("-m", "tests.sim", *start(), *arguments, **env)


def start() -> tuple[object, ...]:
    """Return options that let the simulation start quickly, from the database of the tests."""
    migrated = Once("migrated.sqlite3").path
    return ("--jobs", 1, *(("--database", migrated) if migrated.exists() else ()))


def run(*arguments: object, folder: Path = ROOT, **env: str) -> str:
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=folder, env=os.environ | env, capture_output=True, text=True)
    return done.stdout + done.stderr


@pytest.mark.slow
def test_evening_is_the_same_in_another_copy_of_the_project(tmp_path: Path) -> None:
    """Neither the path of the project nor hash seed and time zone change anything."""
    evening = ("-m", "tests.sim", *start(), 4, 5, 6, "--until", 15)
    here = hashes(run(*evening, PYTHONHASHSEED="0", TZ="UTC"))
    assert len(here) == 3
    elsewhere = copied(tmp_path)
    for seed, zone in (("1", "Asia/Tokyo"), ("2", "America/New_York"), ("3", "UTC")):
        said = run(*evening, folder=elsewhere, PYTHONHASHSEED=seed, TZ=zone)
        assert hashes(said) == here, said


def hashes(said: str) -> dict[str, str]:
    """Return the hash of the evening that each seed plays."""
    return dict(re.findall(r"^seed (\d+) : good\n.* hash (\w+)$", said, re.MULTILINE))


def test_simulation_finds_no_fault() -> None:
    said = simulated("--kept")
    here = hashes(said)
    assert len(here) > 6, said
    assert said.count("\nseed ") + 1 == len(set(here.values())), said


def test_new_command_is_sent_without_further_code() -> None:
    """Nothing carries out this command, so the server logs an error for it."""
    command = "class Shout(declaration.Command, frozen=True): pass"
    play = "from tests.sim import __main__; __main__.main()"
    code = f"from games.wire import declaration\n{command}\n{play}"
    said = run("-c", code, *start(), 7, "--until", 60, "--people", 4, "--faults", "none")
    assert "KeyError: <class '__main__.Shout'>" in said, said


@pytest.mark.slow
def test_each_check_finds_its_planted_fault() -> None:
    """Two people and twenty seconds are enough for each fault."""
    said = simulated("--planted")
    found = dict(re.findall(r"^seed \d+ (\w+): (.*)$", said, re.MULTILINE))
    assert list(found) == list(FAULTS), said
    assert {name: of for name, of in found.items() if FAULTS[name].found not in of} == {}
