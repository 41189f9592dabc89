"""Non-interference over every way to read a match: hidden information changes no byte.

The ways to read are listed by the code itself (URLs, sockets, packets, pages of the back office). A
new one must be added here, or the first tests fail. Datagrams are tested in
`tests/udp/test_secrets.py`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from typing import Any

import msgspec
import pytest
from asgiref.sync import async_to_sync
from django.contrib import admin
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import get_resolver, reverse
from django.utils import timezone

from accounts.models import User
from chat.models import Message
from config import asgi
from games import rooms
from games.contract.choices import random_move
from games.contract.data import Seat, encode
from games.contract.luck import Luck
from games.engine import matches, snapshots
from games.engine.writer import command
from games.history import counting, staff
from games.models import Act, Match, Member, Player, Room
from games.registry import GAMES
from games.sockets import api
from games.sockets.api_consumer import ApiConsumer
from games.sockets.pages import TableConsumer
from games.tables.loading import load
from games.wire import commands as packets
from games.wire import server
from games.wire.client import PLATFORM
from lobby.listing import mine, public_tables
from tests.kit.addresses import ABOVE, GETS
from tests.kit.cases import secrets
from tests.kit.downloads import download
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import account, as_user
from tests.kit.sent import wire_packet

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.usefixtures("with_ladder"),
]

SEATS = ("host", "kicked", "left", "back", "stays")
"""Who begins the match, by seat. One is kicked and invited back to watch, one leaves and is
replaced, one leaves and takes the seat back from the bot. Small tables lack the last ones."""
VIEWERS = ("host", "kicked", "left", "back", "watcher", "anonymous", "staff")
OPTIONS: Mapping[str, Mapping[str, Any]] = {
    "mia": {"lives": 1},
    "chamber": {"startLives": 1},
    "coup": {"startCoins": 6},
}

NOT_YET: Mapping[str, Any] = {"key": "call", "gap": 0.5, "numbers": {"true": 31}}
"""A bot's reasons, which nobody may read before the match is over."""

# --- ways to read --------------------------------------------------------------------------------

READ = (
    *("front", "table", "screen", "tables", "match", "person", "you", "download-me"),
    *("matches-file", "match-file", "luck-record", "tables-file", "replay", "people"),
)
"""URLs that reveal something about tables and matches. Every viewer reads them below."""
OF_THE_GAME = ("match", "match-file", "luck-record", "replay", "download-me")
"""URLs that depend on the game. The rest is read in one game, like most of the back office."""
IN_FULL = "coup"
DO = (
    *(name for name, got in GETS.items() if ABOVE in got),
    *("replace-deck", "delete-account"),
)
"""URLs that do something and redirect."""
SILENT = (
    *("new-table", "decks", "new-deck", "deck", "deck-file", "rules", "face", "admin-login"),
    "game-colours",
    "face-of",
    *("reference", "game-reference", "schema-document", "asyncapi-document", "robots"),
    *("manifest", "service-worker", "offline", "security-txt", "person-sheet", "style", "doctor"),
    *("league", "league-file", "leagues", "programs", "ladder", "ladder-file", "ladders"),
    *("waiting", "operations", "type-handoff", "handoff", "offer-handoff"),
    *("progress", "merging"),
)
"""URLs unrelated to matches."""
ADMIN_PAGES = (
    *("index", "login", "logout", "password_change", "password_change_done", "autocomplete"),
    *("jsi18n", "view_on_site", "app_list", "auth_user_password_change", "match-secrets", "None"),
)
"""URLs of the back office that belong to no model.

`match-secrets` requires a separate permission.
"""
OF_A_MODEL = ("changelist", "add", "history", "delete", "change")
SOCKETS = {"ws/table/<str:code>/", "ws/screen/<str:code>/", "ws/lobby/", "ws/you/", "api/ws/"}
ASKED = {"GameDataRequest": server.GameDataSync, "LogRequest": server.Log}
"""Packets whose answer contains more than their result."""
HOLD = {"GameDataSync", "GameDataChanged", "Log", "NewChatMessageSent", "GameStarted", "GameEnd"}
"""Server packets about a match. The tests below read everything pushed."""
SAY_WHO = {
    *("GameCreated", "GameJoined", "GameRejoined", "PlayerJoinRejected", "ActionFailed", "Done"),
    *(
        "Seeking",
        "Matched",
        "TableStart",
        "TableEnd",
        "Welcome",
        "Invited",
        "PlayerJoined",
        "PlayerChanged",
        "PlayerLeft",
        "PlayerConnection",
    ),
    *(
        "HostSet",
        "LuckVoid",
        "OptionsSet",
        "RoomSet",
        "TurnStart",
        "TurnEnd",
        "Nudged",
        "ShowAlert",
    ),
    *("Paused", "Resumed", "SkipAsked", "NewGameOpened", "GameSet", "Reacted"),
    *("VoteCalled", "VoteCast", "VoteChanged", "VoteEnded"),
}
"""Server packets about users and rooms, the same for everybody in a room."""


