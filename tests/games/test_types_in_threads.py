"""Threads may use a struct for the first time at the same moment."""

from __future__ import annotations

import subprocess
import sys

import pytest

from games.runtime import background

RACE = """
import sys, threading, types
from typing import Union
import msgspec
from games.contract.data import prepare_types

sys.setswitchinterval(1e-6)
for turn in range(300):
    module = sys.modules[f"m{turn}"] = types.ModuleType(f"m{turn}")
    source = "from __future__ import annotations\\nimport msgspec\\n"
    for at in range(12):
        source += f"class S{at}(msgspec.Struct, tag=True):\\n a: int\\n b: dict[str, int] = {{}}\\n"
        source += f" c: S{at - 1} | None = None\\n" if at else ""
    exec(source, module.__dict__)
    kinds = [getattr(module, f"S{at}") for at in range(12)]
    union = Union[tuple(kinds)]
    prepare_types()
    ready = threading.Barrier(4)

    def use():
        ready.wait()
        for at in range(12):
            inner = {"c": {"type": f"S{at - 1}", "a": 1}} if at else {}
            msgspec.convert({"type": f"S{at}", "a": 1, **inner}, union)

    threads = [threading.Thread(target=use) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""


def test_threads_can_use_prepared_structs_at_the_same_time() -> None:
    """Unprepared structs would crash this process with a segmentation fault."""
    assert subprocess.run([sys.executable, "-c", RACE]).returncode == 0


def test_structs_are_prepared_before_background_threads_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    steps: list[str] = []

    class Clock:
        def start(self) -> None:
            steps.append("clock")

    monkeypatch.setattr(background, "prepare_types", lambda: steps.append("types"))
    monkeypatch.setattr(background, "Clock", Clock)
    monkeypatch.setattr(background.settings, "MIA_UDP_PORT", None)
    background.Background().start()
    assert steps == ["types", "clock"]
