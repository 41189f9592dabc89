"""The games app."""

from django.apps import AppConfig
from django.core.checks import register


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Registers the checks."""
        from games.checks import games_are_complete, settings_are_usable

        register(games_are_complete)
        register(settings_are_usable)
