"""Guessing, flooding and hoarding are throttled with a message, and nobody else notices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.core.cache import cache
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError
from django.test import Client, RequestFactory

from accounts import addresses, limits
from accounts.limits import Asker, TooOften, take
from accounts.models import User
from config.reading import read_limit
from games import rooms
from games.contract.core import Ignored, Refused
from games.engine import writer
from games.engine.acts import end_without_result
from games.models import Deck, Match, Room
from games.rooms import passwords
from games.sockets.connections import connection_limiter
from games.sockets.dispatch import carry_out
from games.sockets.hub import close_hub, hub
from games.wire import commands
from tests.kit.client import Program
from tests.kit.downloads import download
from tests.kit.factories import PersonFactory, open_table
from tests.kit.page_socket import logged_in, socket
from tests.kit.people import PASSWORD, account, as_guest, as_user

pytestmark = pytest.mark.django_db(transaction=True)

SENTENCE = "Too many tries"
FAR, ELSEWHERE = "203.0.113.7", "203.0.113.8"
CSV = "kind,text\nprompt,Who ate _?\nanswer,a goose\n"


@pytest.fixture(autouse=True)
def _few(settings: Any) -> Iterator[None]:
    """Limit everything to three, with empty counters for each test."""
    settings.LIMITS = dict.fromkeys(settings.LIMITS, (3, 3600))
    settings.ALLOWED_HOSTS = ["testserver"]
    cache.clear()
    yield
    cache.clear()


def from_afar(address: str = FAR) -> Client:
    return Client(REMOTE_ADDR=address)


def is_refused(answer: Any) -> bool:
    if answer.status_code == 429:
        assert SENTENCE in answer.content.decode()
        assert "Content-Security-Policy" in answer.headers
    return bool(answer.status_code == 429)


@pytest.mark.parametrize("by", ["link", "form"])
def test_table_code_guesses_are_limited(by: str) -> None:
    client, _ = as_guest()
    room = open_table(PersonFactory())

    def guess(code: str) -> Any:
        return client.get(f"/t/{code}/") if by == "link" else client.post("/code/", {"code": code})

    for at in range(3):
        assert guess(f"ZZZZ{at}").status_code in (404, 422)
    assert is_refused(guess("ZZZZ9"))
    assert is_refused(guess(room.code))
    other, _ = as_guest()
    assert other.get(f"/t/{room.code}/").status_code == 200


def test_throttled_guesser_can_still_open_their_own_table() -> None:
    client, guest = as_guest()
    room = open_table(guest)
    for at in range(5):
        client.get(f"/t/ZZZZ{at}/")
    assert is_refused(client.get("/t/ZZZZZ/"))
    assert client.get(f"/t/{room.code}/").status_code == 200


def test_visiting_an_existing_table_is_never_throttled() -> None:
    client, _ = as_guest()
    room = open_table(PersonFactory())
    for _ in range(10):
        assert client.get(f"/t/{room.code}/").status_code == 200


def test_address_may_guess_ten_times_as_often_as_a_person() -> None:
    for at in range(30):
        assert from_afar().get(f"/t/ZZZ{at:02}/").status_code == 404
    assert is_refused(from_afar().get("/t/ZZZZZ/"))
    assert from_afar(ELSEWHERE).get("/t/ZZZZZ/").status_code == 404


def test_table_password_guesses_are_limited() -> None:
    host = PersonFactory()
    rooms.open_room(
        host.pk, "mia", "Ann", password_hash=passwords.hashed("sesame").result()
    ).result()
    room = Room.objects.get()
    client, _ = as_guest("Eve")
    for _ in range(3):
        answer = client.post(f"/t/{room.code}/", {"name": "Eve", "password": "wrong"})
        assert answer.status_code == 422
    assert is_refused(client.post(f"/t/{room.code}/", {"name": "Eve", "password": "sesame"}))
    other, _ = as_guest("Bob")
    answer = other.post(f"/t/{room.code}/", {"name": "Bob", "password": "sesame"})
    assert answer.status_code == 302


def test_guests_per_address_are_limited() -> None:
    for at in range(3):
        answer = from_afar().post("/play/", {"game": "mia", "name": f"G{at}"})
        assert answer.status_code == 302
    assert is_refused(from_afar().post("/play/", {"game": "mia", "name": "G9"}))
    room = Room.objects.first()
    assert room is not None
    assert is_refused(from_afar().post(f"/t/{room.code}/", {"name": "G9"}))
    assert not User.objects.filter(name="G9").exists()
    assert from_afar(ELSEWHERE).post("/play/", {"game": "mia", "name": "G9"}).status_code == 302


def test_deck_uploads_are_limited() -> None:
    client, _ = as_guest()
    deck = {"name": "Geese", "language": "en", "text": CSV}
    for _ in range(3):
        assert client.post("/decks/new/", deck).status_code == 200
    assert is_refused(client.post("/decks/new/", deck | {"keep": "yes"}))
    assert not Deck.objects.exists()


@pytest.mark.parametrize("address", ["/decks/own.json", "/you/data/"])
def test_downloads_are_limited(address: str) -> None:
    client, _ = as_guest()
    for _ in range(3):
        assert download(client, address).status_code == 200
    assert is_refused(download(client, address))


def test_password_guesses_in_the_deletion_form_are_limited() -> None:
    ann = account("Ann")
    client = as_user(ann)
    for _ in range(3):
        assert client.post("/you/delete/", {"password": "x", "sure": "on"}).status_code == 422
    assert is_refused(client.post("/you/delete/", {"password": PASSWORD, "sure": "on"}))
    assert User.objects.filter(pk=ann.pk).exists()


def test_invitations_are_limited_per_sender() -> None:
    host = PersonFactory()
    room = open_table(host)
    for at in range(4):
        account(f"Guest{at}")
    for at in range(3):
        rooms.invite(room.pk, host.pk, f"Guest{at}").result()
    with pytest.raises(Refused) as refused:
        rooms.invite(room.pk, host.pk, "Guest3").result()
    assert refused.value.code == "too_often"


def test_inviting_again_counts_towards_the_invitation_limit() -> None:
    host, gone = PersonFactory(), PersonFactory()
    room = open_table(host, gone)
    rooms.leave(room.pk, gone.pk).result()
    member = room.members.get(user=gone)
    for _ in range(3):
        rooms.invite_again(room.pk, host.pk, member.pk).result()
    with pytest.raises(Refused) as refused:
        rooms.invite_again(room.pk, host.pk, member.pk).result()
    assert refused.value.code == "too_often"


def test_limit_expires_after_its_period() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("accounts.limits.time.time", lambda: 7200.0)
        for _ in range(3):
            take("codes", Asker(person=1))
        with pytest.raises(TooOften):
            take("codes", Asker(person=1))
        patch.setattr("accounts.limits.time.time", lambda: 10800.0)
        take("codes", Asker(person=1))


def test_disabled_limit_allows_any_number(settings: Any) -> None:
    settings.LIMITS = {**settings.LIMITS, "codes": None}
    for _ in range(100):
        take("codes", Asker(person=1, address=FAR))


@pytest.mark.parametrize(
    ("written", "read"),
    [("30/10m", (30, 600)), ("60/h", (60, 3600)), ("5/s", (5, 1)), ("0", None), ("", None)],
)
def test_limit_setting_is_parsed(written: str, read: Any) -> None:
    assert read_limit(written) == read


def test_many_users_behind_one_address_can_log_in_within_a_minute() -> None:
    people = [account(f"Person{number}") for number in range(25)]
    for person in people:
        client = from_afar()
        for password, status in (("mistyped", 200), (PASSWORD, 302)):
            given = {"login": person.username, "password": password}
            assert client.post("/account/login/", given).status_code == status, person


def test_failed_logins_from_one_address_are_limited() -> None:
    answers = [
        from_afar().post("/account/login/", {"login": f"Nobody{number}", "password": "x"})
        for number in range(61)
    ]
    assert "Wrong name or password" in answers[59].content.decode()
    assert "Too many tries" in answers[60].content.decode()


@pytest.mark.parametrize("written", ["30", "x/h", "30/", "-1/h", "0/h", "1/2w"])
def test_invalid_limit_setting_is_rejected(written: str) -> None:
    with pytest.raises(ImproperlyConfigured):
        read_limit(written)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "peer", "counted"),
    [
        (0, "", FAR, FAR),
        (0, "198.51.100.1", FAR, FAR),  # anybody can write that header
        (0, "198.51.100.1", "127.0.0.1", None),
        (0, "", "::1", None),
        (0, "", "", None),
        (1, "198.51.100.1, 203.0.113.7", "10.0.0.2", FAR),
        (2, "6.6.6.6, 203.0.113.7, 10.0.0.9", "10.0.0.2", FAR),
        (1, "", "10.0.0.2", None),
        (1, "nonsense", "10.0.0.2", None),
        (0, "", "2001:db8:1:2:3:4:5:6", "2001:0db8:0001:0002"),
        (0, "", "::ffff:203.0.113.7", FAR),
    ],
)
def test_address_is_counted_only_if_it_identifies_one_visitor(
    settings: Any, proxies: int, forwarded: str, peer: str, counted: str | None
) -> None:
    settings.TRUSTED_PROXIES = proxies
    request = RequestFactory().get("/", REMOTE_ADDR=peer, headers={"X-Forwarded-For": forwarded})
    assert addresses.of_request(request) == counted
    headers = [(b"x-forwarded-for", forwarded.encode())]
    assert addresses.of_scope({"headers": headers, "client": (peer, 1)}) == counted


def test_no_address_is_counted_behind_an_unknown_proxy(settings: Any) -> None:
    settings.HTTPS = True
    assert addresses.of_request(RequestFactory().get("/", REMOTE_ADDR=FAR)) is None


async def entering(program: Program, code: str, **fields: Any) -> Any:
    answer = await program.ask("JoinGame", room=code, username="eve", **fields)
    return answer.get("code") or answer["reason"]


async def test_programs_are_throttled_like_pages() -> None:
    host = await sync_to_async(PersonFactory)()
    hashed = await passwords.hashed("sesame")
    room = await rooms.open_room(host.pk, "mia", "Ann", password_hash=hashed)
    _, cookie = await sync_to_async(logged_in)()
    program = Program()
    program.socket = socket("/api/ws/", cookie)
    async with program:
        for _ in range(3):
            assert await entering(program, room.code, password="wrong") == "WrongPassword"
        assert await entering(program, room.code, password="sesame") == "too_often"
        for _ in range(3):
            assert await entering(program, "ZZZZZ") == "InvalidRoom"
        assert await entering(program, room.code) == "too_often"
        assert (await program.ask("HostGame", game="mia"))["type"] == "GameCreated"
    await close_hub()


def connection(path: str, cookie: str, address: str | None = None) -> Any:
    made = socket(path, cookie)
    if address:
        made.scope["client"] = (address, 1)
    return made


async def code_of(made: Any) -> tuple[int | None, str]:
    """Return the socket's close code, or None if it stays open, and earlier messages."""
    await made.connect()
    said = ""
    while True:
        output = await made.receive_output()
        if output["type"] == "websocket.close":
            return output["code"], said
        said += output["text"]
        if "Welcome" in said or "#status" in said or "#badge" in said:
            return None, said


