#!/usr/bin/env python
"""Parlour's command line."""

import os
import sys


def main() -> None:
    """Run a command; a setting that cannot be used is said in a sentence."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"The settings cannot be used: {error}")


if __name__ == "__main__":
    main()
