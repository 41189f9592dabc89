"""Translation of message ids with facts into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any, NamedTuple

from django.conf import settings
from django.utils import translation
from markupsafe import Markup, escape

from accounts.isolation import isolated
from accounts.names import SENTENCES as NAMES
from games.contract.core import Refused
from games.contract.data import Seat, Viewer
from games.contract.wording import Words
from games.contract.words import Fact, Text, _
from games.engine import draining

NOTICES: Mapping[str, Text] = {
    "stale": _("Too late: somebody was faster."),
    "ignored": _("It's not your turn to do that."),
    "busy": _("The server is busy. If nothing happens in a moment, try again."),
    "bad_game": _("There is no game with that name here."),
    "bad_options": _("%(option)s must be one of: %(allowed)s."),
    "bad_level": _("There is no such bot. Try one of: %(allowed)s."),
    "bad_target": _("You can't choose that player."),
    "already_here": _("They're already at this table."),
    "too_many_asked": _("You have invited %(most)s people already. Withdraw an invitation first."),
    "no_account": _("There is no account with this user name."),
    "follow_needs_account": _("Sign up to follow people. You keep your name, tables and matches."),
    "guest_followed": _("They play as a guest. Only people with an account can be followed."),
    "you_block": _("You block them. Undo that on your page first."),
    "too_many_followed": _("You follow %(most)s people already. Unfollow somebody first."),
    "asked": _("%(username)s is invited."),
    "bad_message": _("This message can't be sent: %(why)s."),
    "bad_note": _("Your details are too long: at most %(most)s characters."),
    "chat_closed": _("The chat is closed right now."),
    "cannot_be_rated": _(
        "This cannot be rated. It needs an account that may play rated matches here."
    ),
    "rated_yes": _("The match is rated."),
    "rated_lesson": _("The match is not rated, because it is a lesson."),
    "rated_bot": _("The match is not rated, because a bot plays."),
    "rated_guest": _("The match is not rated, because somebody plays without an account."),
    "rated_new": _("The match is not rated, because an account is less than a day old."),
    "rated_options": _("The match is not rated, because its rules are not the usual ones."),
    "rated_slow": _("The match is not rated, because it is too slow."),
    "rated_few": _("The match is not rated, because it needs at least three players."),
    "rated_repeat": _(
        "The match is not rated, because two of the players have met too often in the last month."
    ),
    "rated_stopped": _("The match is not rated, because it was stopped."),
    "rated_given": _("The match is not rated, because a seat was given to somebody else."),
    "rated_void": _("A moderator has taken this match out of the ratings."),
    "programs_only": _(
        "Only programs play on the ladder. Use the token of a program from /programs/."
    ),
    "muted": _("A moderator muted you %(until)s: %(reason)s"),
    "table_full": _("The table is full: %(most)s can play."),
    "not_enough_players": _("It takes at least %(needed)s players; there are %(have)s."),
    "not_allowed_now": _("That isn't possible right now."),
    "chosen_already": _("%(game)s was just chosen. Choose again if you want another game."),
    "no_seat": _("%(game)s has %(most)s seats, and they are taken. You watch this one."),
    "vote_running": _("The table is voting already. Wait until that is decided."),
    "vote_again": _("That was just voted down. You can call a vote again in %(seconds)s seconds."),
    "players_vote": _("You're out. Only players who are still in can call a vote."),
    "no_vote": _("That vote is over."),
    "came_later": _("You weren't playing when this vote began, so it goes on without you."),
    "not_away": _("They're playing. Only somebody who is away can be replaced."),
    "vote_failed": _("The vote failed."),
    "luck_failed": _(
        "The match couldn't start, because players left or didn't answer. The host can try again."
    ),
    "bad_secret": _("This secret doesn't belong to your share of the luck."),
    "too_late": _("It's too late to add to the luck of this match."),
    "already_in_room": _("This connection is already at a table."),
    "bad_seats": _("This game is for %(least)s to %(most)s players."),
    "too_many_rooms": _("You already host %(most)s tables. Close one first."),
    "programs_need_account": _("Sign up to have programs. Guests can't."),
    "too_many_programs": _("You already have %(most)s programs. Delete one first."),
    "too_many_versions": _("A program has at most %(most)s versions. Retire one first."),
    "not_your_hand": _("You didn't hold those in the last government."),
    "already_claimed": _("You have already said what you held."),
    "bad_claim": _("A claim names %(size)s of these: %(values)s."),
    "vetoed": _("This card won't be dealt at this table from the next match on."),
    "deck_changed": _("The deck has changed. Have another look first."),
    "too_many_decks": _("You already have %(most)s decks. Delete one first."),
    "InvalidRoom": _("There is no table with this code."),
    **{code: Text(sentence) for code, sentence in NAMES.items()},
    "UsernameTaken": _("That name is taken at this table."),
    "UsernameLookalike": _("That name looks too much like another one at this table."),
    "UsernameOneWord": _("At this table, names are one word without ; , or :."),
    "WrongPassword": _("The password is wrong."),
    "NotInvited": _("This table is invite-only."),
    "RoomFull": _("This table is full."),
    "TooManyWatching": _("Too many people from your network are already watching this table."),
    "NoScreen": _(
        "This table has no spectators. Open its screen on a device of one of its players."
    ),
    "decks_too_large": _(
        "All your decks together can take at most %(most)s MB. Delete a deck, or remove some cards."
    ),
    "too_often": _("Too many tries. Wait a few minutes."),
    "too_many_sockets": _("You have too many tabs or programs open here. Close some."),
    "screen_shut": _("The rules for watching this table have changed. Reload this page."),
    "too_many_screens": _("Too many screens show this table. This one keeps trying."),
    "staff_stay": _(
        "Your account has staff rights. Ask another administrator to remove them first."
    ),
    "LoginRequired": _("You need an account to play here. Log in, or send your token."),
    "BadToken": _("This token is unknown or has expired."),
    "Kicked": _("You were removed from this table."),
    "Banned": _("You are banned from this site %(until)s: %(reason)s"),
    "error": _("Something went wrong. Check whether it worked before you try again."),
    "idle": _("You missed your turn. Miss %(left)s more and you lose your seat."),
    "watching": _("All %(most)s seats are taken. Watch this match and play the next one."),
    "says_was": _("%(heir)s claims %(owner)s's seat from another device."),
    "seat_given": _("%(heir)s was given %(owner)s's seat."),
    "seat_claimed": _("%(reason)s claims your seat. Open the table to keep it."),
    "seat_gone": _("Your seat was given to %(reason)s. You can come back to the table."),
    "seat_kept": _("%(reason)s is back and keeps the seat."),
    "owner_asked": _("%(name)s has been told, and can come back for %(seconds)s more seconds."),
    "absent_soon": _("The table can vote on a seat after two minutes of absence."),
    "nobody_votes": _(
        "Nobody else is here to vote. Only somebody who claims this seat when joining can get it."
    ),
    "too_few_vote": _("At least two other players must be here to vote on that."),
    "not_absent": _("Only the seat of somebody who is away can be given to another."),
    "moved_on": _("You play on another device now. This one is logged out."),
    "gone_kicked": _("You were removed from this table."),
    "gone_idle": _("You missed too many turns, so your seat was given up."),
    "gone_disconnected": _("You were away too long, so you left the table."),
    "gone_closed": _("A moderator closed this table: %(reason)s"),
    "gone_banned": _("A moderator banned you from this site: %(reason)s"),
    "hands_off": _("You can't decide about yourself, and only superusers can decide about staff."),
    "saved": _("Saved."),
    "goes_on_soon": _("Next in a moment: others are still looking."),
    "gone": _("That is gone."),
    "already_decided": _("Somebody else has already decided this report."),
    "already_done": _("Nothing left to do: it is already done or over."),
    "no_address": _("Their address isn't known: they have an account, or weren't here today."),
    "own_match": _("You're playing in this match, so you can't see its secrets."),
    "reported": _("Thank you. A moderator will look at it."),
    "too_many_reports": _("You have sent %(most)s reports in the last hour. Please wait a while."),
    "ended": _("A moderator has ended the match: %(reason)s"),
    "looked": _("A moderator looked at the secrets of this match: %(reason)s"),
    draining.CODE: Text(draining.SENTENCE),
    "restart": _("The server is restarting. Back in a moment."),
    "paused": _("The match is paused until the host resumes it."),
    "parked": _(
        "This server cannot read the match just now. It is kept as it is, and goes on by itself"
        " as soon as it can be read."
    ),
    "broken": _("Something went wrong in this match, and it had to be stopped. We are sorry."),
}


AND = _("%(before)s and %(last)s")
KEY = re.compile(r"\*\*(.+?)\*\*")
"""The emphasized part of a message (`Text`)."""
STRONG = re.compile(r"<strong>(.+?)</strong>")


class Catalogue(dict[str, str]):
    """Cache of a language's messages.

    `gettext` would look up the active language and search every app's catalogue at each call.
    """

    def __init__(self, language: str) -> None:
        super().__init__()
        self.language = language

    def __missing__(self, message: str) -> str:
        with translation.override(self.language):
            found = self[message] = translation.gettext(message)
        return found

    def plural(self, one: str, many: str, count: int) -> str:
        """Return the form of a message for `count`."""
        with speaking(self.language):
            return translation.ngettext(one, many, count)


@cache
def catalogue(language: str) -> Catalogue:
    """Return the messages of a language, cached for the life of the process."""
    return Catalogue(language)


def translated(message: str) -> str:
    """Return a message in the active language."""
    return catalogue(translation.get_language() or settings.LANGUAGE_CODE)[message]


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Like `translation.override`, but at no cost if the language is already active."""
    if translation.get_language() == language:
        yield
        return
    with translation.override(language):
        yield


