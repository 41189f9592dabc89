"""Finished matches, and export, erasure, merging and retention of personal data.

Running matches belong in `games.engine` and `games.rooms`.
"""
