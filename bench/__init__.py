"""How fast it is: `make bench`, or `python -m bench udp` for a part. Compare within one run."""
