#!/usr/bin/env python
"""Parlour's command line, in a checkout."""

from config.command_line import main

if __name__ == "__main__":
    main()
