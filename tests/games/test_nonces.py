"""Matches of luck version 1 still show and verify their nonces, which nobody can send any more."""

from __future__ import annotations

import hashlib
import hmac
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games import rooms
from games.models import Match
from games.pages.page import first_view
from games.tables.loading import load
from tests.kit import moderation_helpers
from tests.kit.acting import act, on_turn
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.sent import sync_data
from tests.kit.version1 import start_before

pytestmark = pytest.mark.django_db(transaction=True)


def finish(match: Match) -> Match:
    """Stop the match where it is."""
    moderation_helpers.end_match(match.room_id).result()
    match.refresh_from_db()
    return match


def derived(match: Match, seat: int) -> str:
    """Derive the nonce of a silent seat as docs/fairness.md specifies, using only this code."""
    key = bytes.fromhex(match.secret)
    return hmac.new(key, b"nonce" + bytes([seat]), hashlib.sha256).hexdigest()


def seed_again(fairness: dict[str, Any]) -> str:
    """Recompute the seed of a match from the values revealed at its end."""
    message = b""
    for entry in fairness["nonces"]:
        nonce = entry["nonce"].encode()
        message += len(nonce).to_bytes(2, "big") + nonce
    return hmac.new(bytes.fromhex(fairness["serverSeed"]), message, hashlib.sha256).hexdigest()


def test_nonce_of_a_former_program_changes_nothing() -> None:
    room = open_table(ann := PersonFactory(), PersonFactory())
    rooms.set_nonce(room.pk, ann.pk, "ann's luck").result()
    assert start_match(room).nonces == [None, None]


def test_old_nonce_still_verifies_and_pages_show_only_its_hash() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    text = "Bär \u202e🎲"
    match = finish(start_before(room, text))
    assert match.nonces[0] == text
    fairness = sync_data(load(room.pk), ann.pk)["outcome"]["fairness"]
    assert fairness["nonces"][0]["nonce"] == text
    assert fairness["seed"] == seed_again(fairness)
    call_command("verify_match", match.pk, stdout=StringIO())
    html = "".join(first_view(room, ann.pk, "en").values())
    assert hashlib.sha256(text.encode()).hexdigest()[:12] in html
    assert "🎲" not in html


def test_end_reveals_the_inputs_of_the_commitment_and_the_seed() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob, lives=1)
    promised = sync_data(load(room.pk), ann.pk)["fairness"]
    match = start_before(room, "", "bob's-own_luck 7")
    assert sync_data(load(room.pk), ann.pk)["fairness"] == promised
    act(match, on_turn(match), "Roll")
    act(match, on_turn(match), "Announce", dice="2,1")
    data = sync_data(load(room.pk), ann.pk)
    shown = data["outcome"]["fairness"]
    server_seed = bytes.fromhex(shown["serverSeed"])
    assert promised == {"commitment": hashlib.sha256(server_seed).hexdigest()}
    match.refresh_from_db()
    assert [one["nonce"] for one in shown["nonces"]] == [derived(match, 0), "bob's-own_luck 7"]
    assert shown["seed"] == seed_again(shown)
    assert data["fairness"] != promised, "what is shown now is for the next match"


def verify(match: Match) -> str:
    out = StringIO()
    try:
        call_command("verify_match", match.pk, stdout=out)
    except CommandError as error:
        return f"{out.getvalue()}{error}"
    return out.getvalue()


def test_verification_reports_a_chosen_bot_nonce() -> None:
    match = finish(start_before(open_table(PersonFactory(), bots=1)))
    named = f"The nonce of {match.players.get(seat=1).name}, a bot, does not follow"
    assert named not in verify(match)
    Match.objects.filter(pk=match.pk).update(nonces=[match.nonces[0], "a lucky one"])
    assert named in verify(match)


def test_verification_explains_bot_nonces_of_old_matches() -> None:
    match = finish(start_before(open_table(PersonFactory(), bots=1)))
    nonces = [match.nonces[0], "a lucky one"]
    Match.objects.filter(pk=match.pk).update(nonces=nonces, nonces_derived=False)
    said = verify(match)
    assert "does not follow from the server seed" not in said
    assert "In this old match, the server chose the nonces of bots." in said
