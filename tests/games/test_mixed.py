"""Matches of luck version 2: played, replayed and checked like those of version 1."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games.contract.luck import Luck, commitment, mix
from games.contract.mixing import Share, list_of, share_of
from games.engine import matches
from games.engine.mixed import Mixed
from games.engine.snapshots import cache, load_snapshot
from games.engine.writer import command
from games.history import erasure
from games.history.luck_record import luck_record
from games.history.replay import unfold
from games.models import Match, Room
from games.registry import GAMES
from games.rooms import members
from games.tables.loading import load
from parlour_client import verify
from tests.kit.corpus import play_on
from tests.kit.factories import PersonFactory, open_table
from tests.kit.quick import quick
from tests.kit.sent import sync_data

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "a1" * 32


@command
def begin(room_id: int) -> int:
    """Begin a match to whose luck the first player adds."""
    room = members.room_of(room_id)
    seated = list(members.players_now(room))
    committed = commitment(bytes.fromhex(room.secret))
    shares = [Share(member.name) for member in seated]
    share = share_of(committed, seated[0].name, SECRET)
    shares[0] = Share(seated[0].name, share, SECRET)
    mixed = Mixed(list_of(committed, room.game, room.options, shares), shares)
    return int(matches.begin(room, seated, mixed=mixed).row.pk)


def played(slug: str = "mia", **options: Any) -> Match:
    people = [PersonFactory() for _ in range(max(2, GAMES[slug].seats[0]))]
    match_id = begin(open_table(*people, game=slug, bots=1, **options).pk).result()
    play_on(match_id, Luck(b"mixed", 0))
    return Match.objects.get(pk=match_id)


def errors(match: Match) -> list[str]:
    """Return what the verifier says that knows no code of the server."""
    return list(verify.differences(verify.read(json.dumps(luck_record(match)))))


@pytest.mark.parametrize("slug", quick(GAMES, "mia", "coup"))
def test_match_is_verified_and_replayed(slug: str) -> None:
    match = played(slug)
    assert match.ended_at is not None
    assert errors(match) == []
    out = StringIO()
    call_command("verify_match", match.pk, stdout=out)
    assert "1 of " in out.getvalue()
    assert "draws follow from the seed." in out.getvalue()
    replay = unfold(match)
    assert replay is not None
    assert not replay.has_changed


def test_forged_draws_and_secrets_are_reported() -> None:
    match = played(lives=1)
    act = next(one for one in match.acts.order_by("number") if one.draws)
    act.draws[0]["value"] = [*reversed(act.draws[0]["value"])]
    act.save()
    with pytest.raises(CommandError, match="does not follow from the seed: 1 difference"):
        call_command("verify_match", match.pk, stdout=StringIO())
    assert len(errors(match)) == 1
    match.mixed["seats"][0][1] = "b2" * 32
    match.save(update_fields=["mixed"])
    assert len(errors(match)) > 1


def test_match_continues_after_it_was_loaded_again() -> None:
    room = open_table(PersonFactory(), PersonFactory(), bots=1)
    match_id = begin(room.pk).result()
    while Match.objects.get(pk=match_id).ended_at is None:
        cache.evict(match_id)
        play_on(match_id, Luck(b"step", Match.objects.get(pk=match_id).version), acts=1)
    assert errors(Match.objects.get(pk=match_id)) == []


def test_previous_version_parks_the_match() -> None:
    match = played(lives=1)
    with pytest.raises(AttributeError):  # it reads the seed whenever it reads a match
        mix(bytes.fromhex(match.secret), match.nonces)


def test_end_shows_what_was_agreed() -> None:
    match = played(lives=1)
    player = match.players.get(seat=0)
    shown = sync_data(load(match.room_id), player.user_id)["outcome"]["fairness"]
    assert shown["luck"] == 2
    assert "nonces" not in shown
    assert shown["seats"][0] == {
        "username": player.name,
        "share": share_of(shown["commitment"], player.name, SECRET),
        "secret": SECRET,
    }
    assert shown["seats"][1]["share"] is shown["seats"][1]["secret"] is None
    record = luck_record(match)
    assert {name: record[name] for name in ("list", "code", "seed")} == {
        name: shown[name] for name in ("list", "code", "seed")
    }
    assert load_snapshot(match.pk).seed.hex() == shown["seed"]


@pytest.mark.parametrize("seat", [0, 2])
def test_erased_name_is_in_no_record(seat: int) -> None:
    match = played(lives=1)
    player = match.players.get(seat=seat)
    erasure.erase(player.user_id or 0)
    match = Match.objects.get(pk=match.pk)
    assert player.name not in json.dumps(luck_record(match))
    assert player.name not in json.dumps(match.mixed)
    assert luck_record(match)["seats"][seat]["username"] is None
    assert errors(match) == []
    out = StringIO()
    call_command("verify_match", match.pk, stdout=out)
    assert "A name has changed since" in out.getvalue()


def test_room_shows_the_next_commitment_afterwards() -> None:
    match = played(lives=1)
    secret = Room.objects.get(pk=match.room_id).secret
    assert secret != match.secret
    (human,) = match.players.filter(seat=0)
    fairness = sync_data(load(match.room_id), human.user_id)["fairness"]
    assert fairness == {"commitment": commitment(bytes.fromhex(secret))}
