"""Storing and advancing matches: commands, the writer, snapshots, time, notifications.

This package does not depend on room membership, rendering or sockets. Higher layers plug in what
differs by kind of table or by game: `table_policy`, `catalogs`, `signals`.
"""