def addresses(patterns: Any = None, before: str = "") -> Iterator[str]:
    """Return the names of all URLs."""
    for one in get_resolver().url_patterns if patterns is None else patterns:
        if hasattr(one, "url_patterns"):
            space = f"{one.namespace}:" if getattr(one, "namespace", None) else ""
            yield from addresses(one.url_patterns, before + space)
        else:
            yield f"{before}{one.name}"


def test_every_url_is_classified() -> None:
    models = [model._meta for model in admin.site._registry]
    admin_pages = {f"{of.app_label}_{of.model_name}_{page}" for of in models for page in OF_A_MODEL}
    known = {*READ, *DO, *SILENT, *(f"admin:{name}" for name in (*admin_pages, *ADMIN_PAGES))}
    of_accounts = ("account_", "mfa_")
    assert {name for name in addresses() if not name.startswith(of_accounts)} == known


def test_every_socket_is_classified() -> None:
    routes = (*asgi.pages.routes, *asgi.programs.routes)
    assert {str(route.pattern) for route in routes if route.callback is not asgi.nowhere} == SOCKETS


def test_every_packet_is_classified() -> None:
    assert {packet.__name__ for packet in server.PACKETS} == HOLD | SAY_WHO
    told = {packet.__name__ for packet in server.PACKETS if issubclass(packet, server.Answer)}
    assert {answer.__name__ for answer in ASKED.values()} == told - SAY_WHO
    assert set(ASKED) <= PLATFORM


# --- a match with people in every role -----------------------------------------------------------


