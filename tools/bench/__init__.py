"""How fast it is: `make bench`, or `python -m tools.bench udp` for a part.

Compare figures of one run only.
"""
