"""Error handling for threads that must keep running."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TypeVar

from games.contract.core import Refused

log = logging.getLogger(__name__)

T = TypeVar("T")


def guarded(step: Callable[[], T]) -> T | None:
    """Return the result of the step. If it fails, log the error and return None."""
    try:
        return step()
    except Refused:  # the writer is busy and has logged the reason
        return None
    except Exception:
        log.exception("a step of the clock failed")
        return None