def spoken(asked: Iterable[str]) -> str:
    """Return the first of these languages that is supported, or else English."""
    for code in asked:
        with suppress(LookupError):
            return str(translation.get_supported_language_variant(code)).lower()
    english: str = settings.LANGUAGE_CODE
    return english


def say(
    text: Text,
    names: Sequence[str] = (),
    language: str | None = None,
    reader: Viewer = None,
) -> str:
    """Return the sentence in a language, with names for seats. The default is the active language.

    The seat `reader` is addressed as "you" if the sentence has such a form.
    """
    return _say(text, _Telling(names, reader, _catalogue(language), False))


def emphasized(
    text: Text,
    names: Sequence[str] = (),
    language: str | None = None,
    reader: Viewer = None,
) -> Markup:
    """Return the sentence as HTML, with emphasized parts as `<strong>`."""
    return Markup(_say(text, _Telling(names, reader, _catalogue(language), True)))


def gist(
    text: Text,
    names: Sequence[str] = (),
    language: str | None = None,
    reader: Viewer = None,
) -> str:
    """Return the emphasized parts of a sentence, or the whole sentence if it has none."""
    brought_out = STRONG.findall(emphasized(text, names, language, reader))
    if not brought_out:
        return say(text, names, language, reader)
    return Markup(" ".join(brought_out)).unescape()


