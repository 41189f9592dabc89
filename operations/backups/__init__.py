"""Backups: all data of a server in one file.

They are taken while the server runs, and can be restored elsewhere.
"""
