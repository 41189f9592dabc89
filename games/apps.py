"""The games app."""

from django.apps import AppConfig
from django.core.checks import register


class GamesConfig(AppConfig):
    name = "games"

    def ready(self) -> None:
        """Register the checks, and listen for guests who turn out to be somebody."""
        from django.db.backends.signals import connection_created

        from accounts.signals import registered, returned
        from games import account_merge, storage
        from games.checks import games_are_complete, settings_are_usable

        register(games_are_complete)
        register(settings_are_usable)
        registered.connect(account_merge.on_registered)
        returned.connect(account_merge.on_return)
        connection_created.connect(storage.note_connection)
