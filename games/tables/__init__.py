"""What one viewer may know of a room: the read model, its sentences, and packets made of it.

HTML belongs in `pages`, and what changes a room in `rooms`.
"""
