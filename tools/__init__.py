"""Development tools that do not ship in the wheel: measuring, and solving Mia."""