def concerned(said: Fact) -> frozenset[Seat]:
    """Return the seats that the sentence can address as "you"."""
    match said:
        case Text():
            return frozenset(said.to_you).union(*map(concerned, said.facts.values()))
        case tuple():
            return frozenset().union(*map(concerned, said))
        case _:
            return frozenset()


def refusal(
    refused: Refused,
    words: Words[Any] | None = None,
    names: Sequence[str] = (),
    language: str | None = None,
) -> str:
    """Return the message of a refusal in a language. The default is the active language.

    It is one of the server's messages, or comes from the game's `words`.
    """
    if refused.code in NOTICES:
        return say(Text(NOTICES[refused.code].id, refused.facts), names, language)
    if words is None:
        return refused.code
    return say(words.refusal(refused.code, refused.facts), names, language)


def notice(code: str, language: str | None = None, /, **facts: Any) -> str:
    """Return one of the server's messages: why it refuses something, or what has happened."""
    return say(Text(NOTICES[code].id, facts), (), language)


def rating(code: str, language: str | None = None) -> str:
    """Return the sentence for a code of `games.engine.rated`. It is empty for matches at tables
    that are not rated.
    """
    return notice(f"rated_{code}", language) if f"rated_{code}" in NOTICES else ""


class _Telling(NamedTuple):
    """Context of a sentence: names, reader, language, and whether to produce HTML."""

    names: Sequence[str]
    reader: Viewer
    of: Catalogue
    as_html: bool


def _catalogue(language: str | None) -> Catalogue:
    return catalogue(language or translation.get_language() or settings.LANGUAGE_CODE)


@cache
def _html(message: str) -> str:
    """Return a message as HTML. Facts inserted into it must already be escaped."""
    return KEY.sub(r"<strong>\1</strong>", str(escape(message)))


def _say(text: Text, to: _Telling) -> str:
    if to.reader is not None and to.reader in text.to_you:
        text = text.to_you[to.reader]
    of = to.of
    found = of.plural(text.id, text.plural, text.count) if text.plural else of[text.id]
    written = _html(found) if to.as_html else found.replace("**", "")
    if not text.facts:
        return written
    return written % {name: _fact(fact, to) for name, fact in text.facts.items()}


def _fact(fact: Fact, to: _Telling) -> str:
    match fact:
        case Seat():
            return _text(to.names[fact] if fact < len(to.names) else "?", to)
        case Text():
            return _say(fact, to)
        case tuple():
            return _list([_fact(part, to) for part in fact], to)
        case _:
            return _text(str(fact), to)


def _text(text: str, to: _Telling) -> str:
    text = isolated(text)
    return text if text.isalnum() or not to.as_html else str(escape(text))


def _list(parts: Sequence[str], to: _Telling) -> str:
    if len(parts) < 2:
        return parts[0] if parts else ""
    return _say(AND, to) % {"before": ", ".join(parts[:-1]), "last": parts[-1]}
