"""Background work of a process: clock, bots, heartbeat, housekeeping, health and shutdown.

Matches are run by `games.engine`.
"""
