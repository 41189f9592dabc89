"""Create a guest with a long history for the attack `history`, in a server's `manage.py shell`."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import TypeVar

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db.models import Model
from django.utils import timezone

from accounts.models import User
from games.models import Act, Match, Member, Player, Room
from games.models.rooms import new_code
from tests.kit.factories import PersonFactory, open_table, start_match

M = TypeVar("M", bound=Model)


def seed_history(file: str, matches: int = 1_500) -> None:
    """Give a new guest many finished matches, and write the guest's credentials to a file.

    The file holds the key of the guest's session, and the name and password of an account.
    """
    guest, other = PersonFactory(username=f"g-{new_code()}"), PersonFactory(username=new_code())
    match = start_match(open_table(guest, other, game="mia"))
    room, players = match.room, list(match.players.all())
    rooms = Room.objects.bulk_create(
        _copy(room, code=f"{number:05}", status=Room.Status.CLOSED, match_id=None)
        for number in range(matches)
    )
    made = Match.objects.bulk_create(
        _copy(match, room_id=one.pk, ended_at=timezone.now(), wake_at=None) for one in rooms
    )
    acts = list(match.acts.all())
    Act.objects.bulk_create(_copy(act, match_id=one.pk) for one in made for act in acts)
    Player.objects.bulk_create(_copy(player, match_id=one.pk) for one in made for player in players)
    Member.objects.bulk_create(
        _copy(member, room_id=one.pk) for one in rooms for member in room.members.all()
    )
    password = secrets.token_urlsafe()
    account = User.objects.create_user(f"account-{new_code()}", password=password)
    session = SessionStore()
    session[SESSION_KEY] = str(guest.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = guest.get_session_auth_hash()
    session.save()
    known = {"session": session.session_key, "login": account.username, "password": password}
    Path(file).write_text(json.dumps(known))


def _copy(row: M, **changes: object) -> M:
    values = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key
    }
    return type(row)(**{**values, **changes})
