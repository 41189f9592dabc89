"""The games that ship with Parlour.

They must have everything that is optional for other games (`tests/games/test_shipped.py`).
"""

SHIPPED = ("chamber", "secret_hitler", "cards", "mia", "coup")
