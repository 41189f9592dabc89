"""No identifier and no file name uses a retired word (`docs/glossary.md`)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import polib
import pytest

from games.contract.choices import move_types
from games.contract.game import AnyGame
from games.registry import GAMES
from tests.kit.messages import messages
from tests.kit.repository import ROOT, files

GONE = {
    "door": "command",
    "doors": "commands",
    "Live": "MatchSnapshot",
    "live": "snapshots, load_snapshot",
    "hint": "notification",
    "hints": "notifications",
    "room_changed": "notify_room_changed",
    "house_changed": "notify_everybody",
    "notify_house_changed": "notify_everybody",
    "news": "act, diff",
    "News": "ToldAct",
    "news_since": "told_acts_since",
    "sync": "serializers, serialize_table",
    "Crier": "AnnouncementBroadcaster",
    "crier": "broadcaster",
    "Bearers": "CredentialRegistry",
    "bearers": "credentials",
    "Crowd": "ConnectionLimiter",
    "crowd": "connection_limiter",
    "Caller": "ApiClient",
    "Callers": "ApiClients",
    "callers": "api_clients",
    "company": "recent_players",
    "Acquaintance": "RecentPlayer",
    "retrospect": "recap",
    "looking_back": "match_history",
    "claiming": "claims",
    "tidy": "cleanup",
    "tidy_rooms": "clean_up_rooms",
    "moving": "account_merge",
    "move_everything": "merge_accounts",
    "forgetting": "erasure",
    "pruning": "retention",
    "farewell": "delete_account",
    "shuns": "mutes_and_blocks",
    "Shun": "MuteOrBlock",
    "unname": "anonymize",
    "unname_member": "anonymize_member",
    "unname_player": "anonymize_player",
    "Deed": "Action",
    "deed": "action",
    "deeds": "actions",
    "DEEDS": "ACTIONS",
    "Order": "ActionRequest",
    "take_back": "retract",
    "desk": "action_forms",
    "ledger": "audit_log",
    "office": "admin_site",
    "BackOffice": "ParlourAdminSite",
    "back_office": "admin_config, admin_client",
    "keeping": "data_retention",
    "KeepOut": "BanMiddleware",
    "barred": "disabled_moves",
    "declines": "auto_pass",
    "Pulse": "Heartbeat",
    "_put_out": "_remove_member",
    "sternly": "moderation_helpers",
    "Walk": "Playthrough",
    "house": "server, platform",
    "_house": "server, platform",
    "House": "BenchServer, PopulatedTable",
    "HOUSE": "PROJECT, APPS",
    "eyes": "viewpoint, viewer",
}
"""Each retired word with its replacement."""

GONE_IN_SCRIPTS = {
    "settle": "afterSwap",
    "born": "shownAt",
    "YOUNG": "TAP_GUARDED",
    "letPass": "autoPass",
    "isBeside": "isBadgeConnection",
}

CHAMBER = ("games/chamber/", "conformance/", "examples/chamber_bot.py", "tests/rules/")
IN_GAMES = tuple(f"games/{slug}/" for slug in GAMES)
ELSEWHERE = {
    "live": CHAMBER,
    "hint": (
        *("parlour_client/", "games/contract/", "games/pages/", "tests/rules/", "tests/kit/"),
        *IN_GAMES,
    ),
    "news": ("parlour_client/", "examples/", "tests/programs/"),
    "sync": ("tests/programs/", "tests/chaos/", "tests/kit/scripted_server.py"),
    "desk": ("conformance/",),
    "moving": ("conformance/",),
    "deed": ("games/coup/",),
    "house": ("tests/test_house.py",),
    "eyes": ("accounts/faces.py", "tests/"),
}
"""Exceptions: words used by the public client, by a library, in a sentence, or on a button."""

NOT_SAID = {
    r"whoever": "if you, the player who",
    r"(?:is|are) on turn": "X's turn",
    r"lets? (?:it|them) pass": "allow",
    r"i doubt it|doubts? that": "challenge",
    r"we wait": "waiting for",
    r"comfort": "settings, preferences",
    r"(?:send|sent) (?:\w+ )?away": "kick, remove",
    r"broken off": "stopped",
    r"(?:has|have) won\b": "wins",
    r"luck says": "random",
    r"is a must": "you must",
    r"for ever\b": "forever",
    r"not wanted here": "blocked word",
    r"wanted to see\b": "called the bluff",
    r"live rounds?|blank rounds?": "shells",
    r"steals? from (?:you|%\(target\)s):": "steals your Life",
    r"(?:good|valid) once": "works once",
    r"show it to nobody": "keep it to yourself",
    r"oneself|for all to see": "yourself, stay on the table",
    r"nothing is known": "hasn't … yet",
    r"any ?more\b": "no longer",
    r"somebody you block": "people you block",
    r"have to agree|those who (?:still )?play": "all players, must agree",
    r"how is the luck": "is it fair?",
    r"that costs %\(needed\)s|and you have %": "costs 7. You have 2.",
    r"of 100\b": "percent",
    r"cover my": "hide my cards",
    r"pass for me": "auto-pass",
    r"(?:without )?small talk": "quiet bots",
    r"for programs": "for bots",
    r"log of the staff|do it and go on": "staff log, apply, next",
    r"(?:a|three) days? for each move|a tenth\b": "1 day a move, bullet",
    r"once more|so many": "again, too many",
}
"""Unnatural phrases with their replacements."""
NOT_SAID_IN_GERMAN = {
    r"blind auf (?:dich|sich) selbst": "mit einer Platzpatrone",
    r"Vorgabe|Ergänze die": "Lückensatz, füll die Lücke",
    r"als Letztes": "zuletzt",
    r"bisher sind es": "(bisher: 1)",
    r"Warten auf [^.:]+: (?:\w+ )*\w+en\b": "Bela ist dran und würfelt.",
    r"[Ff]liegt [^.:]*auf:": "fliegt er auf, verlierst du …",
    r"stiehlt dir:|stiehlst von": "klaut dir ein Leben",
    r"gewinnt ein Kanzler": "wird Hitler Kanzler, gewinnen …",
    r"Für mich passen|Von selbst zulassen": "automatisch zulassen",
    r"Melde dich, wenn|Seite verdeckt": "benachrichtige mich, im Hintergrund",
    r"Woher kommt das Glück": "geht es fair zu?",
    r"Anzahl der Luftschüsse|keins$": "ein Satz, ohne Uhr",
    r"startet, wer beginnt|die andere Seite": "der Startspieler bekommt …",
}
"""The same for German sentences."""


COMMANDS = {"manage.py prune"}
LIBRARIES = re.compile(r"\b(?:asgiref|websockets)\.sync\b")
TEXTS = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|'
    r"'(?:[^'\\\n]|\\.)*'|#[^\n]*"
)
WORD = re.compile(r"\b(?:" + "|".join(GONE) + r")\b")


def gone_in(name: str, source: str) -> Iterator[str]:
    """Yield complaints about a Python file, ignoring strings and comments."""
    code = TEXTS.sub(lambda text: "\n" * text[0].count("\n"), LIBRARIES.sub("library", source))
    for found in WORD.finditer(code):
        word, line = found[0], code.count("\n", 0, found.start()) + 1
        if not name.startswith(ELSEWHERE.get(word, ("\0",))):
            yield f"{name}:{line}: `{word}` is `{GONE[word]}` now"


def test_identifiers_use_no_retired_words() -> None:
    found = [
        line
        for name in files(".py")
        for line in gone_in(name, (ROOT / name).read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


def test_file_names_use_no_retired_words() -> None:
    stems = {name: Path(name).stem.removeprefix("test_") for name in files("")}
    found = {name: stem for name, stem in stems.items() if stem in GONE}
    assert not {
        name: GONE[stem]
        for name, stem in found.items()
        if not name.startswith(ELSEWHERE.get(stem, ("\0",)))
    }


def test_scripts_use_no_retired_words() -> None:
    found = [
        f"{name}: `{word}` is `{now}` now"
        for name in files(".js")
        for word, now in GONE_IN_SCRIPTS.items()
        if name.startswith("static/") and re.search(rf"\b{word}\b", _code(name))
    ]
    assert not found, "\n".join(found)


def test_names_in_the_glossary_exist() -> None:
    glossary = (ROOT / "docs/glossary.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([^`]+)`", glossary)) - COMMANDS
    paths = {name for name in named if "/" in name}
    words = set(re.findall(r"\w+", "\n".join((ROOT / name).read_text() for name in files(".py"))))
    assert not [path for path in paths if not (ROOT / path).exists()]
    assert not [name for name in named - paths if name.removeprefix("@") not in words]


def _code(name: str) -> str:
    """Return a script without its comments."""
    return re.sub(r"//.*", "", (ROOT / name).read_text(encoding="utf-8"))


def not_said(sentence: str) -> list[str]:
    """Return replacements for the unnatural phrases of a sentence."""
    return [now for was, now in NOT_SAID.items() if re.search(rf"(?i)\b(?:{was})", sentence)]


def test_messages_use_no_discouraged_words() -> None:
    found = {one.id: now for one in messages() if (now := not_said(one.id))}
    assert not found, found


def german() -> dict[str, str]:
    """Return the German catalogue by message id."""
    path = ROOT / "locale/de/LC_MESSAGES/django.po"
    return {
        entry.msgid: " / ".join((entry.msgstr, *entry.msgstr_plural.values()))
        for entry in polib.pofile(str(path))
    }


def not_said_in_german(sentence: str) -> list[str]:
    """Return replacements for the unnatural phrases of a German sentence."""
    return [now for was, now in NOT_SAID_IN_GERMAN.items() if re.search(rf"\b(?:{was})", sentence)]


def test_german_translations_use_no_discouraged_words() -> None:
    found = {one: now for one, said in german().items() if (now := not_said_in_german(said))}
    assert not found, found


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.slug)
def test_every_game_button_is_listed_in_words_md(game: AnyGame) -> None:
    written = (ROOT / "docs/words.md").read_text(encoding="utf-8")
    words = game.telling.words(game.rules.options())
    buttons = [words.move(name).id for name in move_types(game.rules.moves)]
    missing = [name for name in buttons if not re.search(rf"(?m)^\| {re.escape(name)}\b", written)]
    assert not missing, f"docs/words.md does not list these buttons of {game.name}: {missing}"
    assert all(len(name.split()) <= 3 for name in buttons)
