"""Django's admin with Parlour's admin site."""

from django.contrib.admin.apps import AdminConfig


class ParlourAdminConfig(AdminConfig):
    default_site = "moderation.admin_site.ParlourAdminSite"
