"""Stored matches of every version: database rows of running matches, as JSON files.

`python -m tests.kit.corpus NAME` plays one match of each game halfway and saves its rows in
`tests/corpus/NAME/`. With `NAME SLUG`, it stores only that game, such as a new one. Add a folder
whenever the stored form of a match changes. Never regenerate one: matches of that version still
exist in somebody's database.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any, cast

FOLDER = Path(__file__).parents[1] / "corpus"
HALFWAY = 14
"""Minimum number of acts in each log."""

Json = dict[str, Any]


def stored() -> Iterator[Path]:
    """Return every file of the corpus."""
    return iter(sorted(FOLDER.glob("*/*.json")))


def restore(plain: Json) -> int:
    """Load a stored match into the database with newly created users. Return its id.

    Drop fields that no longer exist, as their migration did.
    """
    from django.utils import timezone

    from games.models import Act, Match, Member, Player, Room, StatePart, new_code
    from tests.kit.factories import PersonFactory

    people = {
        player["user_id"]: PersonFactory(name=player["name"])
        for player in plain["players"]
        if player["user_id"] is not None
    }
    room = Room.objects.create(
        **_known(Room, plain["room"]) | {"code": new_code(), "host_id": None, "match_id": None}
    )
    match = Match.objects.create(
        **_known(Match, plain["match"]) | {"room_id": room.pk, "started_at": timezone.now()}
    )
    room.match, room.host = match, next(iter(people.values()))
    room.save()
    for player in plain["players"]:
        user = people.get(player["user_id"])
        Player.objects.create(
            **_known(Player, player) | {"match_id": match.pk, "user_id": user and user.pk}
        )
        Member.objects.create(
            room=room, user=user, name=player["name"], key=player["name"], bot=player["bot"]
        )
    for part in plain.get("parts", ()):
        StatePart.objects.get_or_create(
            pk=part["key"], defaults={**part, "used_at": match.started_at}
        )
        match.parts.add(part["key"])
    for act in plain["acts"]:
        Act.objects.create(**_known(Act, act) | {"match_id": match.pk})
    return cast(int, match.pk)


def _known(model: Any, row: Json) -> Json:
    """Return the fields of a row that this code has, except its id."""
    fields = {f.attname: f for f in model._meta.concrete_fields}
    return {n: fields[n].to_python(v) for n, v in row.items() if n in fields and n != "id"}


def play_on(match_id: int, dice: Any, acts: int | None = None) -> None:
    """Play a match by random moves to its end, or for `acts` acts."""
    from games import rooms
    from games.contract.choices import random_move
    from games.engine import matches
    from games.engine.snapshots import load_snapshot
    from games.models import Match
    from games.wire.wire import to_wire
    from tests.kit.acting import move_deadline_to_now

    until = None if acts is None else load_snapshot(match_id).row.version + acts
    while not (match := load_snapshot(match_id)).over and match.row.version != until:
        game, state = match.game, match.state
        seats = game.rules.awaited(state)
        if not seats:
            move_deadline_to_now(match.row)
            rooms.time_is_up(match_id, state.clock).result()
            continue
        seat = dice.pick("who", seats)
        made = random_move(game.rules.moves, game.rules.offers(state, seat), dice)
        prompt, player = state.prompts[seat], match.players[seat]
        if player.bot:
            matches.bot_move(match_id, seat, prompt, made).result()
        else:
            packet = to_wire(made, match.names)
            room_id = Match.objects.values_list("room_id", flat=True).get(pk=match_id)
            matches.move(room_id, player.user_id, packet, prompt).result()


def _row(instance: Any) -> Json:
    row = {f.attname: getattr(instance, f.attname) for f in instance._meta.concrete_fields}
    return {n: v.isoformat() if isinstance(v, datetime) else v for n, v in row.items()}


def halfway(slug: str) -> Json:
    """Return the rows of a running match with human players and a bot."""
    from games.contract.luck import Luck
    from games.models import Match, Room
    from games.registry import GAMES
    from tests.kit.factories import PersonFactory, open_table, start_match

    least, most = GAMES[slug].seats
    people = [PersonFactory() for _ in range(min(max(3, least - 1), most - 1))]
    room = open_table(*people, game=slug, bots=1, onLeave="substitute")
    started = start_match(room)
    play_on(started.pk, Luck(b"corpus of " + slug.encode(), 0), HALFWAY)
    match = Match.objects.get(pk=started.pk)
    assert match.ended_at is None, f"{slug} was over too early"
    return {
        "room": _row(Room.objects.get(pk=room.pk)),
        "match": _row(match),
        "players": [_row(player) for player in match.players.all()],
        "acts": [_row(act) for act in match.acts.all()],
        "parts": list(match.parts.values("key", "source")),
    }


def main(name: str, *slugs: str) -> None:
    """Write a folder of the corpus with these games, or all, using a temporary database."""
    folder = FOLDER / name
    if folder.exists():
        sys.exit(f"{folder.name} is there already: what was stored once is not written anew.")
    with tempfile.TemporaryDirectory() as scratch:
        os.environ |= {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "DATABASE_URL": f"sqlite:///{scratch}/corpus.sqlite3",
            "BOT_DELAY": "0",
        }
        import django
        from django.core.management import call_command

        django.setup()
        call_command("migrate", verbosity=0)
        from games.registry import GAMES

        found = {slug: halfway(slug) for slug in slugs or GAMES}
    folder.mkdir(parents=True)
    for slug, plain in found.items():
        text = json.dumps(plain, indent=1, ensure_ascii=False)
        (folder / f"{slug}.json").write_text(text + "\n", encoding="utf-8")
        print(f"{name}/{slug}.json: {len(plain['acts'])} acts")


if __name__ == "__main__":
    main(*sys.argv[1:])
