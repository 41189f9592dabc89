"""Signals of the engine for higher layers, sent within the transaction."""

from django.dispatch import Signal

match_finished = Signal()
"""Sent when a match has ended. Arguments: `room`, not saved yet, and `match`, its final
`MatchSnapshot`, or None if it was stopped without a result. Receivers run in the writer's thread.
Their writes are committed with the end of the match, and an exception rolls both back.
"""
