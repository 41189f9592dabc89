"""What a game is: its parts, the data it is made of, luck, and the words it speaks in.

Nothing here knows a game, Django, or the tables at which games are played.
"""
