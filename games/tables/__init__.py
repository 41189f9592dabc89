"""Read model: the state of a room as each viewer may see it, with its sentences and packets.

HTML is rendered by `games.pages`, and rooms are changed by `games.rooms`.
"""
