"""The contract between games and the platform: parts of a game, data types, luck and sentences.

This package depends on no particular game, on no table and not on Django.
"""
