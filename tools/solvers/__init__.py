"""Solvers that compute the strategy tables of bots.

They need numpy, which nothing needs at run time.
"""
