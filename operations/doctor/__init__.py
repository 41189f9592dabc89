"""Checks of a server, made on its machine and through its public address."""
