"""Settings of a server in which every bot hangs forever when it should move.

With HANG_AT_STOP, the server's event loop also hangs on shutdown.
"""

from __future__ import annotations

import os
import threading
from typing import Any, NoReturn

from django.apps import AppConfig

from config.settings import *  # noqa: F403
from config.settings import INSTALLED_APPS


def hang(*args: Any) -> NoReturn:
    while True:
        threading.Event().wait()


class Hanging(AppConfig):
    name = "tests.chaos"

    def ready(self) -> None:
        from games.registry import GAMES

        for game in GAMES.values():
            for level in game.bots.levels:
                game.bots.levels[level] = hang
        if os.environ.get("HANG_AT_STOP"):
            from games.sockets.api_clients import ApiClients

            ApiClients.tell_all = hang  # type: ignore[method-assign]


INSTALLED_APPS = [*INSTALLED_APPS, "tests.chaos.hanging.Hanging"]
