"""The back office: rooms, matches (with their log as sentences), messages, decks and UDP names.

All actions go through commands, so that they take effect at once on open pages.
"""

from __future__ import annotations

import json
from typing import Any

from django.contrib import admin, messages
from django.db.models import Count, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.urls import path, reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.isolation import isolated
from chat.models import Message
from games.engine.absent import game_of
from games.engine.snapshots import decode_snapshot, told_in
from games.models import (
    Act,
    Deck,
    Match,
    Member,
    Player,
    Program,
    ProgramVersion,
    Room,
    UdpName,
    UdpRound,
)
from games.pages.forms import differences
from games.rooms.talking import of_threads, thread
from games.tables.sentences import rating, say
from moderation import actions
from moderation import link_admin as link_admin  # (registers links)
from moderation import people_admin as people_admin  # (registers people)
from moderation import rating_admin as rating_admin  # (registers ratings)
from moderation.action_forms import all_of, with_reason
from moderation.admin_site import FindsFormerNames, ReadOnly, Rows, by_game, by_value, marked
from moderation.secrets import secrets_page

AUDIENCES = {"table": _("Table"), "gallery": _("Spectators")}
"""Audiences of messages (`games.wire.parts.Audience`)."""


def _page(model: str, number: int) -> str:
    return reverse(f"admin:{model}_change", args=[number])


class ByGame(ReadOnly):
    """Rows with a game and its options."""

    @admin.display(description=_("game"), ordering="game")
    def played(self, row: Any) -> str:
        return game_of(row.game).name

    @admin.display(description=_("rules"))
    def rules(self, row: Any) -> str:
        """Return the options that differ from the usual ones."""
        found = differences(game_of(row.game), row.options)
        return "; ".join(f"{one['label']}: {one['text']}" for one in found) or gettext("as usual")


class MemberRows(Rows):
    model = Member
    watches = marked("spectator", _("spectator"))
    readonly_fields = ("watches",)
    fields = ("name", "user", "bot", "watches", "joined_at", "away_since", "left_because")


class PlayerRows(Rows):
    model = Player
    is_out = marked("out", _("out"))
    readonly_fields = ("is_out",)
    fields = ("seat", "name", "user", "bot", "is_out", "gone", "place", "points")


@admin.register(Room)
class RoomAdmin(ByGame):
    list_display = ("code", "played", "status", "host", "people", "visibility", "created_at")
    list_filter = ("status", by_game(), "visibility")
    search_fields = ("code", "members__name__fold", "host__username__fold", "host__name__fold")
    fields = ("code", "played", "status", "host", "visibility", "rules", "evening", "match")
    readonly_fields = ("played", "rules", "evening")
    inlines = (MemberRows,)
    list_select_related = ("host",)
    right = "games.change_room"
    actions = all_of("tell", "end", "close")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Room]:
        present = Member.objects.filter(room=OuterRef("pk"), left_at=None).order_by()
        counted = present.values("room").values(count=Count("pk"))
        rooms: QuerySet[Room] = super().get_queryset(request)
        return rooms.annotate(present=Coalesce(Subquery(counted), 0))

    @admin.display(description=_("standings"))
    def evening(self, room: Room) -> str:
        return ", ".join(f"{isolated(name)}: {won}" for name, won in room.standings.items())

    @admin.display(description=_("people"))
    def people(self, room: Any) -> int:
        return int(room.present)


