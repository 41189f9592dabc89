"""The contract: tables of all packets, events and views with their fields, and their validation."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

Json = dict[str, Any]

TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")
HEX = re.compile(r"[0-9a-f]{64}")
ANY = object()
"""Any value."""


class Opt:
    """An optional field."""

    def __init__(self, of: Any) -> None:
        self.of = of


class Map:
    """An object with arbitrary names and values of one kind."""

    def __init__(self, of: Any) -> None:
        self.of = of


NUMBER = (int, float)
NAME = (str, None)
NAMES = [str]
COMMITTED = {"commitment": HEX}
FAIR = {**COMMITTED, "list": Opt(HEX), "secrets": Opt([(HEX, None)])}
LUCK_SEATS = [{"username": NAME, "share": (HEX, None), "secret": (HEX, None)}]
AGREED = {
    **COMMITTED,
    "luck": Opt(int),
    "list": Opt(HEX),
    "code": Opt(str),
    "seats": Opt(LUCK_SEATS),
}
"""What everybody has agreed on when a match begins. Luck of version 1 has only a commitment."""
REVEALED = {
    **AGREED,
    "serverSeed": HEX,
    "nonces": Opt([{"username": str, "nonce": str}]),
    "seed": HEX,
}
PLAYER: Json = {
    "username": str,
    "joinTime": (TIME, None),
    "seat": (int, None),
    "inGame": bool,
    "isSpectator": bool,
    "isBot": bool,
    "isGuest": bool,
    "connected": bool,
}
SAID = {
    "message": str,
    "player": {"username": str, "*": ANY},
    "timestamp": TIME,
    "audience": {"table", "gallery"},
    "claim": Opt(ANY),
}
OUTCOME = {
    "winners": NAMES,
    "places": [NAMES],
    "points": (Map(int), None),
    "reason": str,
    "fairness": REVEALED,
}
OFFER = {"move": str, "args": Map(ANY), "risky": bool}
VOTED = {"pause", "resume", "end", "bot", "host", "game", "seat", "remove"}
VOTE = {
    "about": VOTED,
    "by": NAME,
    "username": NAME,
    "heir": Opt(NAME),
    "game": (str, None),
    "voters": NAMES,
    "yes": NAMES,
    "no": NAMES,
    "needed": int,
    "until": TIME,
}
REACTIONS = {"laugh", "gasp", "doubt", "cool", "cry", "angry", "clap", "heart"}
SKIP = {"by": NAMES, "needed": int, "granted": bool}
DATA: Json = {
    "gameId": str,
    "game": str,
    "options": Map(ANY),
    "gameStarted": bool,
    "status": {"open", "playing", "finished"},
    "visibility": {"public", "unlisted", "invited"},
    "locked": bool,
    "rated": Opt(str),
    "allowsUdp": bool,
    "gameHost": NAME,
    "you": NAME,
    "matchId": (int, None),
    "version": (int, None),
    "prompt": (int, None),
    "awaited": NAMES,
    "turn": NAME,
    "next": NAME,
    "turnCount": int,
    "turnOrder": NAMES,
    "deadline": (TIME, None),
    "secondsLeft": (*NUMBER, None),
    "awaitedFrom": Opt(TIME),
    "fairness": FAIR,
    "players": [{**PLAYER, "*": ANY}],
    "view": (Map(ANY), None),
    "offers": [OFFER],
    "chat": Opt([SAID]),
    "standings": Map(NUMBER),
    "outcome": (OUTCOME, None),
    "paused": Opt({"by": NAME, "since": TIME}),
    "skip": Opt(SKIP),
    "evening": Map(NUMBER),
    "vote": Opt(VOTE),
    "mixing": Opt({"list": (HEX, None), "seats": [{"username": str, "share": (HEX, None)}]}),
    "luckVoids": Opt([{"list": HEX, "missing": NAMES, "gone": Opt(NAMES)}]),
}


def may_be_absent(name: str) -> bool:
    """Whether a sync may lack this field. In changes, the field is then null."""
    return isinstance(DATA.get(name), Opt)


CHANGED: Json = {
    **{
        name: Opt(DATA[name])
        for name in (
            "prompt",
            "awaited",
            "turn",
            "next",
            "turnCount",
            "turnOrder",
            "deadline",
            "secondsLeft",
            "players",
            "offers",
            "outcome",
        )
    },
    "view": Opt(Map(ANY)),
    "version": int,
    "awaitedFrom": Opt((TIME, None)),
    "paused": Opt(({"by": NAME, "since": TIME}, None)),
    "skip": Opt((SKIP, None)),
}
"""Changed fields. Null also means that the field is now absent."""
GAME = {
    "slug": str,
    "name": str,
    "minPlayers": int,
    "maxPlayers": int,
    "botLevels": NAMES,
    "options": Map(ANY),
}
ENTERED = {"room": str, "username": str, "token": Opt(str)}
GONE = {"left", "kicked", "idle", "disconnected", "banned", "closed"}
REJECTED = {
    "InvalidRoom",
    "UsernameTaken",
    "UsernameTooLong",
    "UsernameInvalid",
    "WrongPassword",
    "NotInvited",
    "RoomFull",
    "BadToken",
    "Kicked",
    "Banned",
    "LoginRequired",
    "UsernameEmpty",
    "UsernameLookalike",
    "UsernameMarks",
    "UsernameReserved",
    "UsernameBlocked",
    "UsernameRemoved",
    "UsernameOneWord",
    "TooManyWatching",
}
PACKETS: dict[str, Json] = {
    "Welcome": {"protocol": int, "username": NAME, "games": [GAME]},
    "GameCreated": ENTERED,
    "GameJoined": ENTERED,
    "GameRejoined": ENTERED,
    "PlayerJoinRejected": {"reason": REJECTED, "message": str},
    "Invited": {"room": str, "game": str, "from": str},
    "Seeking": {"game": str, "waiting": int, "wanted": int, "id": Opt(ANY)},
    "Matched": {"room": str, "game": str, "token": Opt(str)},
    "TableStart": {"room": str, "game": str, "again": bool},
    "TableEnd": {"room": str, "match": (int, None)},
    "PlayerJoined": {"player": {**PLAYER, "*": ANY}},
    "PlayerChanged": {"player": {**PLAYER, "*": ANY}},
    "PlayerLeft": {"username": str, "reason": GONE},
    "PlayerConnection": {"username": str, "connected": bool},
    "HostSet": {"username": str},
    "OptionsSet": {"options": Map(ANY)},
    "GameSet": {"game": str, "options": Map(ANY)},
    "RoomSet": {
        "visibility": {"public", "unlisted", "invited"},
        "locked": bool,
        "rated": Opt(bool),
    },
    "LuckVoid": {
        "list": HEX,
        "serverSeed": HEX,
        "missing": NAMES,
        "gone": Opt(NAMES),
        "seats": LUCK_SEATS,
    },
    "GameStarted": {"matchId": int, "version": int, "fairness": AGREED, "rated": Opt(str)},
    "GameDataSync": {"data": DATA},
    "GameDataChanged": {"data": CHANGED},
    "TurnStart": {"username": str, "version": int},
    "TurnEnd": {"username": str, "version": int},
    "Nudged": {"version": int},
    "NewGameOpened": {"room": str, "username": str},
    "Paused": {"username": str},
    "Resumed": {},
    "SkipAsked": SKIP,
    "VoteCalled": VOTE,
    "VoteCast": {"username": str, "yes": bool},
    "VoteChanged": VOTE,
    "VoteEnded": {"about": VOTED, "passed": bool},
    "Reacted": {"username": str, "reaction": REACTIONS, "audience": {"table", "gallery"}},
    "ActionFailed": {"code": str, "reason": str},
    "ShowAlert": {"level": {"info", "warning", "error"}, "message": str},
    "NewChatMessageSent": SAID,
    "GameEnd": {
        "version": int,
        "winners": NAMES,
        "places": [NAMES],
        "reason": str,
        "fairness": REVEALED,
    },
    "Log": {"matchId": (int, None), "acts": [{"version": int, "events": [Map(ANY)]}]},
    "Done": {"version": Opt(int)},
}
ANSWERS = {
    "GameCreated",
    "GameJoined",
    "GameRejoined",
    "GameDataSync",
    "Log",
    "PlayerJoinRejected",
    "ActionFailed",
    "Done",
}
"""Packets that may carry an `id`."""

EVENTS: dict[str, dict[str, str]] = {
    "chamber": {
        "RoundStarted": "round live blank",
        "ItemsDealt": "items",
        "UseRebalancerItem": "username ammoType count",
        "PassRebalance": "username",
        "ChamberLoaded": "live blank",
        "ShootPlayer": "shooter username ammoType damage forfeit",
        "UseShootAirItem": "username ammoType",
        "UseSkipItem": "username target",
        "UseDoubleDamageItem": "username",
        "UseQuickshotItem": "username",
        "UseChamberCheckItem": "username",
        "UseChamberCheckResult": "ammoType",
        "UseAddLifeItem": "username lives",
        "UseStealItem": "username target item skipTarget",
        "TurnSkipped": "username",
        "PlayerEliminated": "username by",
        "ItemsLooted": "username from items",
        "RoundEnded": "round",
    },
    "secret_hitler": {
        "RoleGiven": "role party knows",
        "PresidentNominate": "candidate eligible special",
        "ChancellorVote": "president chancellor",
        "PlayerReady": "username",
        "VoteOpened": "",
        "Voted": "username",
        "VotesRevealed": "votes ja nein passed auto suspect?",
        "TrackerMoved": "tracker",
        "NotHitler": "username",
        "PoliciesDrawn": "policies",
        "PoliciesChosen": "username",
        "PoliciesPassed": "policies",
        "PolicyEnacted": "policy by liberal fascist",
        "VetoRequested": "username",
        "VetoAnswered": "username accept",
        "DeckReshuffled": "size",
        "PowerGranted": "username power targets",
        "PlayerInvestigated": "username target",
        "InvestigationResult": "target party",
        "PeekResult": "policies",
        "ExecutiveConfirmed": "username",
        "SpecialElection": "username target",
        "PlayerExecuted": "username target",
        "Autopilot": "username on",
        "RolesRevealed": "side roles",
    },
    "cards": {
        "BlackCardDrawn": "round card",
        "HandDrawn": "cards",
        "PlayerPlayed": "username",
        "PlaysRevealed": "plays",
        "PlayerVoted": "username",
        "AuthorsShown": "authors",
        "CardsDiscarded": "username count score",
        "RoundResult": "round black plays winners ballots",
        "RoundVoid": "round",
        "Continued": "username",
        "SeatJoined": "username",
    },
    "mia": {
        "RoundStarted": "round order",
        "PlayerRolls": "username",
        "Rolled": "dice",
        "Announced": "username dice",
        "PlayerWantsToSee": "username",
        "ActualDice": "dice",
        "PlayerLost": "usernames reason",
        "LivesLeft": "lives",
        "Score": "points",
        "PlayerOut": "username",
        "Continued": "username",
    },
    "coup": {
        "ActionDeclared": "username action target claim",
        "Passed": "username",
        "Answered": "username",
        "Challenged": "username against claim",
        "RoleShown": "username role",
        "CardDrawn": "role",
        "BluffCaught": "username claim",
        "CostPaid": "username cost coins",
        "Blocked": "username claim",
        "ActionDone": "username action target coins",
        "ActionStopped": "username action by",
        "InfluenceLost": "username role card",
        "PoolDrawn": "pool",
        "Exchanged": "username",
        "PlayerEliminated": "username",
    },
}
TO_ONE = {
    "chamber": {"UseChamberCheckResult"},
    "secret_hitler": {"PoliciesDrawn", "PoliciesPassed", "InvestigationResult", "PeekResult"},
    "cards": {"AuthorsShown"},
    "mia": {"Rolled"},
    "coup": {"CardDrawn", "PoolDrawn"},
}
"""Events sent to one seat only."""

TO_EACH = {"secret_hitler": {"RoleGiven"}, "cards": {"HandDrawn"}}
"""Events sent to several seats with different contents."""

VIEWS = {
    "chamber": "phase round live blank loaded fired shotsLeft itemsOpen quickshot doubleDamage "
    "waiting ammoDeck",
    "secret_hitler": "phase liberal fascist tracker deckSize discardSize powers candidate special "
    "chancellor lastElected eligible ready voted votes vetoUnlocked vetoRefused power targets "
    "investigated confirmedNotHitler roles side",
    "cards": "phase round voidRounds black played voted continued lastRound deckSizes",
    "mia": "phase round order announced announcements shown lost continued",
    "coup": "phase turnStage gameStatus turnsPlayed deckSize actor action target claim "
    "actionChallenger block blocker blockChallenger waiting loser",
}
"""Fields of a view that are equal for everybody."""

OWN = {
    "chamber": "knownNext",
    "secret_hitler": "role party knows hand peeked",
    "cards": "hand myVote",
    "mia": "dice",
    "coup": "hand pool",
}
"""Fields of a view that only the seat itself may see. They are always empty for spectators."""

MIXED = {"secret_hitler": "history", "cards": "plays", "coup": "flat"}
"""Fields of a view with public and private parts."""

AFTER = {"chamber": "ammoDeck", "secret_hitler": "roles side"}
"""Fields of a view that are null before the end."""

FACTS = {
    "chamber": "lives items isSkipped skipImmune",
    "secret_hitler": "alive hasVoted autopilot isInvestigated isNotHitler",
    "cards": "score handSize hasPlayed hasVoted isJoining",
    "mia": "lives points",
    "coup": "coins influence cards",
}
"""Additional fields in `players` for seats of the running match."""


def differences(value: Any, kind: Any, path: str = "") -> Iterator[str]:
    """Yield a sentence for each part of a value that does not match this kind."""
    match kind:
        case Opt():
            yield from differences(value, kind.of, path)
        case Map():
            if not isinstance(value, dict):
                yield f"{path} is {_short(value)} instead of an object"
            else:
                for name, of in value.items():
                    yield from differences(of, kind.of, f"{path}.{name}")
        case dict():
            yield from _fields(value, kind, path)
        case list():
            if not isinstance(value, list):
                yield f"{path} is {_short(value)} instead of a list"
            else:
                for at, of in enumerate(value):
                    yield from differences(of, kind[0], f"{path}[{at}]")
        case tuple():
            found = [list(differences(value, one, path)) for one in kind]
            if all(found):
                yield min(found, key=len)[0]
        case _:
            if not _is(value, kind):
                yield f"{path} is {_short(value)}"


def packet_differences(packet: Json, game: str | None) -> Iterator[str]:
    """Yield the contract violations of a server's packet in a room of this game."""
    type_ = packet.get("type")
    if type_ in PACKETS:
        kind: Json = {"type": str, **PACKETS[type_]}
        if type_ in ANSWERS:
            kind["id"] = Opt((str, *NUMBER))
    elif game is not None and type_ in EVENTS.get(game, {}):
        names = EVENTS[game][type_].split()
        fields = {name.removesuffix("?"): Opt(ANY) if name[-1] == "?" else ANY for name in names}
        kind = {"type": str, "version": int, **fields}
    elif game is not None and game not in EVENTS:
        return
    else:
        yield f"unknown packet type {type_!r}"
        return
    yield from (f"{type_}{sentence}" for sentence in differences(packet, kind))
    if type_ == "GameDataSync" and isinstance(packet.get("data"), dict):
        yield from _data_differences(packet["data"])


