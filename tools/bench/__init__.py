"""Benchmarks: `make bench`, or `python -m tools.bench udp` for a part.

Only compare figures of the same run.
"""
