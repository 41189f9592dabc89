"""`parlour …`: run a command. In a checkout, use `manage.py` instead."""

from __future__ import annotations


def main() -> None:
    """Run a command."""
    from config.command_line import main as run

    run()


if __name__ == "__main__":
    main()
