"""The games app."""

from django.apps import AppConfig
from django.core.checks import register


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Registers the checks, and listens for guests who turn out to be somebody."""
        from django.db.backends.signals import connection_created

        from accounts.signals import registered, returned
        from games import moving, storage
        from games.checks import games_are_complete, settings_are_usable

        register(games_are_complete)
        register(settings_are_usable)
        registered.connect(moving.on_registered)
        returned.connect(moving.on_return)
        connection_created.connect(storage.note_connection)
