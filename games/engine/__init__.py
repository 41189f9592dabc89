"""Code that stores and advances matches: commands, writer, snapshots, time and notifications.

This package does not depend on room membership, rendering or sockets. Higher layers plug in
behaviour that depends on the kind of table or the game: `table_policy`, `catalogs`, `signals`.
"""
