"""Reserved names: account names, and names that look like staff."""

from __future__ import annotations

from functools import cache

from django.conf import settings

from accounts.likeness import keys, keys_of
from accounts.models import User, why_not_free
from accounts.names import BadName

STAFF = (
    "Admin",
    "Admins",
    "Administrator",
    "Administrators",
    "Sysadmin",
    "Root",
    "Superuser",
    "Moderator",
    "Moderators",
    "Mod",
    "Mods",
    "Staff",
    "System",
    "Server",
    "Official",
    "Support",
    "Helpdesk",
    "Webmaster",
    "Postmaster",
    "Operator",
    "Owner",
    "Security",
    "Abuse",
    "Administratorin",
    "Administratoren",
    "Administration",
    "Verwaltung",
    "Moderation",
    "Moderatorin",
    "Moderatoren",
    "Betreiber",
    "Betreiberin",
    "Aufsicht",
    "Leitung",
    "Offiziell",
    "Systemverwaltung",
    "Spielleitung",
)
"""English and German words that make a name look like staff."""


def check(name: str, user: User | None = None, by_staff: bool = False) -> None:
    """Raise BadName if the name is reserved for somebody else.

    Staff may use names that look like staff, and create accounts with them.
    """
    by_staff = by_staff or (user is not None and user.is_staff)
    if is_for_staff(name) and not by_staff:
        raise BadName("UsernameReserved")
    if why := why_not_free(name, by_other_than=user):
        raise BadName(why)


def is_for_staff(name: str) -> bool:
    """Whether this name could be mistaken for staff, even if disguised like `[Admin] 2`."""
    letters = "".join(letter for letter in name if letter.isalpha())
    found = keys(name) | (keys(letters) if letters else frozenset())
    return not found.isdisjoint(_of_staff(settings.SITE_NAME))


@cache
def _of_staff(site_name: str) -> frozenset[tuple[str, str]]:
    return frozenset(keys_of((*STAFF, site_name)))
