"""Benchmarks: `make bench`, or `python -m tools.bench json` for a part.

Only compare figures of the same run.
"""
