"""Everything in the database, as text."""

from __future__ import annotations

import json
from typing import Any

from accounts.models import User
from games.history import export

CSV = b"kind,text\nprompt,Who ate _?\nanswer,a goose\nanswer,nobody\n"


def everything_stored() -> str:
    """Return every row of every table that may contain personal data, as text."""
    from django.apps import apps

    ours = [
        m
        for app in ("accounts", "account", "chat", "games", "moderation", "admin")
        for m in apps.get_app_config(app).get_models()
    ]
    return "\n".join(str(list(model._default_manager.values())) for model in ours)


def exported(user: User) -> dict[str, Any]:
    """Return the complete export of a user."""
    whole: dict[str, Any] = json.loads(b"".join(export.written(user)))
    return whole