@admin.register(Match)
class MatchAdmin(ByGame):
    right = "games.change_room"
    actions = all_of("void")
    list_display = ("id", "room", "played", "started_at", "ended_at", "version", "is_broken")
    is_broken = marked("broken", _("broken"))
    list_filter = (by_game(), "broken")
    search_fields = ("room__code", "players__name__fold")
    fields = (
        "room",
        "played",
        "rules",
        "started_at",
        "ended_at",
        "deadline",
        "result",
        "rating",
        "secrets",
        "story",
    )
    readonly_fields = ("played", "rules", "result", "rating", "secrets", "story")
    inlines = (PlayerRows,)

    def get_urls(self) -> list[Any]:
        page = self.admin_site.admin_view(secrets_page)
        return [path("<int:number>/secrets/", page, name="match-secrets"), *super().get_urls()]

    @admin.display(description=_("secrets"))
    def secrets(self, match: Match) -> SafeString:
        page = reverse("admin:match-secrets", args=[match.pk])
        return format_html('<a class="button" href="{}">{}</a>', page, _("View the secrets"))

    @admin.display(description=_("result"))
    def result(self, match: Match) -> str:
        if match.ended_at is None:
            return gettext("still running")
        if match.outcome is None:
            return gettext("none: the match was stopped")
        names = decode_snapshot(match).names
        winners = ", ".join(names[at] for at in match.outcome["winners"]) or gettext("nobody")
        return f"{winners} ({match.outcome['reason']})"

    @admin.display(description=_("rating"))
    def rating(self, match: Match) -> str:
        return rating(match.rated) or gettext("not rated")

    @admin.display(description=_("what happened"))
    def story(self, match: Match) -> SafeString:
        """All public events as sentences, without secrets."""
        seen = decode_snapshot(match)
        words = seen.game.telling.words(seen.options)
        acts = Act.objects.filter(match=match).order_by("number")
        lines = [
            (act.number, f"{act.at:%H:%M:%S} UTC", say(line, seen.names))
            for act in acts
            for told in told_in(seen.game, act.told)
            if told.to is None and (line := words.event(told.event))
        ]
        return format_html("<ol>{}</ol>", format_html_join("", "<li>{} · {} · {}</li>", lines))


@admin.register(Message)
class MessageAdmin(FindsFormerNames, ReadOnly):
    """Messages, newest first. Search also accepts the code of a table."""

    list_display = ("at", "table", "name", "writer", "text", "audience", "removed")
    list_filter = ("at", "hidden", by_value("audience", _("audience"), AUDIENCES))
    list_select_related = ("author",)
    ordering = ("-pk",)
    search_fields = ("text__fold", "name__fold", "author__username__fold", "author__name__fold")
    search_help_text = _("Text, name, or the code of a table")
    person_field = "author"
    right = "chat.change_message"
    actions = all_of("remove")
    removed = marked("hidden", _("removed"))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Message], search_term: str
    ) -> tuple[QuerySet[Message], bool]:
        """Return a table's messages if the term is its code. Otherwise search texts and names."""
        rooms = Room.objects.filter(code=search_term.strip().upper()).values_list("pk", flat=True)
        if room := rooms.first():
            return queryset.filter(thread=thread(room)), False
        return super().get_search_results(request, queryset, search_term)

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """Return the list of messages, with the codes of all tables on the page loaded by one
        query.
        """
        shown = super().get_changelist_instance(request)
        rooms = of_threads(message.thread for message in shown.result_list)
        codes = dict(Room.objects.filter(pk__in=rooms).values_list("pk", "code"))
        by_thread = {thread(pk): (pk, code) for pk, code in codes.items()}
        for message in shown.result_list:
            message.at_table = by_thread.get(message.thread)
        return shown

    @admin.display(description=_("table"), ordering="thread")
    def table(self, message: Any) -> str:
        if message.at_table is None:
            return str(message.thread)
        number, code = message.at_table
        return format_html('<a href="{}">{}</a>', _page("games_room", number), code)

    @admin.display(description=_("author"), ordering="author")
    def writer(self, message: Message) -> str:
        """Return a link to the author. The column `name` shows the author's name when the message
        was sent.
        """
        if message.author is None:
            return "-"
        page = _page("accounts_user", message.author.pk)
        return format_html('<a href="{}">{}</a>', page, message.author)


