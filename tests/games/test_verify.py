"""`manage.py verify_match` recomputes the random draws of a finished match, and finds forgeries."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from games import rooms
from games.contract.core import Ignored
from games.contract.data import pack
from games.contract.luck import Luck
from games.engine.snapshots import seed_of
from games.models import Act, Match, Player
from tests.kit.acting import act, on_turn, play_out
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.version1 import start_before

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).parent.parent.parent
FAIR = "draws follow from the seed."


@pytest.fixture
def match() -> Match:
    """A match whose luck has version 1. `tests/games/test_mixed.py` verifies those of version 2."""
    return play_out(open_table(PersonFactory(), PersonFactory(), lives=1), start_before)


def verify(match: Match, **options: object) -> str:
    """Return the command's output, whether it succeeds or not."""
    out = StringIO()
    try:
        call_command("verify_match", match.pk, stdout=out, **options)
    except CommandError as error:
        return f"{out.getvalue()}\nERROR {error}"
    return out.getvalue()


def test_unmodified_match_is_verified(match: Match) -> None:
    said = verify(match)
    assert hashlib.sha256(bytes.fromhex(match.secret)).hexdigest() in said
    assert "2 nonces were derived from the server seed, not chosen." in said
    assert "All 5 draws follow from the seed." in said
    assert "Nothing was changed after the commitment" in said
    assert "who played and sent the last nonce" in said


def test_noted_commitment_is_compared() -> None:
    host = PersonFactory()
    room = open_table(host, PersonFactory(), lives=1)
    noted = hashlib.sha256(bytes.fromhex(room.secret)).hexdigest()
    match = play_out(room)
    assert FAIR in verify(match, commitment=noted.upper())
    assert f"The commitment was {'0' * 64}" in verify(match, commitment="0" * 64)


def forge_a_die(match: Match) -> None:
    forged = match.acts.get(number=4)
    forged.draws[1]["value"] = (forged.draws[1]["value"] + 1) % 6
    forged.save()


def forge_the_order(match: Match) -> None:
    forged = match.acts.get(number=1)
    forged.draws[0]["value"].reverse()
    forged.save()


def forge_a_size(match: Match) -> None:
    forged = match.acts.get(number=2)
    forged.draws[0]["size"] = 10**30
    forged.save()


def forge_a_size_of_nothing(match: Match) -> None:
    forged = match.acts.get(number=2)
    forged.draws[0]["size"] = 0
    forged.save()


def forge_a_shuffle_of_too_many(match: Match) -> None:
    forged = match.acts.get(number=1)
    forged.draws[0]["size"] = 10**12
    forged.save()


def forge_what_is_no_draw(match: Match) -> None:
    match.acts.filter(number=2).update(draws=[{"label": "die"}])


def forge_the_server_seed(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(secret="ab" * 32)


def forge_a_nonce(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(nonces=[match.nonces[0], "chosen by the operator"])


def forge_a_nonce_too_many(match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(nonces=[*match.nonces, "of nobody"])


def take_an_act_away(match: Match) -> None:
    match.acts.filter(number=2).delete()


def add_an_act(match: Match) -> None:
    Act.objects.create(match=match, number=99, kind=Act.Kind.MOVE, seat=0, prompt=77)


def move_draws_to_another_act(match: Match) -> None:
    first, second = match.acts.get(number=2), match.acts.get(number=4)
    first.draws, second.draws = second.draws, first.draws
    first.save()
    second.save()


@pytest.mark.parametrize(
    ("forge", "sentence"),
    [
        (forge_a_die, "Act 4, draw 2 (die, 6): the log says"),
        (forge_the_order, "Act 1, draw 1 (order, 2): the log says"),
        (forge_a_size, "Act 2, draw 1 (die, 1000000000000000000000000000000): there is no such"),
        (forge_a_size_of_nothing, "Act 2, draw 1 (die, 0): there is no such draw"),
        (forge_a_shuffle_of_too_many, "Act 1, draw 1 (order, 1000000000000): there is no such"),
        (forge_what_is_no_draw, "Act 2: its draws cannot be read"),
        (forge_a_nonce_too_many, "2 players began the match, but its seed was made for 3."),
        (take_an_act_away, "Act 2 is missing from the log."),
        (add_an_act, "Act 99 is in the log, but the match has only 5 acts."),
    ],
)
def test_forgery_is_reported(match: Match, forge: Callable[[Match], None], sentence: str) -> None:
    forge(match)
    said = verify(match)
    assert sentence in said
    assert "ERROR" in said
    assert FAIR not in said


@pytest.mark.parametrize("forge", [forge_the_server_seed, forge_a_nonce, move_draws_to_another_act])
def test_draws_that_do_not_follow_from_the_seed_are_reported(
    match: Match, forge: Callable[[Match], None]
) -> None:
    """The secret is fixed, because the dice may coincide by chance (1 in 1,296)."""
    Match.objects.filter(pk=match.pk).update(secret="00" * 32, nonces=["a", "b"])
    match.refresh_from_db()
    _draw_anew(match)
    assert FAIR in verify(match)
    forge(match)
    assert "the log says" in verify(match)


def test_running_and_unknown_matches_are_refused() -> None:
    match = start_match(open_table(PersonFactory(), PersonFactory()))
    running = verify(match)
    assert "still running" in running
    assert match.secret not in running
    match.pk = 4711
    assert "There is no match 4711." in verify(match)


def test_match_with_leavers_and_substitutes_is_verified() -> None:
    ann, bob, eve = PersonFactory(), PersonFactory(), PersonFactory()
    room = open_table(ann, bob, eve, onLeave="substitute", lives=1)
    match = start_match(room)
    rooms.leave(room.pk, bob.pk).result()
    rooms.join(room.code, bob.pk, str(bob)).result()
    while Match.objects.get(pk=match.pk).ended_at is None:
        for player in Player.objects.filter(match=match, out=False):
            with suppress(Ignored):
                act(match, player, "Continue")
        act(match, on_turn(match), "Roll")
        act(match, on_turn(match), "Announce", dice="2,1")
    match.refresh_from_db()
    assert FAIR in verify(match)


@pytest.mark.parametrize(("forged", "code"), [(False, 0), (True, 1)])
def test_exit_code_reports_a_forgery(match: Match, forged: bool, code: int) -> None:
    if forged:
        forge_a_die(match)
    database = f"sqlite:///{connection.settings_dict['NAME']}"
    done = subprocess.run(
        [sys.executable, "manage.py", "verify_match", str(match.pk)],
        cwd=ROOT,
        env={"DATABASE_URL": database, "SECRET_KEY": "for this test", "PATH": ""},
        capture_output=True,
        text=True,
    )
    assert done.returncode == code, done.stderr
    assert (FAIR in done.stdout) is not forged


def _draw_anew(match: Match) -> None:
    """Rewrite the log with the draws of this secret."""
    for step in match.acts.all():
        luck = Luck(seed_of(match), step.number)
        for draw in step.draws:
            again = luck.draw if isinstance(draw["value"], int) else luck.shuffle
            again(draw["label"], draw["size"])
        step.draws = pack(tuple(luck.draws))
        step.save()
