"""What the engine tells those above it, within the transaction in which it happens."""

from django.dispatch import Signal

match_finished = Signal()
"""A match has ended. Sent with `room`, not saved yet, and `match`, the `MatchSnapshot` at its end;
None where it was stopped without a result. In the writer's thread: what a receiver writes is
committed with the end, and one that fails undoes it.
"""