@admin.register(Deck)
class DeckAdmin(ReadOnly):
    """Uploaded decks. Staff can remove a deck and restore it."""

    list_display = ("name", "slug", "language", "owner", "prompts", "answers", "shared", "taken")
    shared = marked("public", _("for everybody"))
    taken = marked("hidden", _("taken out"))
    list_filter = ("public", "hidden", "language")
    search_fields = ("name__fold", "slug", "owner__username__fold", "owner__name__fold")
    fields = ("name", "slug", "language", "owner", "public", "hidden", "updated_at", "cards")
    readonly_fields = fields
    right = "games.change_deck"
    actions = all_of("take_out", "put_back")

    @admin.display(description=_("cards"))
    def cards(self, deck: Deck) -> SafeString:
        pack = json.loads(deck.pack)
        cards = (*pack["prompts"], *pack["answers"])
        return format_html_join("", "{} {}<br>", ((c["number"], c["text"]) for c in cards))


class VersionRows(Rows):
    model = ProgramVersion
    fields = ("number", "label", "user", "state", "made_at")


@admin.register(Program)
class ProgramAdmin(ReadOnly):
    """Programs for the ladder. Their versions are retired in the list of versions."""

    list_display = ("name", "owner", "made_at")
    list_select_related = ("owner",)
    search_fields = ("name__fold", "slug", "owner__username__fold", "owner__name__fold")
    fields = ("name", "slug", "owner", "about", "made_at")
    inlines = (VersionRows,)


@admin.register(ProgramVersion)
class ProgramVersionAdmin(ReadOnly):
    list_display = ("user", "owner", "state", "label", "made_at")
    list_filter = ("state",)
    list_select_related = ("user", "program__owner")
    search_fields = ("user__username__fold", "program__owner__username__fold", "label__fold")
    fields = (
        *("program", "number", "label", "user", "state", "games", "tables"),
        *("available_until", "made_at", "judged_from", "silent_in"),
    )
    right = "games.change_room"
    actions = all_of("retire")

    @admin.display(description=_("owner"))
    def owner(self, version: ProgramVersion) -> str:
        return str(version.program.owner)


@with_reason(_("Free these names and delete their points"), "free")
def free(
    of: admin.ModelAdmin[Any], request: HttpRequest, names: QuerySet[UdpName], reason: str
) -> None:
    """Let anybody register these UDP names from any address, and delete their points."""
    assert request.user.pk is not None
    for name in names:
        what = f"{name.name} ({name.points} points)"
        actions.note(request.user.pk, "free", what, name.user_id, reason).result()
    from games.udp.commands import free as free_names  # missing if Mia is not installed

    free_names([name.pk for name in names]).result()
    of.message_user(request, gettext("The names are free."), messages.SUCCESS)


@admin.register(UdpName)
class UdpNameAdmin(ReadOnly):
    list_display = ("name", "points", "rounds", "address", "user", "silent", "played_at")
    silent = marked("paused", _("silent"))
    list_select_related = ("user",)
    list_filter = ("paused",)
    search_fields = ("name__fold", "address", "user__username__fold")
    fields = ("name", "user", "address", "port", "paused", "points", "rounds", "registered_at")
    actions = (free,)

    def has_free_permission(self, request: HttpRequest) -> bool:
        """Whether the user may free names."""
        return bool(request.user.has_perm("games.delete_udpname"))


@admin.register(UdpRound)
class UdpRoundAdmin(ReadOnly):
    list_display = ("number", "at", "players", "lost", "reason")
    list_reads = ("order", "losers")
    list_filter = ("reason",)
    fields = ("number", "at", "players", "lost", "reason", "told", "seed", "match")
    readonly_fields = ("players", "lost", "told")

    @admin.display(description=_("who played, in order"))
    def players(self, round_: UdpRound) -> str:
        return ", ".join(round_.order)

    @admin.display(description=_("who lost"))
    def lost(self, round_: UdpRound) -> str:
        return ", ".join(round_.losers) or gettext("nobody")

    @admin.display(description=_("what was told to all"))
    def told(self, round_: UdpRound) -> SafeString:
        return format_html_join("\n", "{}<br>", ((line,) for line in round_.transcript))
