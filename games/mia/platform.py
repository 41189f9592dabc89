"""Platform extensions of Mia: the table over UDP."""

from django.core.checks import register

from games.udp import policy
from games.udp.checks import settings_are_usable


def connect() -> None:
    """Register the extensions. Called once, when Django is ready."""
    register(settings_are_usable)
    policy.connect()
