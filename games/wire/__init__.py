"""Packets of the wire protocol.

* `commands` and `client`: packets from clients.
* `server`: packets from the server.
* `parts`: types used by both.
* `games`: packets and types derived from each game.
* `schema`, `asyncapi` and `examples`: generated documents.
"""
