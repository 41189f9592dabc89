"""Everything that is kept about somebody, as data: what "Download everything about me" gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import urlsplit

import msgspec
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from accounts.models import PushSubscription, User
from chat.models import Message
from games import rooms
from games.engine.snapshots import MatchSnapshot, Parked, decode_snapshot
from games.engine.told import told_acts_since
from games.models import Deck, Invitation, Member, Player, Room, UdpName
from games.protocol.wire import iso
from games.tables.serializers import told_to
from games.tables.table import Json

FORMAT = 1


def everything(user: User) -> Json:
    """All of it. Of a match: what the seat was told and nothing that others held."""
    return {"format": FORMAT, **{name: part(user) for name, part in PARTS.items()}}


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
                *("confirms", "sounds", "covers", "passes"),
                *("quiet_bots", "no_hints", "theme", "language"),
            )
        },
    }


def _addresses(user: User) -> list[Json]:
    found = EmailAddress.objects.filter(user=user)
    return [{"email": one.email, "verified": one.verified} for one in found]


def _browsers(user: User) -> list[Json]:
    """Browsers that are told of turns: at whose push service, not the address that reaches them."""
    return [
        {"service": urlsplit(one.endpoint).hostname, "since": iso(one.created_at)}
        for one in PushSubscription.objects.filter(user=user).order_by("pk")
    ]


def _second_steps(user: User) -> list[Json]:
    """Passkeys, app and recovery codes: that they are there, not what they are."""
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


def _tables(user: User) -> list[Json]:
    found = Member.objects.filter(user=user).select_related("room").order_by("pk")
    return [
        {
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
        for member in found
    ]


def _matches(user: User) -> list[Json]:
    found = Player.objects.filter(user=user).select_related("match__room").order_by("pk")
    lean = found.defer("match__state")  # (each is read by itself, and not kept)
    return [_match(player) for player in lean.iterator(chunk_size=100)]


def _match(player: Player) -> Json:
    match = player.match
    known = {
        "match": match.pk,
        "room": match.room.code,
        "game": match.game,
        "started": iso(match.started_at),
        "ended": iso(match.ended_at),
        "seat": player.seat,
        "name": player.name,
        "place": player.place,
        "points": player.points,
    }
    try:
        return {**known, "told": list(_told(decode_snapshot(match), player.user_id))}
    except Parked:
        return known  # of rules that are no more


def _told(match: MatchSnapshot, user_id: int | None) -> Iterator[Any]:
    for act in told_acts_since(match, 0):
        yield from told_to(act, match.seat_of(user_id, act.version))


def _words(user: User) -> list[Json]:
    said = Message.objects.filter(author=user).order_by("pk")
    ids = rooms.of_threads(said.values_list("thread", flat=True).distinct())
    codes = dict(Room.objects.filter(pk__in=ids).values_list("pk", "code"))
    return [
        {
            "room": next((codes.get(at) for at in rooms.of_threads([message.thread])), None),
            "at": iso(message.at),
            "for": message.audience,
            "text": message.text,
            "claim": message.claim,
            "removed": message.hidden,
        }
        for message in said
    ]


def _decks(user: User) -> list[Json]:
    return [
        {"slug": deck.slug, "public": deck.public, "pack": msgspec.json.decode(deck.pack)}
        for deck in Deck.objects.filter(owner=user)
    ]


def _invitations(user: User) -> list[Json]:
    found = Invitation.objects.filter(user=user).select_related("room").order_by("pk")
    return [{"room": one.room.code, "by": one.by, "at": iso(one.at)} for one in found]


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
    "matches": _matches,
    "chat": _words,
    "decks": _decks,
    "invitations": _invitations,
    "decisions": _decisions,
    "distances": _distances,
    "udpNames": _udp,
}
"""What an export holds; who keeps more about people adds a line."""
