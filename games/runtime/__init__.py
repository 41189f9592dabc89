"""Background work of a process: clock, bots, heartbeat, housekeeping, health, shutdown.

Matches are run by `games.engine`.
"""
