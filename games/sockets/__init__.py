"""Bytes in, bytes out: the hub that shows rooms, and the sockets of pages and programs."""
