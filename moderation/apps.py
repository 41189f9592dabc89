"""The moderation app."""

from django.apps import AppConfig


class ModerationConfig(AppConfig):
    name = "moderation"

    def ready(self) -> None:
        """Tables take reports, and reports about a guest follow the guest into an account."""
        from games.moving import also_moved
        from games.pages import beside
        from moderation.models import Report
        from moderation.reports import from_table

        beside["report"] = from_table
        for field in ("by", "about"):
            if (Report, field) not in also_moved:
                also_moved.append((Report, field))
