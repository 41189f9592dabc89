"""The ladder of programs: who is listed, links to matches, and tables that can be watched."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.models import Match, Member, Player, Pool, ProgramVersion, Rating, Room
from games.rooms import programs as commands
from tests.kit.costs import statements
from tests.kit.factories import AccountFactory

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("with_ladder")]

MOST_STATEMENTS = 5


def version(name: str, owner: User | None = None, **rating: Any) -> ProgramVersion:
    """Return a version with a rating in Mia."""
    owner = owner or AccountFactory()
    program = commands.make_program(owner.pk, name).result()
    made, _token = commands.make_version(owner.pk, program.pk).result()
    Rating.objects.create(
        user=made.user,
        last_at=timezone.now(),
        **{"game": "mia", "pool": Pool.PROGRAMS, "mu": 25, "sigma": 1, "matches": 30, **rating},
    )
    return made


def table(*versions: ProgramVersion) -> Room:
    """Return a running table of the ladder."""
    room = Room.objects.create(game="mia", options={}, ladder=True, status=Room.Status.PLAYING)
    for one in versions:
        Member.objects.create(room=room, user=one.user, name=str(one), key=str(one))
    return room


def data() -> Any:
    return Client().get("/ladder/mia.json").json()


def test_versions_are_ordered_by_the_strength_they_almost_certainly_have() -> None:
    ann = AccountFactory(username="ann")
    version("Uncertain", mu=30, sigma=4)
    version("Certain", ann, mu=26, sigma=1, matches=3)
    version("Weak", mu=20)
    version("Elsewhere", game="coup")
    lines = data()["versions"]
    assert [line["program"] for line in lines] == ["Certain", "Uncertain", "Weak"]
    first = lines[0]
    assert (first["place"], first["version"], first["author"]) == (1, 1, "ann")
    assert (first["rating"], first["deviation"], first["matches"]) == (1560, 60, 3)
    assert first["new"]
    page = Client().get("/ladder/mia/").content.decode()
    assert "Certain v1" in page
    assert "/people/Certain%20v1/" in page


def test_retired_versions_are_not_listed() -> None:
    ann = AccountFactory()
    gone = version("Gone", ann)
    commands.retire(ann.pk, gone.pk).result()
    version("Stays")
    assert [line["program"] for line in data()["versions"]] == ["Stays"]


def test_latest_match_in_this_game_is_linked() -> None:
    nemo = version("Nemo")
    numbers = {}
    for no, game in ((1, "mia"), (2, "mia"), (3, "coup")):
        room = Room.objects.create(game=game, options={}, ladder=True)
        match = Match.objects.create(
            room=room,
            game=game,
            game_version=1,
            options={},
            nonces=[],
            state={},
            no=no,
            ended_at=timezone.now(),
        )
        Player.objects.create(match=match, seat=0, user=nemo.user, name="Nemo v1", no=no)
        numbers[no] = match.pk
    (line,) = data()["versions"]
    assert line["latest"] == numbers[2]
    assert f"/matches/{numbers[2]}/" in Client().get("/ladder/mia/").content.decode()


def test_running_tables_can_be_watched() -> None:
    nemo, ahab = version("Nemo"), version("Ahab")
    room = table(nemo, ahab)
    assert data()["tables"] == [{"room": room.code, "players": ["Nemo v1", "Ahab v1"]}]
    client = Client()
    page = client.get("/ladder/mia/").content.decode()
    assert f'formaction="/t/{room.code}/"' in page
    joining = client.get(f"/t/{room.code}/").content.decode()
    assert "You can watch." in joining
    assert "Just watch" not in joining


def test_empty_ladder_says_when_versions_appear() -> None:
    page = Client().get("/ladder/mia/").content.decode()
    assert "after its first rated match" in page
    assert "No match is running" in page
    assert Client().get("/ladder/chess/").status_code == 404


def test_leaderboard_links_to_the_ladder_only_if_there_is_one(settings: Any) -> None:
    assert "/ladder/mia/" in Client().get("/league/mia/").content.decode()
    settings.LADDER = False
    assert "/ladder/mia/" not in Client().get("/league/mia/").content.decode()


def test_ladder_has_few_statements(monkeypatch: pytest.MonkeyPatch) -> None:
    versions = [version(f"Number {number}") for number in range(8)]
    table(*versions[:4])
    client = Client()
    with statements(monkeypatch) as said:
        client.get("/ladder/mia/")
    assert 0 < len(said) <= MOST_STATEMENTS, said
