"""Shares, starts, secrets, departures, new names and kills, in any order (`games.rooms.mixing`).

Programs with the honest `parlour_client.luck.Luck` sit at one table. They see what the server
sends, and answer when the machine lets them.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from accounts.models import User
from games import rooms
from games.contract.core import Ignored, Refused
from games.contract.luck import commitment
from games.contract.mixing import Share, list_of, share_of
from games.engine import draining, grace, long_jobs, snapshots, time_source
from games.engine.memory import memory
from games.engine.writer import command
from games.history import account_merge, erasure, staff
from games.models import Announcement, Match, Member, Room
from games.pages.page import first_view
from games.rooms import hosting, members
from games.rooms import mixing as mixes
from games.rooms.mixing_records import Mixing, mixing_of, running_mixing
from games.tables.diff import packets
from games.tables.loading import load
from games.wire.wire import to_text
from parlour_client.luck import SLANDERED, THROWN, Luck
from tests.kit import moderation_helpers
from tests.kit.counted import killed_at
from tests.kit.factories import AccountFactory, PersonFactory, open_table
from tests.kit.sent import sync_data

pytestmark = pytest.mark.django_db(transaction=True)

PEOPLE = 4
OPTIONS = {"lives": 1}
COMMANDS: dict[str, Any] = {"CommitLuck": rooms.commit_luck, "RevealLuck": rooms.reveal_luck}
PERSONAL = [
    "another_program_adds",
    "is_away_for_a_moment",
    "is_erased",
    "is_kicked",
    "joins",
    "leaves",
    "logs_in",
    "loses_its_connection",
    "loses_the_name",
    "opens_a_page",
    "plays",
    "returns",
    "returns_with_another_name",
    "watches",
]
TABLE = ["everybody_sends", "starts", "time_runs_out"]
OTHERS = ["options_change", "drain_begins", "killed: start", "killed: send", "killed: time"]
EVENTS = st.one_of(
    st.sampled_from(["sends", *TABLE]),
    st.sampled_from(["sends", *TABLE]),
    st.sampled_from(PERSONAL),
    st.sampled_from(OTHERS),
)
Json = dict[str, Any]


@command
def start(room_id: int) -> int | None:
    """Start the next match, without the limit for hosts."""
    return hosting.start_by_server(members.room_of(room_id))


@command
def put_off(now: Any) -> None:
    grace.put_off(timedelta(minutes=1), now)


def fields(packet: Json) -> list[str]:
    """Return the fields of a packet, in order."""
    return [value for name, value in packet.items() if name != "type"]


class Warnings(logging.Handler):
    """Keeps what the programs say."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


class Honest:
    """A user whose program adds to the luck, and the packets that it has not sent yet."""

    def __init__(self) -> None:
        self.user: User = PersonFactory()
        self.luck, self.outbox = Luck(), list[Json]()
        self.opened: set[str] = set()
        """Lists for which the server has confirmed the secret."""
        self.latest = ""
        """The last list for which the program wanted to open its share."""

    def member(self, room_id: int) -> Member | None:
        """Return the membership of this user, who is connected and not away."""
        here = Member.objects.filter(room=room_id, user=self.user, left_at=None)
        return here.filter(away_since=None).first()

    def see(self, data: Json, me: str) -> None:
        self.luck.synced(data)
        for packet in self.luck.answers(data, me):
            self.outbox.append(packet)
            self.latest = packet.get("list", self.latest)

    def hear(self, packet: Json, me: str) -> None:
        match packet["type"]:
            case "LuckVoid":
                self.luck.voided(packet)
            case "GameStarted":
                self.luck.begun(packet["fairness"])
            case "GameDataSync":
                self.see(packet["data"], me)


