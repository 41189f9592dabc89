"""WebSockets of pages and programs, and the hub that shows rooms to them.

Packet types are defined in `games.wire`. The HTML of pages is rendered by `games.pages`.
"""
