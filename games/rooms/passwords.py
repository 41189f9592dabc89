"""Room passwords. They are hashed in the only hashing queue of the process (`accounts.hashing`)."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future

from django.contrib.auth.hashers import check_password, make_password
from django.db import close_old_connections

from accounts import hashing
from games.contract.core import Refused
from games.engine.writer import Pending
from games.models import Room
from games.models.rooms import read_code

LONGEST = 100


def hashed(password: str) -> Pending[str]:
    """Return the hash of a room's password, or "" for no password.

    Fails with Refused("busy") under load.
    """
    return _in_turn(lambda: make_password(password)) if password else _known("")


def proof(code: str, password: str) -> Pending[str]:
    """Return a proof that this is the room's password, or "" if it is wrong.

    Fails with Refused("busy") under load.
    """
    if not 1 <= len(password) <= LONGEST:
        return _known("")
    return _in_turn(lambda: _proof(code, password))


def _proof(code: str, password: str) -> str:
    close_old_connections()
    stored = Room.objects.filter(code=read_code(code)).values_list("password", flat=True).first()
    return stored if stored and check_password(password, stored) else ""


def _known(answer: str) -> Pending[str]:
    pending = Pending[str]()
    pending.set_result(answer)
    return pending


def _in_turn(work: Callable[[], str]) -> Pending[str]:
    pending = Pending[str]()

    def settle(done: Future[str]) -> None:
        if (error := done.exception()) is not None:
            pending.set_exception(error)
        else:
            pending.set_result(done.result())

    try:
        hashing.submit(work).add_done_callback(settle)
    except hashing.Busy:
        pending.set_exception(Refused("busy"))
    return pending
