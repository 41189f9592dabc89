"""Checks of a server, from its machine and through its public address."""
