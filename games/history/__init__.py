"""Matches that are over: looked back on by those who may, and their luck recomputed."""
