"""Export of all data about a user, for the page "Download everything about me"."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar
from urllib.parse import urlsplit

import msgspec
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db.models import Model, QuerySet

from accounts.models import PushSubscription, User
from chat.models import Message
from games import rooms
from games.history.export_matches import matches
from games.models import Deck, Invitation, Member, PlayerStat, ProgramVersion, Rating, Room, UdpName
from games.tables.table import Json
from games.wire.wire import iso

FORMAT = 1
AT_ONCE = 200
"""Maximum rows that are read at once."""

M = TypeVar("M", bound=Model)


def written(user: User) -> Iterator[bytes]:
    """Yield the user's complete export as JSON, piece by piece.

    Between pieces, no transaction or cursor is open, because the download may be slow.
    """
    yield b'{\n "format": %d' % FORMAT
    for name, part in PARTS.items():
        yield b',\n "%s": ' % name.encode()
        value = part(user)
        if isinstance(value, Iterator):
            yield from _written_list(value)
        else:
            yield _json(value)
    yield b"\n}\n"


def _written_list(portions: Iterator[list[Json]]) -> Iterator[bytes]:
    before = b"["
    for portion in portions:
        yield before + _json(portion)[1:-2]  # without the brackets around it
        before = b","
    yield b"[]" if before == b"[" else b"\n]"


def _json(value: Any) -> bytes:
    return msgspec.json.format(msgspec.json.encode(value), indent=1)


def _portions(found: QuerySet[M], most: int = AT_ONCE) -> Iterator[list[M]]:
    """Yield rows in portions, ordered by id."""
    last = 0
    while rows := list(found.filter(pk__gt=last).order_by("pk")[:most]):
        yield rows
        last = rows[-1].pk


def _profile(user: User) -> Json:
    return {
        "userName": user.username,
        "name": user.name,
        "email": user.email,
        "guest": user.is_guest,
        "since": iso(user.date_joined),
        "lastLogin": iso(user.last_login),
        "rights": {"staff": user.is_staff, "superuser": user.is_superuser},
        "preferences": {
            name: getattr(user, name)
            for name in (
                "face",
                "confirms",
                "sounds",
                "covers",
                "passes",
                "quiet_bots",
                "no_hints",
                "lists_matches",
                "seen_by",
                "theme",
                "language",
            )
        },
    }


def _addresses(user: User) -> list[Json]:
    found = EmailAddress.objects.filter(user=user)
    return [{"email": one.email, "verified": one.verified} for one in found]


def _browsers(user: User) -> list[Json]:
    """Return the push subscriptions: the host of each service, but not the secret URL."""
    return [
        {"service": urlsplit(one.endpoint).hostname, "since": iso(one.created_at)}
        for one in PushSubscription.objects.filter(user=user).order_by("pk")
    ]


def _second_steps(user: User) -> list[Json]:
    """Return passkeys, authenticator apps and recovery codes, without their secrets."""
    return [
        {
            "kind": one.type,
            "name": str(one),
            "made": iso(one.created_at),
            "lastUsed": iso(one.last_used_at),
        }
        for one in Authenticator.objects.filter(user_id=user.pk).order_by("pk")
    ]


def _tokens(user: User) -> list[Json]:
    return [
        {
            "name": token.name,
            "made": iso(token.created_at),
            "expires": iso(token.expires_at),
            "lastUsed": iso(token.last_used_at),
        }
        for token in user.tokens.order_by("pk")
    ]


def _tables(user: User) -> Iterator[list[Json]]:
    found = Member.objects.filter(user=user).select_related("room")
    for members in _portions(found):
        yield [_table(member, user) for member in members]


def _table(member: Member, user: User) -> Json:
    return {
        "room": member.room.code,
        "game": member.room.game,
        "host": member.room.host_id == user.pk,
        "name": member.name,
        "spectator": member.spectator,
        "joined": iso(member.joined_at),
        "seen": iso(member.seen_at),
        "left": iso(member.left_at),
        "leftBecause": member.left_because,
        "nonce": member.nonce,
    }


def _statistics(user: User) -> list[Json]:
    return [
        {
            "game": one.game,
            "key": one.key,
            "count": one.count,
            "best": {"size": one.best, "match": one.best_match_id, "version": one.best_version},
        }
        for one in PlayerStat.objects.filter(user=user).order_by("game", "key")
    ]


def _ratings(user: User) -> list[Json]:
    return [
        {
            "game": one.game,
            "pool": one.pool,
            "mu": one.mu,
            "sigma": one.sigma,
            "matches": one.matches,
            "last": iso(one.last_at),
        }
        for one in Rating.objects.filter(user=user).order_by("game", "pool")
    ]


def _words(user: User) -> Iterator[list[Json]]:
    for messages in _portions(Message.objects.filter(author=user)):
        ids = rooms.of_threads(message.thread for message in messages)
        codes = dict(Room.objects.filter(pk__in=ids).values_list("pk", "code"))
        yield [_message(message, codes) for message in messages]


def _message(message: Message, codes: dict[int, str]) -> Json:
    return {
        "room": next((codes.get(at) for at in rooms.of_threads([message.thread])), None),
        "at": iso(message.at),
        "for": message.audience,
        "text": message.text,
        "claim": message.claim,
        "removed": message.hidden,
    }


def _decks(user: User) -> Iterator[list[Json]]:
    for (deck,) in _portions(Deck.objects.filter(owner=user), 1):
        pack = msgspec.json.decode(deck.pack)
        yield [{"slug": deck.slug, "public": deck.public, "pack": pack}]


def _invitations(user: User) -> list[Json]:
    found = Invitation.objects.filter(user=user).select_related("room").order_by("pk")
    return [{"room": one.room.code, "by": one.by, "at": iso(one.at)} for one in found]


def _seeks(user: User) -> list[Json]:
    found = user.seeks.order_by("since", "pk")
    return [{"game": one.game, "name": one.name, "since": iso(one.since)} for one in found]


def _programs(user: User) -> list[Json]:
    return [
        {
            "name": one.name,
            "about": one.about,
            "made": iso(one.made_at),
            "versions": [_version(version) for version in one.versions.all()],
        }
        for one in user.programs.prefetch_related("versions__user").order_by("pk")
    ]


def _version(version: ProgramVersion) -> Json:
    return {
        "number": version.number,
        "label": version.label,
        "state": version.state,
        "games": version.games,
        "made": iso(version.made_at),
        "ratings": _ratings(version.user),
    }


def _decisions(user: User) -> list[Json]:
    return [
        {
            "kind": one.kind,
            "reason": one.reason,
            "about": one.about,
            "at": iso(one.at),
            "until": iso(one.until),
            "lifted": iso(one.lifted_at),
            "read": iso(one.seen_at),
        }
        for one in user.sanctions.order_by("pk")
    ]


def _distances(user: User) -> list[Json]:
    kept = user.mutes_and_blocks.order_by("pk")
    return [{"name": one.name, "mutes": one.mutes, "blocks": one.blocks} for one in kept]


def _follows(user: User) -> list[Json]:
    found = user.follows.select_related("other").order_by("pk")
    return [{"userName": one.other.username, "since": iso(one.at)} for one in found]


def _udp(user: User) -> list[Json]:
    found = UdpName.objects.filter(user=user).order_by("pk")
    return [{"name": one.name, "points": one.points, "rounds": one.rounds} for one in found]


PARTS: dict[str, Callable[[User], Any]] = {
    "profile": _profile,
    "emails": _addresses,
    "tokens": _tokens,
    "secondSteps": _second_steps,
    "notifiedBrowsers": _browsers,
    "tables": _tables,
    "matches": matches,
    "statistics": _statistics,
    "ratings": _ratings,
    "chat": _words,
    "decks": _decks,
    "invitations": _invitations,
    "seeks": _seeks,
    "programs": _programs,
    "decisions": _decisions,
    "distances": _distances,
    "follows": _follows,
    "udpNames": _udp,
}
"""Parts of an export, by name.

A function may yield a long list in portions. Apps that store more about users add their own parts.
"""
