"""The HTML that updates a user's page after a change of the table.

Only the table that a page shows is kept. Changes are rendered once per viewpoint. A shared region
is rendered once for all viewpoints.
"""

from __future__ import annotations

from itertools import repeat
from typing import Any

from games.pages import of_match, of_room
from games.pages.beats import beats_region
from games.pages.lines import chat_region, log_region
from games.pages.quick import reacted_region
from games.pages.region import Region
from games.pages.templating import render
from games.pages.viewpoint import Viewpoint, viewpoint_of
from games.tables.decisions import reacted
from games.tables.sentences import speaking
from games.tables.table import Table

Memo = dict[Any, Any]


def page_diff(
    shown: Table | None, now: Table, user_id: int | None, language: str, memo: Memo
) -> tuple[str, ...]:
    """Return the frames that update a page to the current table. `shown` is the table that the page
    shows, or None.

    `user_id` is None for a big screen, which shows no chat. Everybody who is shown this change
    shares `memo`. There are several frames if the page holds changes back until a drawing is over
    (`static/moments.js`).
    """
    was = viewpoint_of(shown, user_id, language) if shown is not None else None
    viewpoint = viewpoint_of(now, user_id, language)
    acts_only = shown is not None and shown.loading is now.loading
    key = ("page", id(shown), was, viewpoint)
    if key not in memo:
        with speaking(language):
            memo[key] = tuple(filter(None, _frames(shown, was, now, viewpoint)))
    frames: tuple[str, ...] = memo[key]
    if acts_only:
        return frames
    with speaking(language):
        said = "" if user_id is None else _chat(shown, now, user_id, language)
        said += _reacted(shown, now, user_id, language)
    if not said:
        return frames
    return (*frames, said) if len(frames) > 1 else ("".join((*frames, said)),)


def _frames(
    shown: Table | None, was: Viewpoint | None, now: Table, viewpoint: Viewpoint
) -> tuple[str, ...]:
    """Return one frame with all changes, or two: the animation of an act, and then its changes."""
    whole_log = shown is None or now.renamed or (shown.parked and not now.parked)
    changes = _changed_regions(shown, was, now, viewpoint)
    if whole_log or shown is None or shown.match_id != now.match_id:
        told = now.story if whole_log else now.acts
        changes += _whole("log-lines", log_region(now, told, viewpoint), now, viewpoint.language)
    else:
        changes += _appended(
            "log-lines", log_region(now, now.acts, viewpoint), now, viewpoint.language
        )
    if whole_log or shown is None:
        return (changes,)
    shows = beats_region(now, now.acts, viewpoint)
    beats = _appended("beats", shows, now, viewpoint.language)
    if _stops(shown, now):
        return (partial("#beats", "beforeend", '<li data-told="0"></li>') + changes + beats,)
    return (beats, changes) if shows.part["told"] is not None else (changes + beats,)


def partial(target: str, swap: str, html: str) -> str:
    """Return HTML together with its target on the page."""
    return f'<hx-partial hx-target="{target}" hx-swap="{swap}">{html}</hx-partial>'


def _stops(shown: Table, now: Table) -> bool:
    """Whether running beats must stop, because of a pause or a skip ahead."""
    was, match = shown.match, now.match
    shows = was is not None and was.row.awaited_from is not None
    return shows and (match is None or match.row.awaited_from is None)


def _changed_regions(
    shown: Table | None, was: Viewpoint | None, now: Table, viewpoint: Viewpoint
) -> str:
    new, old = of_match(now, viewpoint), of_match(shown, was) if shown and was else ()
    if shown is None or shown.loading is not now.loading:
        new += of_room(now, viewpoint)
        old += of_room(shown, was) if shown and was else ()
        if shown is None or _options(shown) != _options(now):  # any template may use the options
            old = ()
    pairs = zip(old or repeat(None), new, strict=False)
    return "".join(
        [_changed(*pair, now, viewpoint.language) for pair in pairs if pair[0] is not pair[1]]
    )


def _options(table: Table) -> Any:
    return table.game.slug, table.match.options if table.match else table.room.options


def _changed(before: Region | None, one: Region, now: Table, language: str) -> str:
    """Return the update of a region, or "" if its data or its HTML is unchanged."""
    if (
        before is None
        or before.part != one.part
        or [item.id for item in before.items] != [item.id for item in one.items]
    ):
        html = render(now, one, language)
        same = before is not None and before.drawn.get(language) == html
        return "" if same else partial(f"#{one.id}", "outerMorph", html)
    pairs = zip(before.items, one.items, strict=True)
    return "".join([_changed(*pair, now, language) for pair in pairs if pair[0] is not pair[1]])


def _chat(shown: Table | None, now: Table, user_id: int, language: str) -> str:
    """Return the update for new messages.

    If a message was removed or renamed, return all messages.
    """
    readable = now.in_chat(user_id)
    last = shown.chat[-1].pk if shown is not None and shown.chat else 0
    oldest = readable[0].pk if readable else 0
    known = shown.in_chat(user_id) if shown is not None else ()
    was = {m.pk: m.name for m in known if m.pk >= oldest}
    whole = shown is None or was != {m.pk: m.name for m in readable if m.pk <= last}
    region = chat_region(now, [m for m in readable if whole or m.pk > last], user_id)
    if whole:
        return _whole("chat-lines", region, now, language)
    return _appended("chat-lines", region, now, language)


def _reacted(shown: Table | None, now: Table, user_id: int | None, language: str) -> str:
    fresh = list(reacted(shown, now, user_id)) if shown is not None else []
    return _appended("reacted", reacted_region(fresh), now, language)


def _whole(target: str, region: Region, now: Table, language: str) -> str:
    return partial(f"#{target}", "innerMorph", render(now, region, language))


def _appended(target: str, region: Region, now: Table, language: str) -> str:
    html = render(now, region, language) if any(region.part.values()) else ""
    return partial(f"#{target}", "beforeend", html) if html.strip() else ""
