"""Django's admin, by our own site."""

from django.contrib.admin.apps import AdminConfig


class BackOfficeConfig(AdminConfig):
    default_site = "moderation.office.BackOffice"
