"""From message ids and facts to sentences in somebody's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any
from weakref import WeakKeyDictionary

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, ngettext
from django.utils.translation.trans_real import catalog

from games.rules.core import Refused
from games.rules.data import Seat
from games.rules.words import Fact, Text, Words, _

PLATFORM: Mapping[str, Text] = {
    "stale": _("Somebody was faster: the question has changed meanwhile."),
    "ignored": _("That is not yours to do now."),
    "busy": _("Too much at once. Please try again in a moment."),
    "bad_game": _("There is no game of that name here."),
    "bad_options": _("The option %(option)s has to be one of: %(allowed)s."),
    "bad_level": _("There is no such bot. There are: %(allowed)s."),
    "bad_target": _("There is nobody of that name to choose here."),
    "already_here": _("They are at this table already."),
    "too_many_asked": _("You have invited %(most)s people. Withdraw an invitation first."),
    "asked": _("%(username)s is invited."),
    "bad_message": _("A message has 1 to 500 characters, and no word that is not wanted here."),
    "chat_closed": _("The chat is closed for now."),
    "muted": _("A moderator has muted you %(until)s: %(reason)s"),
    "table_full": _("The table is full: %(most)s can play."),
    "not_enough_players": _("It takes at least %(needed)s players; there are %(have)s."),
    "not_allowed_now": _("That cannot be done at the moment."),
    "already_in_room": _("You are already at a table with this connection."),
    "too_many_rooms": _("You are host of %(most)s tables. Close one of them first."),
    "not_your_hand": _("You held no such policies in the latest government."),
    "already_claimed": _("You have already said what you held."),
    "bad_claim": _("A claim names %(size)s of these: %(values)s."),
    "vetoed": _("From the next match on this table does not see that card any more."),
    "deck_changed": _("The deck has been changed meanwhile. Look at it again first."),
    "too_many_decks": _("You keep %(most)s decks already; delete one first."),
    "InvalidRoom": _("There is no table with this code."),
    "UsernameTaken": _("Somebody here has that name, or one that looks like it."),
    "UsernameTooLong": _("A name has at most 20 characters."),
    "UsernameInvalid": _(
        "A name needs at least one visible character, no line breaks, and no word that is not"
        " wanted here."
    ),
    "WrongPassword": _("The password is wrong."),
    "NotInvited": _("This table is for invited people only."),
    "RoomFull": _("This table is full."),
    "too_often": _("That was too often. Please wait a few minutes, then try again."),
    "too_many_sockets": _("You have too many pages or programs open here. Close some of them."),
    "staff_stay": _("Your account has rights here. Let another administrator take them first."),
    "LoginRequired": _("Only people with an account play here. Log in, or send its token."),
    "BadToken": _("This token is unknown or has expired."),
    "Kicked": _("The host has sent you away from this table."),
    "Banned": _("You are locked out of this site %(until)s: %(reason)s"),
    "error": _("Something went wrong here. Nothing was changed; please try again."),
    "idle": _("You were silent. After %(left)s more times your seat is given up."),
    "watching": _("All %(most)s seats are taken: you watch this match and may play the next one."),
    "gone_kicked": _("The host has sent you away from this table."),
    "gone_idle": _("You were silent for so long that your seat was given up."),
    "gone_disconnected": _("You were away for so long that you have left the table."),
    "gone_closed": _("This table has been closed by a moderator: %(reason)s"),
    "gone_banned": _("You have been locked out of this site by a moderator: %(reason)s"),
    "hands_off": _("Nobody decides about themselves, and only superusers about the staff."),
    "saved": _("Saved."),
    "goes_on_soon": _("It goes on in a moment: others are still looking."),
    "gone": _("That is not here any more."),
    "already_decided": _("Somebody else has decided this report in the meantime."),
    "already_done": _("There is nothing left to do that to: it has been done, or is over."),
    "own_match": _("You play in this match yourself: its secrets are not for you."),
    "reported": _("Thank you. A moderator will look at it."),
    "too_many_reports": _("You have reported %(most)s times within the hour. Please wait a while."),
    "ended": _("A moderator has ended the match: %(reason)s"),
    "looked": _("A moderator looked at the secrets of this match: %(reason)s"),
    "restart": _("The server is being restarted. Please come back in a moment."),
    "paused": _("The match is paused. The host lets it go on."),
    "parked": _(
        "This server cannot read the match just now. It is kept as it is, and goes on by itself"
        " as soon as it can be read."
    ),
    "broken": _("Something went wrong in this match, and it had to be stopped. We are sorry."),
}


_texts: WeakKeyDictionary[Any, dict[str, str]] = WeakKeyDictionary()


def translated(message: str) -> str:
    """`gettext`, which looks through the catalogue of every app each time, only the first time."""
    known = _texts.setdefault(catalog(), {})
    if message not in known:
        known[message] = gettext(message)
    return known[message]


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """`translation.override`, which costs nothing where the language is active already."""
    if translation.get_language() == language:
        yield
        return
    with translation.override(language):
        yield


def spoken(asked: Iterable[str]) -> str:
    """The first of these languages that is offered; English where none is."""
    for code in asked:
        with suppress(LookupError):
            return str(translation.get_supported_language_variant(code))
    english: str = settings.LANGUAGE_CODE
    return english


def say(text: Text, names: Sequence[str] = (), language: str | None = None) -> str:
    """The sentence in a language (the active one by default), seats by their names."""
    if language is None:
        return _say(text, names)
    with speaking(language):
        return _say(text, names)


def refusal(
    refused: Refused,
    words: Words[Any] | None = None,
    names: Sequence[str] = (),
    language: str = "en",
) -> str:
    """The sentence for why something was refused, by the game's words or the house's."""
    if refused.code in PLATFORM:
        return say(Text(PLATFORM[refused.code].id, refused.facts), names, language)
    if words is None:
        return refused.code
    return say(words.refusal(refused.code, refused.facts), names, language)


def _say(text: Text, names: Sequence[str]) -> str:
    facts = {name: _fact(fact, names) for name, fact in text.facts.items()}
    found = ngettext(text.id, text.plural, text.count) if text.plural else translated(text.id)
    return found % facts if facts else found


def _fact(fact: Fact, names: Sequence[str]) -> str:
    match fact:
        case Seat():
            return names[fact] if fact < len(names) else "?"
        case Text():
            return _say(fact, names)
        case tuple():
            return _list([_fact(part, names) for part in fact])
        case _:
            return str(fact)


def _list(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    before, last = ", ".join(parts[:-1]), parts[-1]
    return gettext("%(before)s and %(last)s") % {"before": before, "last": last}
