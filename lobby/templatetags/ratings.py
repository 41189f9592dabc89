"""`{% ratings user %}` shows the ratings of a user, if there are any."""

from __future__ import annotations

from typing import Any

from django import template

from accounts.models import User
from games.history.leaderboard import ratings_of

register = template.Library()


@register.inclusion_tag("lobby/ratings.html")
def ratings(person: User) -> dict[str, Any]:
    """Return the context of a list of ratings."""
    board = "ladder" if person.is_program else "league"
    return {"ratings": ratings_of(person), "board": board}
