"""Changing a user's face, including at tables where the user is a member."""

from __future__ import annotations

from accounts.models import User
from games.engine.writer import command
from games.models import Member, Room
from games.rooms.members import changed

MOST = 20
"""Maximum number of tables updated at once. Other tables show the new face at their next change."""


@command
def choose_face(user_id: int, face: str) -> None:
    """Store a face and show it at the user's tables.

    The face is one of `accounts.faces.CHOICES`, or "" to derive it from the name.
    """
    if not User.objects.filter(pk=user_id).exclude(face=face).update(face=face):
        return
    here = Member.objects.filter(user=user_id, left_at=None).values("room")
    newest = Room.objects.filter(pk__in=here).exclude(status=Room.Status.CLOSED).order_by("-pk")
    ids = list(newest.values_list("pk", flat=True)[:MOST])
    for room in Room.objects.select_for_update().filter(pk__in=ids).order_by("pk"):
        changed(room)
