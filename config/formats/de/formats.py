"""German time formats."""

DATETIME_FORMAT = "j. F Y H:i T"
SHORT_DATETIME_FORMAT = "d.m.Y H:i T"
