"""A run: the scenes for each check, in order."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from conformance.mia import scenes, scenes_names, scenes_time
from conformance.mia.book import LAWS, Book
from conformance.mia.kit import REPLY, Enough, Kit, Silent
from conformance.mia.lines import Dialect

Scene = Callable[[Kit], None]

SCENES: tuple[tuple[Scene, tuple[str, ...]], ...] = (
    (scenes_time.few, ("10-join", "12-nobody", "14-alone", "14-pause")),
    (scenes_names.registering, ("5-register", "5-rejected", "4-fields", "2-line-end")),
    (scenes_names.names, ("7-names", "4-case")),
    (
        scenes.outcomes,
        (
            "10-join",
            "17-roll",
            "18-dice",
            "19-equal",
            "19-lower",
            "19-higher",
            "20-lie",
            "21-bluff",
            "21-see",
            "21-little",
            "22-first",
            "30-score",
            "31-points",
        ),
    ),
    (scenes.invalid, ("28-invalid", "29-bad", "4-case")),
    (scenes.line_ends, ("2-line-end",)),
    (scenes.strangers, ("26-owner",)),
    (scenes.tokens, ("26-token", "26-once", "27-ignored")),
    (scenes_names.junk, ("3-junk",)),
    (scenes.ladder, ("17-fair", "19-higher", "20-mia", "23-losers")),
    (scenes_names.moving, ("6-moved", "8-invited")),
    (scenes_time.silences, ("24-time", "25-turn", "25-announce")),
    (scenes_time.late, ("24-late",)),
    (scenes_time.anew, ("24-anew",)),
    (scenes_time.bystander, ("11-window", "11-late", "31-bystander")),
    (scenes_names.last_name, ("9-last-name",)),
    (scenes_names.spectator, ("spectator",)),
    (scenes_time.forty, ("33-silent", "33-again", "34a-silent")),
    (scenes.fair, ("13-fair",)),
    (scenes_names.sixteen, ("34-sixteen",)),
    (scenes_time.megaphone, ("34a-megaphone",)),
    (scenes_names.long_scores, ("34a-long",)),
)
CROWDED = (scenes_names.sixteen, scenes_names.long_scores)
"""Scenes that use all the names of an address."""


def check(
    host: str,
    port: int,
    dialect: Dialect = "seed",
    pace: float = 0.25,
    wanted: set[str] | None = None,
    restart: str = "",
    say: Callable[[str], None] = lambda text: None,
    reply: float = REPLY,
    until: Collection[str] = (),
) -> Book:
    """Play the scenes for the wanted checks. None means all checks. `pace` is the answer time in
    seconds.

    `restart` is a command that restarts the server. `say` is called with the name of each scene.
    `reply` is the maximum time in seconds for a registration. The run ends when a check in `until`
    fails. Raise OSError if the host is unknown, or Silent if no Mia server responds.
    """
    kit = Kit(host, port, dialect, pace, reply, until)
    try:
        kit.trio()
        for scene in _needed(kit, wanted, restart):
            say(_name(scene))
            try:
                scene(kit)
            except Silent as silent:
                kit.book.differs("16-turns", "continuous rounds", f"silence ({silent})")
                break
    except Enough:
        pass
    finally:
        kit.leave()
    return kit.book


def _needed(kit: Kit, wanted: set[str] | None, restart: str) -> list[Scene]:
    """Return the scenes for these checks. For LAWS alone, a few rounds are enough."""
    needed: list[Scene] = []
    for scene, provokes in SCENES:
        if wanted is not None and not wanted & set(provokes):
            continue
        if scene in CROWDED and not kit.bench.loopback and wanted is None:
            for one in provokes:
                kit.book.missed[one] = "leaves 16 names behind (select it with --only)"
            continue
        needed.append(scene)
    if wanted is not None and wanted & set(LAWS) and scenes.outcomes not in needed:
        needed.append(scenes.outcomes)
    if restart and (wanted is None or "32-restart" in wanted):
        needed.append(partial(scenes_time.restart, command=restart))
    elif not restart:
        kit.book.missed["32-restart"] = "needs the command that restarts the server (--restart)"
    return needed


def _name(scene: Scene) -> str:
    function = scene.func if isinstance(scene, partial) else scene
    return (function.__doc__ or "").strip().splitlines()[0]