class WatchedTable:
    """A table during a match. `people` is keyed by role, and the anonymous visitor is None."""

    def __init__(self, slug: str) -> None:
        self.dice = Luck(f"ways to read {slug}".encode(), 1)
        least, most = GAMES[slug].seats
        self.seats = SEATS[:most]
        self.people: dict[str, User | None] = {
            **{role: PersonFactory(name=role) for role in (*self.seats, "watcher")},
            "host": account("host"),
            "anonymous": None,
            "staff": account("staff", is_staff=True),
        }
        seeing = Permission.objects.filter(codename__startswith="view_")
        self.of("staff").user_permissions.set(seeing)
        players = [self.of(role) for role in self.seats]
        options = {"onLeave": "substitute", **OPTIONS.get(slug, {})}
        self.room = open_table(*players, game=slug, bots=max(0, least - len(SEATS)), **options)
        # The same deal in every run, so that the secrets to hide do not depend on chance.
        secret = sha256(f"ways to hide {slug}".encode()).hexdigest()
        Room.objects.filter(pk=self.room.pk).update(secret=secret)
        self.match = start_match(self.room)
        self.join("watcher")
        self.browsers = {
            role: as_user(person) if person else Client() for role, person in self.people.items()
        }
        self.browsers["anonymous"].get("/")  # the first visit offers a lesson
        self.gone: dict[int, int] = {}
        """The acts at which seats were given up for good."""
        self.play(3)
        self.part()
        self.before = load(self.room.pk)
        self.play(3)

    def of(self, role: str) -> User:
        person = self.people[role]
        assert person is not None
        return person

    def join(self, role: str) -> None:
        rooms.join(self.room.code, self.of(role).pk, role, spectate=True).result()

    def part(self) -> None:
        """Let some people leave, bots play for them, and some return."""
        host, member = self.of("host").pk, Member.objects.get(user=self.of("kicked"))
        Member.objects.filter(pk=member.pk).update(away_since=timezone.now())
        rooms.kick(self.room.pk, host, "kicked").result()
        rooms.invite_again(self.room.pk, host, member.pk).result()
        self.join("kicked")
        for role in self.seats[2:4]:  # left, back
            rooms.leave(self.room.pk, self.of(role).pk).result()
        players = {p.name: p for p in snapshots.load_snapshot(self.match.pk).players}
        gone = [players[role] for role in ("kicked", "left") if role in self.seats]
        self.gone = {player.seat: player.gone_at or 0 for player in gone}
        self.play(4)
        if "back" in self.seats:
            self.join("back")
        rooms.say(self.room.pk, self.of("watcher").pk, "what the gallery says").result()

    def play(self, moves: int) -> None:
        """Make this many moves for the players and substitutes who must answer."""
        for _ in range(moves):
            seen = snapshots.load_snapshot(self.match.pk)
            asked = [
                (Seat(player.seat), offers)
                for player in seen.players
                if (offers := seen.game.rules.offers(seen.state, Seat(player.seat)))
            ]
            if seen.over or not asked:
                return
            seat, offers = self.dice.pick("who", asked)
            made = random_move(seen.game.rules.moves, offers, self.dice)
            player = seen.players[seat]
            if player.bot:
                matches.bot_move(self.match.pk, seat, seen.state.prompts[seat], made).result()
            else:
                packet = wire_packet(made, seen.names)
                matches.move(self.room.pk, player.user_id, packet).result()

    def seat(self, role: str) -> Seat | None:
        """Return the seat whose secrets this viewer may know now.

        Determine it without the code under test.
        """
        return Seat(SEATS.index(role)) if role in ("host", "back", "stays") else None

    def was_told(self, role: str, seat: int, version: int) -> bool:
        """Return whether this viewer may know an event that an act sent to a single seat."""
        mine = role in SEATS and SEATS.index(role) == seat
        return mine and version < self.gone.get(seat, version + 1)


def hide(watched: WatchedTable, role: str) -> int:
    """Change everything this viewer may not know. Return the number of events hidden from them."""
    row = Match.objects.get(pk=watched.match.pk)
    match = snapshots.decode_snapshot(row)
    scramble = secrets(GAMES[row.game]).scramble
    row.state = encode(scramble(match.state, watched.seat(role), watched.dice)).decode()
    row.save(update_fields=["state"])
    hidden = 0
    acts = list(Act.objects.filter(match=row))
    for act in acts:
        heard = [
            told
            for told in act.told
            if told["to"] is None
            or any(watched.was_told(role, seat, act.number) for seat in told["to"])
        ]
        hidden += len(act.told) - len(heard)
        act.told, act.move, act.draws = heard, None, []
    Act.objects.bulk_update(acts, ["told", "move", "draws"])
    if watched.seat(role) is not None and not match.players[SEATS.index(role)].out:
        Message.objects.filter(audience="gallery").update(text="something else")
    Player.objects.filter(match=row).update(reason=NOT_YET)
    snapshots.cache.evict(row.pk)
    return hidden


class Kept:
    """The stored rows of a match, for restoring it."""

    def __init__(self, match: Match) -> None:
        self.pk = match.pk
        self.state = Match.objects.values_list("state", flat=True).get(pk=match.pk)
        self.acts = list(Act.objects.filter(match=match))
        self.texts = list(Message.objects.all())

    def put_back(self) -> None:
        Match.objects.filter(pk=self.pk).update(state=self.state)
        Act.objects.bulk_update(self.acts, ["told", "move", "draws"])
        Message.objects.bulk_update(self.texts, ["text"])
        Player.objects.filter(match=self.pk).update(reason=None)
        snapshots.cache.evict(self.pk)


