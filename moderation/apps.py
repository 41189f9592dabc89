"""The moderation app."""

from django.apps import AppConfig
from django.conf import settings
from django.utils.translation import gettext_lazy as _


class ModerationConfig(AppConfig):
    name = "moderation"
    verbose_name = _("Moderation")

    def ready(self) -> None:
        """Register reports and the admin site's title.

        Add moderation to merge, export, erasure and retention.
        """
        from django.apps import apps
        from django.contrib import admin

        from games.history import account_merge, erasure, export, retention
        from games.rooms import vote_kinds
        from moderation import data_retention, labels, reports  # (registers `Report`)

        vote_kinds.on_removed.connect(reports.on_removed)
        labels.translate(apps.get_models())
        admin.site.site_header = admin.site.site_title = settings.SITE_NAME
        account_merge.STEPS.extend(data_retention.MERGE_STEPS)
        erasure.STEPS[:0] = data_retention.ERASE_STEPS
        export.PARTS |= data_retention.PARTS
        retention.also["reports"] = lambda now: data_retention.delete_old_reports(now).result()
        retention.also["addresses"] = lambda now: data_retention.forget_addresses(now).result()
        retention.needed["reports"] = data_retention.messages_in_question
        retention.needed_matches["reports"] = data_retention.matches_in_question
