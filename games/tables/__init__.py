"""What each viewer may know of a room: the read model, its sentences and its packets.

HTML is rendered by `games.pages`, and rooms are changed by `games.rooms`.
"""
