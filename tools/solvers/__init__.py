"""Solvers that compute the strategy tables of bots. They need numpy; nothing does at run time."""
