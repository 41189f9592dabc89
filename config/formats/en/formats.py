"""English time formats."""

DATETIME_FORMAT = "N j, Y, P T"
SHORT_DATETIME_FORMAT = "Y-m-d H:i T"
