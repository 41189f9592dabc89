"""Django's admin, by our own site."""

from django.contrib.admin.apps import AdminConfig


class ParlourAdminConfig(AdminConfig):
    default_site = "moderation.admin_site.ParlourAdminSite"
