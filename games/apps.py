"""The games app."""

from importlib import import_module

from django.apps import AppConfig
from django.core.checks import register
from django.utils.module_loading import module_has_submodule
from django.utils.translation import gettext_lazy as _


class GamesConfig(AppConfig):
    name = "games"
    verbose_name = _("Games")

    def ready(self) -> None:
        """Register checks and the platform extensions of games, and connect signals."""
        from django.db.backends.signals import connection_created

        from accounts.signals import registered, returned
        from games.checks import games_are_complete
        from games.contract.data import prepare_types
        from games.engine import storage
        from games.history import account_merge, erasure, staff
        from games.registry import GAMES
        from games.rooms import giving_seats, ladder, members, skipping, votes

        register(games_are_complete)
        registered.connect(account_merge.on_registered)
        returned.connect(account_merge.on_return)
        members.on_change.connect(votes.on_room_changed)
        members.on_change.connect(giving_seats.on_room_changed)
        members.on_change.connect(skipping.on_room_changed)
        for module in (account_merge, erasure, ladder, staff):
            module.connect()
        for slug in GAMES:
            package = import_module(f"games.{slug}")
            if module_has_submodule(package, "platform"):
                import_module(f"games.{slug}.platform").connect()
        connection_created.connect(storage.note_connection)
        prepare_types()
