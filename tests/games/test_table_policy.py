"""For special tables, the platform asks their policy and reports finished matches to it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from games import rooms
from games.contract.core import Refused
from games.engine import matches, table_policy
from games.engine.signals import match_finished
from games.engine.snapshots import load_snapshot
from games.engine.table_policy import TablePolicy
from games.models import Match, Room
from games.udp.policy import POLICY
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.repository import ROOT, files

KNOWS_UDP = ("games/udp/", "games/models/", "conformance/")


@pytest.mark.django_db(transaction=True)
class TestMatchFinished:
    @pytest.fixture
    def heard(self) -> Any:
        heard: list[tuple[int, Any]] = []

        def receive(sender: Any, room: Room, match: Any, **_: Any) -> None:
            heard.append((room.pk, match))

        match_finished.connect(receive)
        yield heard
        match_finished.disconnect(receive)

    def test_finished_match_is_reported_once_with_its_outcome(self, heard: Any) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        room = open_table(ann, bob)
        match = start_match(room)
        rooms.leave(room.pk, bob.pk).result()
        ((told, end),) = heard
        assert told == room.pk
        assert end.over
        assert end.row.pk == match.pk

    def test_stopped_match_is_reported_without_an_outcome(self, heard: Any) -> None:
        room = open_table(PersonFactory(), PersonFactory())
        match = start_match(room)
        matches.give_up(match.pk).result()
        assert heard == [(room.pk, None)]

    def test_failing_receiver_rolls_back_the_end(self) -> None:
        def fail(sender: Any, **_: Any) -> None:
            raise Refused("busy")

        ann, bob = PersonFactory(), PersonFactory()
        room = open_table(ann, bob)
        match = start_match(room)
        match_finished.connect(fail)
        try:
            with pytest.raises(Refused, match="busy"):
                rooms.leave(room.pk, bob.pk).result()
        finally:
            match_finished.disconnect(fail)
        assert not load_snapshot(match.pk).over
        assert Match.objects.get(pk=match.pk).ended_at is None


class TestPolicies:
    @pytest.mark.django_db(transaction=True)
    def test_policy_restricts_commands_and_options(self, monkeypatch: pytest.MonkeyPatch) -> None:
        ann, bob = PersonFactory(), PersonFactory()
        room = open_table(ann, bob)
        rounds = replace(TablePolicy(), continuous=True, fixed_options={"lives": 1})
        monkeypatch.setitem(table_policy._by_kind, Room.Kind.PEOPLE, rounds)
        with pytest.raises(Refused, match="not_allowed_now"):
            rooms.start(room.pk, ann.pk).result()
        rooms.set_options(room.pk, ann.pk, {"lives": 5}).result()
        room.refresh_from_db()
        assert room.options["lives"] == 1

    @pytest.mark.parametrize(
        ("policy", "bot", "person"),
        [(TablePolicy(), "Ada (bot)", "Ann 2"), (POLICY, "Ada-bot", "Ann-2")],
    )
    def test_names_follow_the_table_policy(
        self, policy: TablePolicy, bot: str, person: str
    ) -> None:
        assert policy.bot_names(["Ada"]) == [bot]
        assert policy.person_name("Ann 2") == person


def test_only_the_udp_package_checks_for_the_udp_table() -> None:
    """The platform knows special tables only by their policy. Extend it if you need more."""
    asks = re.compile(r"\.udp\b(?!\.)|\budp_round\b|Kind\.UDP")
    found = [
        f"{name}: {line.strip()}"
        for name in files(".py")
        if name.startswith(("games/", "lobby/", "chat/")) and not name.startswith(KNOWS_UDP)
        for line in (ROOT / name).read_text("utf-8").splitlines()
        if asks.search(line) and "import" not in line
    ]
    assert not found
