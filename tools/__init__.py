"""Development tools that are not in the wheel: benchmarks, and solvers for Mia."""
