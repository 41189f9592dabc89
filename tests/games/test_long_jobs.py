"""Jobs on long histories run in small portions and can be interrupted after each."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy

import pytest
from django.test import Client

from accounts.models import User
from chat.models import Message
from games import rooms
from games.engine import long_jobs
from games.engine.writer import command
from games.history import account_merge, erasure, staff
from games.models import Invitation, LongJob, Match, Member, Player, Room
from lobby import progress
from tests.kit.costs import statements
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import PASSWORD, account, as_guest, as_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

MOST_STATEMENTS = 450


def long_past(guest: User, length: int) -> None:
    """Tables, matches, messages and invitations, with and without the guest."""
    other = PersonFactory(name="Eve")
    template = start_match(open_table(guest, other))
    seats = list(Player.objects.filter(match=template))
    command(staff.end_match)(template.room_id, "enough").result()
    template.refresh_from_db()
    places = Room.objects.bulk_create(Room(game="mia", code=f"P{n:04}") for n in range(length))
    Member.objects.bulk_create(
        Member(room=room, user=who, name=who.name, key=who.name.lower(), left_at=left)
        for room in places
        for who in (guest, other)
        for left in [None if room.pk % 2 else template.started_at]
    )
    played = Match.objects.bulk_create(_copies(template, places))
    Player.objects.bulk_create(
        Player(match=match, seat=s.seat, user_id=s.user_id, name=s.name)
        for match in played
        for s in seats
    )
    Message.objects.bulk_create(
        Message(thread=f"room:{room.pk}", author=guest, name=guest.name, text="words of mine")
        for room in places
    )
    Invitation.objects.bulk_create(Invitation(room=room, user=guest, by="Eve") for room in places)


def _copies(match: Match, places: list[Room]) -> list[Match]:
    made = []
    for room in places:
        one = copy(match)
        one.pk, one._state, one.room = None, copy(match._state), room
        one._state.adding = True
        made.append(one)
    return made


def merge(guest: User) -> None:
    user = User.objects.filter(username="Zora").first() or account("Zora")
    account_merge.merge_accounts(guest.pk, user.pk).result()


def erase(guest: User) -> None:
    erasure.start(guest.pk).result()


def rename(guest: User) -> None:
    command(staff.take_name)(guest.pk, "rude").result()


def unsay(guest: User) -> None:
    command(staff.remove_all_messages)(guest.pk).result()


def lock(guest: User) -> None:
    command(staff.decide)(guest.pk, "lock", "rude").result()


def show(guest: User) -> None:
    account_merge.show_registered(guest.pk).result()


def is_merged(guest: User) -> bool:
    zora = User.objects.get(username="Zora")
    moved = (zora.member_set, zora.player_set, zora.message_set, zora.invitation_set)
    return not User.objects.filter(pk=guest.pk).exists() and all(of.exists() for of in moved)


def is_erased(guest: User) -> bool:
    named = (Member, Player, Message)
    there = any(model.objects.filter(name="Ann").exists() for model in named)
    return not there and not User.objects.filter(pk=guest.pk).exists()


def is_renamed(guest: User) -> bool:
    return not any(m.objects.filter(name="Ann").exists() for m in (Member, Player, Message))


def is_silent(guest: User) -> bool:
    return not Message.objects.filter(author=guest, hidden=False).exists()


def is_away(guest: User) -> bool:
    return not Member.objects.filter(user=guest, left_at=None).exists()


def is_shown(guest: User) -> bool:
    present = Room.objects.filter(members__user=guest, members__left_at=None)
    return all(room.version for room in present)


JOBS = pytest.mark.parametrize(
    ("begin", "is_done"),
    [
        (merge, is_merged),
        (erase, is_erased),
        (rename, is_renamed),
        (unsay, is_silent),
        (lock, is_away),
        (show, is_shown),
    ],
)
Begin, IsDone = Callable[[User], None], Callable[[User], bool]


def test_every_kind_of_job_is_tested_here() -> None:
    assert set(long_jobs.registered()) == {
        *(account_merge.MERGE, account_merge.SHOW, erasure.ERASE),
        *(staff.RENAME, staff.SEND_AWAY, staff.UNSAY),
    }


@JOBS
def test_batch_size_does_not_depend_on_the_length_of_the_history(
    begin: Begin, is_done: IsDone, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = PersonFactory(name="Ann")
    long_past(guest, 250)
    with statements(monkeypatch) as found:
        begin(guest)
    assert len(found) <= MOST_STATEMENTS
    portions = 0
    while job := LongJob.objects.filter(person=guest).first():
        with statements(monkeypatch) as found:
            long_jobs.portion(job.pk).result()
        assert len(found) <= MOST_STATEMENTS
        portions += 1
    assert portions
    assert is_done(guest)


@JOBS
def test_job_is_finished_after_a_crash_at_any_point(begin: Begin, is_done: IsDone) -> None:
    """A killed process keeps its commits. After each portion another process continues."""
    guest = PersonFactory(name="Ann")
    long_past(guest, 60)
    begin(guest)
    job = LongJob.objects.get(person=guest)
    before = long_jobs.left(guest.pk)
    assert not is_done(guest)
    long_jobs.portion(job.pk).result()
    assert long_jobs.left(guest.pk) < before
    long_jobs.work_on_all()
    assert not LongJob.objects.exists()
    assert is_done(guest)


def test_other_requests_are_served_between_batches() -> None:
    guest, eve = PersonFactory(name="Ann"), PersonFactory()
    long_past(guest, 60)
    room = open_table(eve)
    erase(guest)
    rooms.say(room.pk, eve.pk, "still here").result()
    assert LongJob.objects.filter(person=guest).exists()
    assert Message.objects.filter(text="still here").exists()


def test_failed_job_is_retried_only_after_a_delay(monkeypatch: pytest.MonkeyPatch) -> None:
    guest, other = PersonFactory(name="Ann"), PersonFactory(name="Ben")
    command(lambda: [long_jobs.ask(erasure.ERASE, one.pk) for one in (guest, other)])().result()
    really = erasure._remove

    def stumble(job: LongJob) -> None:
        if job.person_id == guest.pk:
            raise RuntimeError
        really(job)

    kind = long_jobs.Kind(erasure.STEPS, stumble)
    monkeypatch.setitem(long_jobs._kinds, erasure.ERASE, kind)
    long_jobs.work_on_all()
    assert LongJob.objects.get().person == guest
    assert not User.objects.filter(pk=other.pk).exists()


def test_erasing_an_account_during_a_merge_also_erases_the_guest() -> None:
    guest = PersonFactory(name="Ann")
    long_past(guest, 60)
    merge(guest)
    erasure.start(User.objects.get(username="Zora").pk).result()
    long_jobs.work_on_all()
    assert is_erased(guest)
    assert not User.objects.filter(username="Zora").exists()


PART = {"HX-Request": "true"}
"""Headers with which htmx asks for a part of a page."""


def test_login_does_not_wait_for_a_long_history(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_jobs, "WAITS", 0)
    client, guest = as_guest("Ann")
    long_past(guest, 60)
    zora = account("Zora")
    client.post("/account/login/", {"login": "Zora", "password": PASSWORD})
    assert client.session["_auth_user_id"] == str(zora.pk)
    page = client.get("/you/").content.decode()
    assert "We are still moving your tables" in page
    assert "<progress" in page
    assert "<progress" in client.get("/you/merging/", headers=PART).content.decode()
    long_jobs.work_on_all()
    assert "Everything has been moved" in client.get("/you/merging/", headers=PART).content.decode()
    assert "<progress" not in client.get("/you/").content.decode()


def test_progress_of_a_long_deletion_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_jobs, "WAITS", 0)
    client, guest = as_guest("Ann")
    long_past(guest, 60)
    address = client.post("/you/delete/", {"sure": "on"}).headers["Location"]
    assert "<progress" in Client().get(address).content.decode()
    assert as_user(PersonFactory()).get(f"{address[:-2]}x/").status_code == 404
    long_jobs.work_on_all()
    assert "Your account is deleted" in Client().get(address).content.decode()
    assert progress.sign(guest.pk) in address or not User.objects.filter(pk=guest.pk).exists()
