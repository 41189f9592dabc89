"""Steps of threads that go on whatever happens."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from games.contract.core import Refused

log = logging.getLogger(__name__)

T = TypeVar("T")


def guarded(step: Callable[[], T]) -> T | None:
    """What the step returns; None where it failed, which the log says."""
    try:
        return step()
    except Refused:  # the writer is busy, and has said why
        return None
    except Exception:
        log.exception("the clock stumbled")
        return None
