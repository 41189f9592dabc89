"""What Mia brings to the platform: the table over UDP."""

from django.core.checks import register

from games.udp import policy
from games.udp.checks import settings_are_usable


def connect() -> None:
    """Called once, when Django is ready."""
    register(settings_are_usable)
    policy.connect()
