"""Matches as they are kept and moved on: commands, the writer, snapshots, time, notifications.

Nothing here knows of rooms' people, of what anybody is shown, or of a socket. What differs by the
kind of a table or by what a game needs is handed in: `table_policy`, `catalogs`, `signals`.
"""
