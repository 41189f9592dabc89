"""The command `parlour` of an installed wheel. In a checkout, use `manage.py` instead."""