def view_fields(game: str) -> set[str]:
    """Return the required fields of this game's views. Servers may add public fields."""
    return {*VIEWS[game].split(), *OWN[game].split(), *MIXED.get(game, "").split()}


def _data_differences(data: Json) -> Iterator[str]:
    game, view = data.get("game"), data.get("view")
    if game not in VIEWS:
        return
    if isinstance(view, dict) and (lacking := view_fields(game) - set(view)):
        yield f"GameDataSync.data.view of {game} lacks {', '.join(sorted(lacking))}"
    for entry in data.get("players") or []:
        wanted = set(FACTS[game].split()) if entry.get("seat") is not None else set()
        if lacking := wanted - set(entry):
            yield f"GameDataSync.data.players of {game} lacks {', '.join(sorted(lacking))}"
            return


def _fields(value: Any, kind: Json, path: str) -> Iterator[str]:
    if not isinstance(value, dict):
        yield f"{path} is {_short(value)} instead of an object"
        return
    for name, of in kind.items():
        if name in value:
            yield from differences(value[name], of, f"{path}.{name}")
        elif name != "*" and not isinstance(of, Opt):
            yield f"{path}.{name} is missing"
    if "*" not in kind:
        for name in value.keys() - kind.keys():
            yield f"{path}.{name} should not be there"


def _is(value: Any, kind: Any) -> bool:
    if kind is ANY:
        return True
    if kind is None:
        return value is None
    if isinstance(kind, set):
        return isinstance(value, str) and value in kind
    if isinstance(kind, re.Pattern):
        return isinstance(value, str) and kind.fullmatch(value) is not None
    if kind is float:
        return isinstance(value, int | float) and not isinstance(value, bool)
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 60 else text[:57] + "…"
