"""What each viewer may know about a room: the read model, its sentences and its packets.

HTML is rendered by `games.pages`, and rooms are changed by `games.rooms`.
"""
