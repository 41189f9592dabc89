"""Names of tables and columns in the back office, translated.

Django derives these names from the code. They serve as message ids here, so adding a language
changes neither models nor migrations.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db.models import Model
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _

MODELS = frozenset(
    {
        *(_("sanction"), _("sanctions"), _("room"), _("rooms"), _("member"), _("members")),
        *(_("match"), _("matches"), _("player"), _("players"), _("message"), _("messages")),
        *(_("deck"), _("decks"), _("name at the UDP table"), _("names at the UDP table")),
        *(_("round over UDP"), _("rounds over UDP")),
        *(_("program"), _("programs"), _("program version"), _("program versions")),
        *(_("rating"), _("ratings"), _("rating change"), _("rating changes")),
        *(_("side rating"), _("side ratings")),
    }
)
FIELDS = frozenset(
    {
        *(_("made by"), _("used by"), _("by"), _("by name"), _("whom"), _("user"), _("kind")),
        *(_("reason"), _("at"), _("until"), _("lifted at"), _("address lock"), _("code")),
        *(_("room"), _("about"), _("match"), _("message"), _("deck"), _("decided by")),
        *(_("user name"), _("shown name"), _("is guest"), _("language"), _("game"), _("options")),
        *(_("host"), _("visibility"), _("status"), _("standings"), _("version"), _("name")),
        *(_("created at"), _("joined at"), _("spectator"), _("bot level"), _("left at")),
        *(_("left because"), _("seen at"), _("away since"), _("state"), _("deadline")),
        *(_("broken"), _("started at"), _("ended at"), _("seat"), _("gone because"), _("out")),
        *(_("place"), _("points"), _("thread"), _("audience"), _("author"), _("text")),
        *(_("removed"), _("owner"), _("slug"), _("prompts"), _("answers")),
        *(_("everybody may play with it"), _("taken out by staff"), _("updated at")),
        *(_("address"), _("port"), _("silent, gets nothing"), _("rounds played")),
        *(_("registered at"), _("played last"), _("number"), _("seed")),
        *(_("made at"), _("what is new"), _("games it plays"), _("tables at once")),
        *(_("available until"), _("has waited for a table since"), _("program"), _("pool")),
        *(_("earlier matches do not count"), _("match in which it gave no answer")),
        *(_("rated matches"), _("end of the last rated match"), _("seats"), _("side")),
        *(_("mu before"), _("sigma before")),
    }
)

SHOWN = {"at": _("when"), "is guest": _("guest")}
"""Labels that read better than the names of their fields."""


def translate(models: Iterable[type[Model]]) -> None:
    """Translate the names of these models and of their fields."""
    for model in models:
        meta: Any = model._meta
        for called in ("verbose_name", "verbose_name_plural"):
            if getattr(meta, called) in MODELS:
                setattr(meta, called, gettext_lazy(getattr(meta, called)))
        for field in meta.local_fields:
            if field.verbose_name in FIELDS:
                label = str(field.verbose_name)
                field.verbose_name = gettext_lazy(SHOWN.get(label, label))
