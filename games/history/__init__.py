"""Finished matches, and the export, erasure, merge and retention of personal data.

Code about running matches belongs in `games.engine` and `games.rooms`.
"""
