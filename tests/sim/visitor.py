"""A visitor, who loads pages and submits forms without fields, as different users.

Pages are drawn from the URLs of the project, so a new page is loaded without any change to this
file.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from random import Random
from typing import TYPE_CHECKING, Any

from django.db import DatabaseError
from django.test import Client
from django.urls import NoReverseMatch, get_resolver, reverse

from accounts.models import User
from games.models import Deck, Match, Member, Room
from games.registry import GAMES

if TYPE_CHECKING:
    from tests.sim.evening import Evening

log = logging.getLogger(__name__)

OTHERS = ("account_", "mfa_", "admin", "operations", "style", "reference", "asyncapi", "schema")
"""Beginnings of the names of pages that are not about people and tables."""
POSTS = 0.2
"""Share of forms among everything that is requested."""

_KNOWN: Mapping[Any, Any] = get_resolver().reverse_dict
_NAMED = {name: of[0][0][1] for name, of in _KNOWN.items() if isinstance(name, str)}
PAGES = sorted((name, of) for name, of in _NAMED.items() if not name.startswith(OTHERS))
"""Names of the pages about people and tables, with their arguments."""

BROWSER = Client(raise_request_exception=False)
BROWSER.handler.load_middleware()  # looks for all static files, which is slow


class Visitor:
    """Somebody with a browser, in some evenings."""

    def __init__(self, evening: Evening) -> None:
        self._evening, self._dice = evening, Random(f"visitor {evening.shape.seed}")
        self._every = self._dice.choice((None, None, 1.0, 5.0))

    async def spend_the_evening(self) -> None:
        while self._every is not None and not self._evening.is_over:
            await self._evening.rest(self._dice.expovariate(1 / self._every))
            if (process := self._evening.server.pick()) is not None:
                process.run(self._visit())

    async def _visit(self) -> None:
        """Request a page in a process of the server. Django logs an error if that fails."""
        try:
            address, user = self._address(), self._drawn(User.objects.all())
            BROWSER.cookies.clear()
            if user is not None and self._dice.random() < 0.7:
                BROWSER.force_login(user)
        except DatabaseError:
            return  # the storage fails
        is_calm = self._evening.faults.is_calm
        ask = BROWSER.post if self._dice.random() < POSTS else BROWSER.get
        self._evening.tell(f"{user} requests {ask.__name__} {address}")
        status = ask(address).status_code
        if status >= 500 and is_calm and self._evening.faults.is_calm:
            log.error("%s %s was answered with status %s", ask.__name__, address, status)

    def _address(self) -> str:
        """Return the address of a page, about rows that exist or existed, or about none."""
        name, arguments = self._dice.choice(PAGES)
        try:
            return reverse(name, kwargs={one: self._argument(one) for one in arguments})
        except NoReverseMatch:  # an argument of another form, such as a colour
            return reverse("front")

    def _argument(self, name: str) -> Any:
        number = self._dice.randrange(20)
        match name:
            case "code":
                return self._drawn(Room.objects.values_list("code", flat=True)) or "AAAAA"
            case "slug":
                decks = Deck.objects.order_by("pk").values_list("slug", flat=True)
                return self._dice.choice([*GAMES, *decks])
            case "username":
                named = User.objects.exclude(username=None).values_list("username", flat=True)
                return self._drawn(named) or "nobody"
            case "number":
                counted = Match.objects.exclude(no=None).values_list("no", flat=True)
                return self._drawn(counted) or number
            case "member":
                return self._drawn(Member.objects.values_list("pk", flat=True)) or number
            case "kind":
                return self._dice.choice(("json", "csv"))
            case _:
                return number

    def _drawn(self, rows: Any) -> Any:
        found = list(rows.order_by("pk"))
        return self._dice.choice(found) if found else None