# --- the ways to read, each for one viewer -------------------------------------------------------


def by_pushes(watched: WatchedTable, role: str) -> Iterator[tuple[str, str]]:
    """Yield frames of both sockets: all on joining, and the new ones since earlier acts."""
    person = watched.people[role]
    now = load(watched.room.pk, with_story=True)
    if person is None or now.member(person.pk) is None:
        return
    before, since = watched.before, load(watched.room.pk, watched.before)
    for kind in (TableConsumer, ApiConsumer):
        frames: list[str] = []
        socket: Any = kind()
        socket.user_id, socket.room_id = person.pk, watched.room.pk
        socket.put = lambda *sent, to=frames: to.extend(sent)
        socket.put_update = frames.extend
        socket.show(None, now, {})
        socket.show(before, since, {})
        yield kind.__name__, "\n".join(frames)


def by_asking(watched: WatchedTable, role: str) -> Iterator[tuple[str, str]]:
    """Packets that request something."""
    person = watched.people[role]
    if person is None or load(watched.room.pk).member(person.pk) is None:
        return
    client = api.Client(person.pk, role, watched.room.pk)
    for packet in (packets.GameDataRequest(), packets.LogRequest(0)):
        answer = async_to_sync(api.obey)(client, packet)
        yield type(packet).__name__, str(msgspec.json.encode(answer))


def by_lists(watched: WatchedTable, role: str) -> Iterator[tuple[str, str]]:
    """The sockets that belong to no table: the list of a user's tables, and the public list."""
    yield "public_tables", str(public_tables())
    if (person := watched.people[role]) is not None:
        yield "mine", str(mine(person))


def by_pages(watched: WatchedTable, role: str) -> Iterator[tuple[str, str]]:
    """URLs about tables and matches, including every one of the back office."""
    paths = {
        "table": [watched.room.code],
        "screen": [watched.room.code],
        "match": [watched.match.pk],
        "match-file": [watched.match.pk],
        "luck-record": [watched.match.pk],
        "replay": [watched.match.pk, 3],
        "person": ["host"],
    }
    in_full = watched.room.game == IN_FULL
    for name in READ if in_full else OF_THE_GAME:
        yield name, page(watched, role, reverse(name, args=paths.get(name, [])))
    if role != "staff":
        return
    for model, of in admin.site._registry.items() if in_full else ():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield name, page(watched, role, reverse(f"{name}_changelist"))
        row = of.model._default_manager.first()
        for kind in ("change", "history") if row is not None else ():
            yield f"{name}_{kind}", page(watched, role, reverse(f"{name}_{kind}", args=[row.pk]))
    for name in ("games_match_change", "match-secrets"):
        yield name, page(watched, role, reverse(f"admin:{name}", args=[watched.match.pk]))


def page(watched: WatchedTable, role: str, path: str) -> str:
    browser = watched.browsers[role]
    is_stream = path == reverse("download-me")
    answer = download(browser, path) if is_stream else browser.get(path)
    text = f"{answer.status_code} {answer.headers.get('Location')}\n{answer.content.decode()}"
    for accidental in (
        r'name="csrfmiddlewaretoken" value="\w+"',
        r'name="form_token" value="[-\w]+"',
        r'name="served-at" content="\d+"',
        r"\d+\s(minute|hour)s? ago",
    ):
        text = re.sub(accidental, "", text)
    return text


QUICK = (by_pushes, by_asking, by_lists)


def everything(
    watched: WatchedTable, role: str, ways: tuple[Callable[..., Any], ...]
) -> dict[str, str]:
    """Return all this viewer can read. Leave out the clock, which advances and is public."""
    read = {name: text for way in ways for name, text in way(watched, role)}
    return {name: re.sub(r'"secondsLeft":[\d.]+', "", text) for name, text in read.items()}