@pytest.mark.parametrize("path", ["/ws/table/{}/", "/api/ws/", "/ws/lobby/", "/ws/you/"])
async def test_sockets_per_person_are_limited(settings: Any, path: str) -> None:
    settings.SOCKETS_PER_PERSON = 2
    ann, cookie = await sync_to_async(logged_in)()
    room = await sync_to_async(open_table)(ann)
    path = path.format(room.code)
    first, second, third = (connection(path, cookie) for _ in range(3))
    assert [(await code_of(made))[0] for made in (first, second)] == [None, None]
    code, said = await code_of(third)
    assert code == 4008
    assert "lobby" in path or "you" in path or "too many tabs or programs" in said
    await first.disconnect()
    again = connection(path, cookie)
    assert (await code_of(again))[0] is None
    for made in (second, third, again):
        await made.disconnect()
    await close_hub()


@pytest.mark.parametrize("path", ["/ws/table/{}/", "/api/ws/", "/ws/lobby/", "/ws/you/"])
async def test_failed_socket_is_no_longer_counted(monkeypatch: Any, path: str) -> None:
    def fail(*args: Any) -> None:
        raise OperationalError

    ann, cookie = await sync_to_async(logged_in)()
    room = await sync_to_async(open_table)(ann)
    monkeypatch.setattr("accounts.sanctions.lock_of", fail)
    monkeypatch.setattr("games.sockets.hub.load", fail)
    with pytest.raises(OperationalError):
        await code_of(connection(path.format(room.code), cookie))
    assert not connection_limiter._open
    assert not hub().table(room.pk)
    assert not hub()._rooms
    assert not hub().broadcaster._listening
    await close_hub()


