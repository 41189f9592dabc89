"""Backups: all data of a server in one file, taken while it runs, restorable elsewhere."""
