"""The command `parlour`, for who has installed the wheel; in a checkout the same is `manage.py`."""
