"""The regions of a table page as HTML, for its first load."""

from __future__ import annotations

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from games.models import Room
from games.pages import people, regions
from games.pages.lines import chat_region, log_region
from games.pages.templating import render
from games.pages.viewpoint import viewpoint_of
from games.tables.loading import load, load_page
from games.tables.table import Table


def first_view(room: Room, user_id: int | None, language: str) -> dict[str, SafeString]:
    """Return the HTML of all regions by id, the HTML of `log` and `chat`, `seen` (see `moment`),
    and `me`, the viewer's name at the table.

    `room` must just have been read. `user_id` is None for a big screen. The templates escape
    everything.
    """
    table = load_page(room, user_id or 0)
    viewpoint = viewpoint_of(table, user_id, language)
    member = table.member(user_id)
    found = {one.id: render(table, one, language) for one in regions(table, user_id)}
    found["log"] = render(table, log_region(table, table.story, viewpoint), language)
    if user_id is not None:
        found["chat"] = render(table, chat_region(table, table.in_chat(user_id), user_id), language)
    return {name: mark_safe(html) for name, html in found.items()} | {
        "seen": SafeString(moment(table)),
        "me": escape(member.name if member is not None else ""),
    }


def sheet_of(room_id: int, user_id: int, member_id: int, language: str) -> SafeString | None:
    """Return the HTML of the sheet about a member, or None if there is none."""
    table = load(room_id)
    found = people.sheet(table, user_id, member_id)
    return mark_safe(render(table, found, language)) if found is not None else None


def moment(table: Table) -> str:
    """Return an identifier of the table's state, which differs after any change."""
    match = table.match.row.version if table.match else 0
    return f"{table.room.version}-{table.match_id or 0}-{match}"
