"""Time formats (FORMAT_MODULE_PATH): Django's defaults plus the time zone."""
