"""The contract between games and the platform: the parts of a game, its data types, random numbers
and texts.

This package depends on no particular game, on no table and not on Django.
"""