class Mixes(RuleBasedStateMachine):
    """One table. `before` is what everybody was shown last."""

    def __init__(self) -> None:
        super().__init__()
        Room.objects.all().delete()
        Announcement.objects.all().delete()
        self.people = [Honest() for _ in range(PEOPLE)]
        opened = open_table(*[one.user for one in self.people[:3]], bots=1, **OPTIONS)
        self.id = opened.pk
        self.listed: dict[str, str] = {}
        """The lists that were seen, by commitment."""
        self.secrets: set[str] = set()
        """Secrets that the server knows and has to hide."""
        self.voids: set[str] = set()
        """The void lists that were seen."""
        self.matches, self.seen = 0, 0
        self.names_nobody = False
        """Whether a list may have become void for a reason that names nobody."""
        self.log = Warnings()
        logging.getLogger("parlour_client").addHandler(self.log)
        self.before = load(self.id)
        for one in self.people:
            self.connects(one)

    def teardown(self) -> None:
        draining.end()
        for _ in range(2 * mixes.TRIES + 1):
            self.time_runs_out()
        assert self.row().mixing_until is None, "a start never ends"
        logging.getLogger("parlour_client").removeHandler(self.log)

    def row(self) -> Room:
        return Room.objects.get(pk=self.id)

    def committed(self) -> str:
        return commitment(bytes.fromhex(self.row().secret))

    def mixing(self) -> Mixing | None:
        return running_mixing(self.row())

    def connects(self, one: Honest) -> None:
        """Open a new connection. Packets that were not sent are lost."""
        one.outbox.clear()
        one.luck.reconnected()
        member = one.member(self.id)
        if member is not None:
            self.tells(one, one.see, sync_data(load(self.id), one.user.pk), member.name)

    def tells(self, one: Honest, see: Callable[[Json, str], None], data: Json, me: str) -> None:
        """Show something to a program. It cannot know that its answer to a list was late."""
        before, was_late = len(self.log.said), one.latest not in one.opened
        see(data, me)
        if was_late:
            self.log.said[before:] = [one for one in self.log.said[before:] if SLANDERED not in one]

    def show(self) -> None:
        """Show the table to everybody, as it is stored."""
        now = load(self.id, self.before)
        self.secrets.add(now.room.secret)
        self._publish(now.room)
        for one in self.people:
            member = one.member(self.id)
            if member is None:
                continue
            for packet in packets(self.before, now, one.user.pk):
                text = to_text(packet)
                self.hides(text)
                self.tells(one, one.hear, json.loads(text), member.name)
        self.before = now

    def _publish(self, room: Room) -> None:
        """Note which secrets are public now: those of void lists, and of matches that began."""
        mixing = mixing_of(room)
        public = {one.server_seed for one in mixing.voids} if mixing is not None else set()
        public |= {seat.secret for one in (mixing.voids if mixing else ()) for seat in one.seats}
        for match in Match.objects.filter(room=room):
            public |= {secret for _share, secret in match.mixed["seats"]}
            if match.ended_at is None:
                self.secrets.add(match.secret)
            else:
                public.add(match.secret)
        self.secrets -= public

    def hides(self, text: str) -> None:
        found = [secret for secret in self.secrets if secret in text]
        assert not found, "a secret is shown before the match begins"

    def do(self, step: Callable[[], object]) -> bool:
        """Carry out a step, unless it is refused, and show the result. Return whether it was."""
        done = False
        with suppress(Refused, Ignored):
            step()
            done = True
        self.show()
        return done

    @rule(what=EVENTS, who=st.integers(0, PEOPLE - 1), statement=st.integers(1, 40))
    def happens(self, what: str, who: int, statement: int) -> None:
        """Let something happen to one of the people, or to the table.

        This is one rule, because Hypothesis leaves out some of the rules in each run.
        """
        if what in PERSONAL or what == "sends":
            getattr(self, what)(self.people[who])
        elif what.startswith("killed"):
            self.is_killed(what.removeprefix("killed: "), statement)
        else:
            getattr(self, what)()

    def sends(self, one: Honest) -> None:
        """Let a program send its next packet."""
        if one.outbox:
            self.send(one, one.outbox.pop(0))

    def everybody_sends(self) -> None:
        for one in self.people:
            while one.outbox:
                self.sends(one)

    def starts(self) -> None:
        """Start a match. A drain ends if it was the reason that this is refused."""
        if self.row().status == Room.Status.PLAYING:
            self.do(lambda: moderation_helpers.end_match(self.id).result())
        elif not self.do(lambda: start(self.id).result()):
            draining.end()

    def time_runs_out(self) -> None:
        Room.objects.filter(pk=self.id).exclude(mixing_until=None).update(
            mixing_until=time_source.now()
        )
        self.continues()

    def continues(self) -> None:
        self.do(lambda: mixes.go_on(self.id).result())

    def send(self, one: Honest, packet: Json) -> None:
        member = one.member(self.id)
        if member is None:
            return
        if "secret" in packet:
            self.secrets.add(packet["secret"])
        enter = COMMANDS[packet["type"]]
        if self.do(lambda: enter(self.id, one.user.pk, *fields(packet)).result()):
            one.luck.confirmed(packet)
            if packet["type"] == "RevealLuck":
                one.opened.add(packet["list"])

    def loses_its_connection(self, one: Honest) -> None:
        self.connects(one)

    def another_program_adds(self, one: Honest) -> None:
        """Let another program of this user replace the share."""
        if (member := one.member(self.id)) is not None:
            shown = self.committed()
            share = share_of(shown, member.name, "ee" * 32)
            self.do(lambda: rooms.commit_luck(self.id, one.user.pk, shown, share).result())

    def leaves(self, one: Honest) -> None:
        self.do(lambda: rooms.leave(self.id, one.user.pk).result())

    def joins(self, one: Honest, name: str | None = None) -> None:
        name = name or str(one.user)
        self.do(lambda: rooms.join(self.row().code, one.user.pk, name).result())
        self.connects(one)

    def returns(self, one: Honest) -> None:
        self.leaves(one)
        self.joins(one)

    def returns_with_another_name(self, one: Honest) -> None:
        self.leaves(one)
        self.joins(one, f"{one.user} again")

    def is_kicked(self, one: Honest) -> None:
        if (member := one.member(self.id)) is not None:
            host = self.row().host_id or 0
            self.do(lambda: rooms.kick(self.id, host, member.name).result())

    def watches(self, one: Honest) -> None:
        self.do(lambda: rooms.set_spectating(self.id, one.user.pk, True).result())

    def plays(self, one: Honest) -> None:
        self.do(lambda: rooms.set_spectating(self.id, one.user.pk, False).result())

    def opens_a_page(self, one: Honest) -> None:
        if (member := one.member(self.id)) is not None:
            self.do(lambda: rooms.opened_page(member.pk).result())

    def is_away_for_a_moment(self, one: Honest) -> None:
        if (member := one.member(self.id)) is not None:
            self.do(lambda: rooms.gone_away([member.pk]).result())
            self.do(lambda: rooms.seen([member.pk]).result())
            self.connects(one)

    def is_erased(self, one: Honest) -> None:
        self.do(lambda: erasure.erase(one.user.pk))
        self.people[self.people.index(one)] = Honest()

    def logs_in(self, one: Honest) -> None:
        """Let a guest log in to an account, which takes over the seat."""
        if one.user.is_guest:
            guest, one.user = one.user, AccountFactory()
            self.do(lambda: account_merge.on_return(None, guest, one.user))
            self.connects(one)

    def loses_the_name(self, one: Honest) -> None:
        self.do(lambda: command(staff.take_name)(one.user.pk, "rude").result())
        self.do(lambda: long_jobs.work(one.user.pk))
        one.user.refresh_from_db()
        self.connects(one)

    def options_change(self) -> None:
        """Change an option as the host does, or if that is refused, in the database."""
        host, lives = self.row().host_id or 0, 3 - self.row().options["lives"]
        if not self.do(lambda: rooms.set_options(self.id, host, {"lives": lives}).result()):
            options = {**self.row().options, "lives": lives}
            Room.objects.filter(pk=self.id).update(options=options)
            self.names_nobody = True

    def drain_begins(self) -> None:
        draining.begin(time_source.now() + timedelta(hours=1))

    def is_killed(self, what: str, statement: int) -> None:
        """Kill the process within a step. Another process continues with what is stored."""
        was, is_over = self.stored(), False
        with killed_at(statement):
            with suppress(Refused, Ignored), transaction.atomic():
                self.step(what)
            is_over = True
        memory.evict(self.id)
        snapshots.cache.clear()
        assert is_over or self.stored() == was, "half of a step is stored"
        put_off(time_source.now()).result()
        self.show()
        for one in self.people:
            self.connects(one)

    def step(self, what: str) -> None:
        """Do one of these in this thread."""
        if what == "start":
            if self.row().status != Room.Status.PLAYING:
                hosting.start_by_server(self.row())
        elif what == "time":
            Room.objects.filter(pk=self.id).exclude(mixing_until=None).update(
                mixing_until=time_source.now()
            )
            mixes.go_on.__wrapped__(self.id)  # type: ignore[attr-defined]
        else:
            one = next((one for one in self.people if one.outbox), None)
            member = one.member(self.id) if one is not None else None
            if one is not None and member is not None:
                packet = one.outbox[0]
                COMMANDS[packet["type"]].__wrapped__(self.row(), member, *fields(packet))

    def stored(self) -> list[object]:
        row = self.row()
        shares = list(row.members.order_by("pk").values_list("pk", "share"))
        return [row.secret, row.mixing, row.mixing_until, row.status, row.match_id, shares]

    @invariant()
    def there_is_one_list_for_a_commitment(self) -> None:
        mixing = self.mixing()
        if mixing is not None and mixing.listed is not None:
            first = self.listed.setdefault(self.committed(), mixing.listed)
            assert first == mixing.listed, "a second list for one commitment"

    @invariant()
    def void_lists_are_right(self) -> None:
        mixing = mixing_of(self.row())
        for one in mixing.voids if mixing is not None else ():
            shown = commitment(bytes.fromhex(one.server_seed))
            assert shown != self.committed(), "a published seed is used again"
            assert self.listed.get(shown, one.listed) == one.listed
            if one.listed not in self.voids:
                self.voids.add(one.listed)
                silent = {seat.username for seat in one.seats if seat.share and not seat.secret}
                here = set(members.players_now(self.row()).values_list("name", flat=True))
                assert {*one.missing} <= silent
                assert not {*(one.gone or ())} & here

    @invariant()
    def matches_begin_with_what_was_agreed(self) -> None:
        for match in Match.objects.filter(room=self.id, pk__gt=self.matches).order_by("pk"):
            self.matches = match.pk
            shown, seats = commitment(bytes.fromhex(match.secret)), list[Share]()
            players = match.players.filter(seat__lt=len(match.mixed["seats"])).order_by("seat")
            for player, (share, secret) in zip(players, match.mixed["seats"], strict=True):
                seats.append(Share(player.name, share, secret))
                assert (share is None) == (secret is None), "a share is not opened"
                assert secret is None or share == share_of(shown, player.name, secret)
            assert match.mixed["list"] == list_of(shown, match.game, match.options, seats)
            assert self.listed.get(shown, match.mixed["list"]) == match.mixed["list"]

    @invariant()
    def secrets_are_in_no_page(self) -> None:
        room = self.row()
        if room.version == self.seen:
            return
        self.seen = room.version
        first = next((one.user.pk for one in self.people if one.member(self.id)), None)
        for user_id in {first, None}:
            self.hides("".join(first_view(room, user_id, "en").values()))

    @invariant()
    def honest_programs_do_not_warn(self) -> None:
        said = [one for one in self.log.said if "Do not trust" in one]  # others are notes
        said = [one for one in said if not (self.names_nobody and THROWN in one)]
        assert not said, " ".join(said)


@pytest.mark.slow
def test_any_order_of_events_keeps_the_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    # Programs send when the machine lets them, which may take long.
    monkeypatch.setattr("parlour_client.luck.PATIENCE_SECONDS", 3600)
    run_state_machine_as_test(
        Mixes,
        settings=settings(
            max_examples=30,
            stateful_step_count=30,
            deadline=None,
            suppress_health_check=list(HealthCheck),
        ),
    )
