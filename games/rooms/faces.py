"""Another face for somebody, also at the tables where they are."""

from __future__ import annotations

from accounts.models import User
from games.engine.writer import command
from games.models import Room
from games.rooms.members import changed

MOST = 20
"""Maximum number of tables at which a face changes at once; others follow by themselves."""


@command
def choose_face(user_id: int, face: str) -> None:
    """Keep a face (`accounts.faces.CHOICES`, or "" for that of the name) and show it."""
    if not User.objects.filter(pk=user_id).exclude(face=face).update(face=face):
        return
    here = Room.objects.filter(members__user=user_id, members__left_at=None)
    for room in here.exclude(status=Room.Status.CLOSED).distinct().order_by("-pk")[:MOST]:
        changed(room)
