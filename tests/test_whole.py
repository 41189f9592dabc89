"""A few failures in the whole suite are retried, and reported by name."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests import whole

ALL = ["-n", "auto"]


def played(noted: Path, *runs: tuple[int, Sequence[str]]) -> tuple[int, list[Sequence[str]]]:
    """Run `whole.main` on these pytest results; return its exit code and pytest's arguments."""
    given: list[Sequence[str]] = []

    def run(arguments: Sequence[str]) -> int:
        code, failures = runs[len(given)]
        given.append(arguments)
        noted.write_text(json.dumps(dict.fromkeys(failures, True)))
        return code

    return whole.main(ALL, run, noted), given


def test_few_failures_are_run_again_by_themselves_and_named(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, given = played(tmp_path / "noted", (1, ["b::1", "a"]), (0, []))
    assert (code, given) == (0, [ALL, ["a", "b::1"]])
    assert "unsteady: mend them.\n  a\n  b::1\n" in capfd.readouterr().out


def test_a_fault_fails_again(tmp_path: Path) -> None:
    code, given = played(tmp_path / "noted", (1, ["a"]), (1, ["a"]))
    assert (code, given) == (1, [ALL, ["a"]])


def test_a_file_whose_server_did_not_start_is_run_again(tmp_path: Path) -> None:
    failures = [f"a::{number}" for number in range(7)]
    code, given = played(tmp_path / "noted", (1, failures), (0, []))
    assert (code, given) == (0, [ALL, failures])


@pytest.mark.parametrize(
    ("code", "failures"), [(0, []), (1, list("abcdefg")), (2, ["a"]), (3, []), (5, [])]
)
def test_nothing_else_is_run_again(tmp_path: Path, code: int, failures: list[str]) -> None:
    assert played(tmp_path / "noted", (code, failures)) == (code, [ALL])


def test_what_failed_in_a_run_before_is_not_run_again(tmp_path: Path) -> None:
    noted = tmp_path / "noted"
    noted.write_text('{"of yesterday": true}')

    def run(arguments: Sequence[str]) -> int:
        assert arguments == ALL
        return 1

    assert whole.main(ALL, run, noted) == 1
