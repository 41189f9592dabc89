"""A moderator, who carries out every action of `moderation.action_table`, and erases users."""

from __future__ import annotations

import logging
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

from accounts.models import User
from chat.models import Message
from games.contract.core import Ignored, Refused
from games.history import erasure
from games.models import Deck, Match, ProgramVersion, Room
from moderation import actions
from tests.sim.machine import machine

if TYPE_CHECKING:
    from tests.sim.evening import Evening

log = logging.getLogger(__name__)

TARGETS = {
    "person": User,
    "message": Message,
    "deck": Deck,
    "room": Room,
    "match": Match,
    "version": ProgramVersion,
}
"""The rows that an action can be about, by the field of its request."""
MOST_ACTIONS = 4
"""Maximum kinds of actions in an evening. With few of them, unusual sequences are more likely."""


class Moderator:
    """A superuser who acts now and then, in some evenings."""

    def __init__(self, evening: Evening) -> None:
        self._evening, self._dice = evening, Random(f"moderator {evening.shape.seed}")
        self._every = self._dice.choice((None, None, 2.0, 10.0))
        known = (*actions.ACTIONS, "erase")
        self._actions = self._dice.sample(known, self._dice.randint(1, MOST_ACTIONS))
        self._user = User.objects.create(username="moderator", is_staff=True, is_superuser=True)

    async def spend_the_evening(self) -> None:
        while self._every is not None and not self._evening.is_over:
            await self._evening.rest(self._dice.expovariate(1 / self._every))
            if (process := self._evening.server.pick()) is not None:
                process.run(self._act())

    async def _act(self) -> None:
        """Draw an action and its target, and carry it out in a process of the server."""
        name = self._dice.choice(self._actions)
        field = actions.ACTIONS[name].to if name != "erase" else "person"
        try:
            if ids := list(TARGETS[field].objects.order_by("pk").values_list("pk", flat=True)):
                target = self._dice.choice(ids)
                self._evening.tell(f"the moderator does {name} to {field} {target}")
                self._do(name, field, target)
        except (Ignored, Refused):
            return
        except Exception:
            log.exception("the moderator could not do %s", name)

    def _do(self, name: str, field: str, target: int) -> None:
        if name == "erase":
            erasure.finish(target)
            return
        request = actions.ActionRequest(
            by=self._user.pk,
            reason="simulated",
            until=machine.wall() + timedelta(seconds=self._dice.choice((5, 600))),
            name=self._dice.choice(("ann", "bob")),
            **{field: target},
        )
        actions.do(name, request).result()
