"""Everything in the database, as text."""

from __future__ import annotations

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