def changed(one: Mapping[str, str], other: Mapping[str, str]) -> list[tuple[str, str, str]]:
    """Return where two readings differ: the way, and both texts from the first difference on."""
    found = []
    for name in one.keys() | other.keys():
        a, b = one.get(name, ""), other.get(name, "")
        at = next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), None)
        if at is not None or len(a) != len(b):
            at = min(len(a), len(b)) if at is None else at
            found.append((name, a[max(0, at - 60) : at + 60], b[max(0, at - 60) : at + 60]))
    return found


def never_shown(watched: WatchedTable) -> list[str]:
    """Return the data that nobody may read during the match: its random seed, and the next one."""
    match = Match.objects.get(pk=watched.match.pk)
    return [
        match.secret,
        Room.objects.get(pk=watched.room.pk).secret,
        snapshots.seed_of(match).hex(),
    ]


@pytest.mark.parametrize("slug", GAMES)
def test_hidden_information_changes_nothing_a_viewer_can_read(slug: str) -> None:
    watched = WatchedTable(slug)
    hidden = 0
    for ways in ((*QUICK, by_pages), QUICK):
        if snapshots.load_snapshot(watched.match.pk).over:
            break
        kept = Kept(watched.match)
        for role in (one for one in VIEWERS if one in watched.people):
            seen = everything(watched, role, ways)
            hidden += hide(watched, role)
            assert changed(seen, everything(watched, role, ways)) == [], role
            kept.put_back()
            text = "".join(seen.values())
            assert not [secret for secret in never_shown(watched) if secret in text], role
        watched.play(5)
    is_public = slug == "chamber" or not secrets(GAMES[slug]).PRIVATE
    assert hidden or is_public, "nobody was told anything alone: this test shows nothing"


# --- files of a finished match -------------------------------------------------------------------


def by_files(watched: WatchedTable, role: str) -> Iterator[tuple[str, str]]:
    """The file of the match through each seat, and the list with all acts."""
    for asked in ("gallery", "all", *map(str, range(len(watched.seats)))):
        path = reverse("match-file", args=[watched.match.pk])
        yield asked, page(watched, role, f"{path}?as={asked}")
    yield "list", page(watched, role, reverse("matches-file") + "?full=gallery")


def hide_log(watched: WatchedTable, role: str) -> int:
    """Change everything in the log that this viewer was not told. Return the number of events."""
    hidden = 0
    acts = list(Act.objects.filter(match=watched.match))
    for act in acts:
        heard = [
            told
            for told in act.told
            if told["to"] is None
            or any(watched.was_told(role, seat, act.number) for seat in told["to"])
        ]
        hidden += len(act.told) - len(heard)
        act.told, act.draws = heard, []
        if act.seat is None or not watched.was_told(role, act.seat, act.number):
            act.move = None
    Act.objects.bulk_update(acts, ["told", "move", "draws"])
    return hidden


@pytest.mark.parametrize("slug", GAMES)
def test_files_of_an_old_match_contain_only_what_the_viewer_was_told(
    slug: str, settings: Any
) -> None:
    settings.LIMITS = {**settings.LIMITS, "matches": None}
    watched = WatchedTable(slug)
    command(staff.end_match)(watched.room.pk, "enough").result()
    Match.objects.filter(pk=watched.match.pk).update(revealed=False, public=True)
    counting.run()
    kept, hidden = Kept(watched.match), 0
    for role in (one for one in VIEWERS if one in watched.people):
        seen = everything(watched, role, (by_files,))
        assert seen["list"].startswith("200")
        own = {str(SEATS.index(role))} if role in watched.seats else set()
        files = {asked for asked, text in seen.items() if text.startswith("200")}
        assert files - {"gallery", "list"} == own, role
        hidden += hide_log(watched, role)
        assert changed(seen, everything(watched, role, (by_files,))) == [], role
        kept.put_back()
    assert hidden or slug == "chamber" or not secrets(GAMES[slug]).PRIVATE
