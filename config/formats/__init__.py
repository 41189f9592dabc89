"""Formats of times (FORMAT_MODULE_PATH): Django's own, with the time zone."""
