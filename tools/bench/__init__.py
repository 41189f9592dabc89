"""Benchmarks: run `make bench`, or `python -m tools.bench json` for one part.

Only compare figures from the same run.
"""
