"""What may be wrong with a server, looked at from the machine it runs on and from its address."""
