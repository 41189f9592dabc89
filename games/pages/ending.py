"""The end of a match for one viewer: template data."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.translation import gettext, gettext_noop, ngettext

from accounts.isolation import isolated
from games.contract.core import ranked
from games.contract.data import Viewer
from games.contract.words import Text
from games.engine.mixed import code_of_match
from games.engine.snapshots import MatchSnapshot
from games.engine.table_policy import BOT
from games.pages.evening import scores
from games.rooms.claims import judged
from games.tables.recap import recap_data
from games.tables.sentences import rating, say
from games.tables.serializers import outcome_data
from games.tables.table import Json, Table
from games.tables.views import view_of

ADDED = gettext_noop("%(who)s added to the luck.")
ADDED_TOGETHER = gettext_noop("%(who)s added to the luck together.")
NAMED = 3
"""Maximum winners named in large letters."""
PODIUM = 5
"""Maximum number of players on the podium."""
WORD = 11
"""Letters of the longest word that fits into the headline at its usual size."""
LINE = 15
"""Letters of the longest list of names that fits into the headline at its usual size."""

Place = tuple[int, Sequence[str]]
"""A place and the people who share it."""


def region(table: Table, seat: Viewer) -> Json:
    """Return the places, the roles and the decisive moments.

    * `won`: whether the viewer won; None if they only watched or nobody won
    * `came`: the viewer's place, if they lost other than in a team
    * `long`: whether the winners' names are too long for the usual size of the headline
    * `gained`: the viewer's new points for the evening
    * `lists`: the players with their places, on the podium and below it, or by team
    """
    match = table.match
    if match is None or not match.over:
        return {"outcome": None}
    outcome = outcome_data(table) or {}
    winners = outcome["winners"]
    won = table.names[seat] in winners if seat is not None and winners else None
    names, spoken = table.names, table.spoken_names
    you = names[seat] if seat is not None else None
    places = list(ranked(outcome["places"]))
    placed = next((at for at, group in places if seat is not None and names[seat] in group), None)
    recap = recap_data(table.recap, names, spoken, seat) if table.recap else None
    evening = scores(table)
    teams = _are_teams(winners, places, recap)
    together = _and(winners) if 1 < len(winners) <= NAMED else ""
    named = won or (len(winners) <= NAMED and (won is None or not teams))
    return {
        "outcome": outcome,
        "places": places,
        "won": won,
        "came": placed if won is False and not teams else None,
        "long": len(together) > LINE
        or any(len(word) > WORD for name in winners for word in name.split()),
        "you": you,
        "together": together,
        "because": _because(table, match, named, seat),
        "gained": next((one["newest"] for one in evening if one["name"] == you), 0),
        "teams": teams,
        "lists": _lists(places, teams, bool(winners)),
        "evening": evening,
        "recap": recap,
        "claims": judged(match, table.claims),
        "looks": list(table.looks),
        "match": match.row.pk,
        "lesson": match.row.lesson,
        "added": _added(outcome["fairness"]),
        "code": code_of_match(match.row),
        "rating": rating(match.row.rated),
        "link": table.policy.archived,
        "result": _in_a_line(match, outcome["places"]) if winners else "",
    }


def _added(fairness: Json) -> str:
    """Return who has added to the luck of a match, as a sentence. "" if its luck has version 1."""
    if "luck" not in fairness:
        return ""
    added = [one for one in fairness["seats"] if one["secret"] is not None]
    if not added:
        return gettext("Nobody at the table added to the luck, so you have to trust this server.")
    named = tuple(one["username"] for one in added if one["username"] is not None)
    if len(named) < len(added):  # a name has changed since
        sentence = ngettext(
            "One player added to the luck.", "%(count)s players added to the luck.", len(added)
        )
        return sentence % {"count": len(added)}
    if len(named) == 1:
        return say(Text(ADDED, {"who": named}))
    return say(Text(ADDED_TOGETHER, {"who": named}))


def _are_teams(winners: Sequence[str], places: Sequence[Place], recap: Json | None) -> bool:
    """Whether players had roles and won or lost in teams."""
    roles = recap is not None and any(person["was"] for person in recap["people"])
    return roles and len(places) <= 2 and len(winners) != 1


def _lists(places: Sequence[Place], teams: bool, won: bool) -> list[tuple[str, list[Json]]]:
    """Return the players in the order of their places, in lists that are laid out differently.

    The first three places are on the podium. Leave out a place shared by too many, and all places
    after it.
    """
    groups = [[{"place": place, "name": name} for name in group] for place, group in places]
    if teams:
        return [("team", group) for group in groups]
    podium: list[Json] = []
    others: list[Json] = []
    for group in groups:
        fits = won and not others and len(podium) < 3 and len(podium) + len(group) <= PODIUM
        (podium if fits else others).extend(group)
    return [(kind, one) for kind, one in (("podium", podium), ("others", others)) if one]


def _and(people: Sequence[str]) -> str:
    """Join names into a list with "and"."""
    who = tuple(name.removesuffix(BOT) for name in people)
    return say(Text("%(who)s", {"who": who}))


def _in_a_line(match: MatchSnapshot, places: Sequence[Sequence[str]]) -> str:
    """Return a text for sharing the result, without roles, cards or a link."""
    groups = (
        f"{place}. " + ", ".join(isolated(name.removesuffix(BOT)) for name in names)
        for place, names in ranked(places)
    )
    return f"{match.game.name}: {' · '.join(groups)}"


def _because(table: Table, match: MatchSnapshot, named: bool, reader: Viewer) -> str:
    """Return the reason why the match ended.

    Include the winners unless the heading already names them (`named`).
    """
    text = _text(table, match)
    if text is None:
        return gettext("The match was stopped.")
    why = text.facts.get("why", text) if named else text
    told = reader if named else None
    return say(why, table.spoken_names, reader=told) if isinstance(why, Text) else str(why)


def sentence(table: Table, match: MatchSnapshot, seat: Viewer) -> str:
    """Return who has won and why. Address a winner as "you"."""
    text = _text(table, match)
    if text is None:
        return gettext("The match was stopped. Nobody wins.")
    return say(text, table.spoken_names, reader=seat)


def _text(table: Table, match: MatchSnapshot) -> Text | None:
    """Return the game's sentence for the end of a match, or None if the match was stopped."""
    outcome = match.game.rules.outcome(match.state)
    if outcome is None:
        return None
    return table.words.ending(view_of(table, None), outcome.winners, outcome.reason)
