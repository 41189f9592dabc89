"""An answer to a question at the exact moment of the timeout."""

from __future__ import annotations

import asyncio
import time

import pytest

from games.udp.lines import Answer
from games.udp.prompts import Prompts


@pytest.mark.parametrize("turns", range(6))
async def test_an_answer_at_the_last_moment_counts_or_is_ignored(turns: int) -> None:
    """`turns`: event loop turns between the timeout and the withdrawal of the question."""
    prompts, tokens = Prompts(), list[str]()
    asked = asyncio.create_task(prompts.ask("a", tokens.append, 0.01))
    await asyncio.sleep(0)
    time.sleep(0.02)
    for _ in range(turns):
        await asyncio.sleep(0)
    answer = Answer(("ROLL",), tokens[0])
    prompts.answer("a", answer)
    assert await asked in (answer, None)