async def test_sockets_per_address_are_limited(settings: Any) -> None:
    settings.SOCKETS_PER_ADDRESS = 2
    opened = [connection("/api/ws/", "", FAR) for _ in range(3)]
    assert [(await code_of(made))[0] for made in opened] == [None, None, 4008]
    other = connection("/api/ws/", "", ELSEWHERE)
    assert (await code_of(other))[0] is None
    for made in (*opened, other):
        await made.disconnect()
    await close_hub()


async def test_late_authentication_counts_towards_the_socket_limit(settings: Any) -> None:
    settings.SOCKETS_PER_PERSON = 1
    async with Program() as first:
        made = await first.host()
        async with Program() as second:
            await second.send("JoinGame", room=made["room"], token=made["token"])
            assert await second.closing() == 4008
            assert "ShowAlert" in second.kinds()
    await close_hub()


def test_match_starts_are_limited_per_person_and_per_table() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    for _ in range(3):
        match = Match.objects.get(pk=rooms.start(room.pk, ann.pk).result())
        writer.command(end_without_result)(match).result()
    with pytest.raises(Refused, match="too_often"):
        rooms.start(room.pk, ann.pk).result()
    rooms.set_host(room.pk, ann.pk, str(bob)).result()
    with pytest.raises(Refused, match="too_often"):
        rooms.start(room.pk, bob.pk).result()
    other = open_table(bob, PersonFactory())
    rooms.start(other.pk, bob.pk).result()
    with pytest.raises(Refused, match="too_often"):
        rooms.learn(ann.pk, "mia", str(ann), {}).result()


async def test_match_starts_are_limited_per_address() -> None:
    ann, bob = await sync_to_async(PersonFactory)(), await sync_to_async(PersonFactory)()
    room = await sync_to_async(open_table)(ann, bob)
    for _ in range(limits.PER_ADDRESS * 3):
        with pytest.raises(Ignored):
            await carry_out(room.pk, bob.pk, commands.StartGame(), FAR)
    with pytest.raises(Refused, match="too_often"):
        await carry_out(room.pk, ann.pk, commands.StartGame(), FAR)
    await carry_out(room.pk, ann.pk, commands.StartGame(), ELSEWHERE)


def test_unauthorized_match_start_does_not_use_up_the_tables_limit() -> None:
    ann, bob = PersonFactory(), PersonFactory()
    room = open_table(ann, bob)
    for _ in range(5):
        with pytest.raises(Ignored):
            rooms.start(room.pk, bob.pk).result()
    rooms.start(room.pk, ann.pk).result()
