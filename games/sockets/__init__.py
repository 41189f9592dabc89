"""Bytes in, bytes out: the hub that shows rooms, and the sockets of pages and programs.

What a packet is belongs in `wire`, and what a page shows in `pages`.
"""
