"""The moderation app."""

from django.apps import AppConfig
from django.conf import settings


class ModerationConfig(AppConfig):
    name = "moderation"

    def ready(self) -> None:
        """Tables take reports; what is kept about a guest follows the guest into an account, goes
        into the export, and goes with the person or by itself. The back office bears our name."""
        from django.contrib import admin

        from accounts.signals import forgotten
        from games import export, moving, pruning
        from games.pages import beside
        from moderation import keeping
        from moderation.reports import from_table

        admin.site.site_header = admin.site.site_title = settings.SITE_NAME
        beside["report"] = from_table
        moving.also["moderation"] = keeping.on_moved
        export.PARTS |= keeping.PARTS
        pruning.also["reports"] = lambda now: keeping.forget_reports(now).result()
        pruning.needed["reports"] = keeping.messages_in_question
        forgotten.connect(keeping.on_forgotten)
