"""Simulation: the whole server in one thread, determined by one seed (docs/simulation.md).

`tests.sim.__main__` imports everything here, after `tests.sim.machine` has replaced time and
chance, and before Django starts.
"""
