"""Check that the benchmarks start. Nobody tests their figures."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.kit.served import ROOT


@pytest.mark.parametrize("module", ["tools.bench", "tools.bench.hosts", "tools.bench.processes"])
def test_benchmark_explains_itself(module: str) -> None:
    command = [sys.executable, "-m", module, "--help"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "--tables" in done.stdout
