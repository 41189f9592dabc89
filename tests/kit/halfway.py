"""Matches of all games in a served database: `python -m tests.kit.halfway begin|go_on|finish`.

Runs in a server's environment as a separate process, as the next version would.
"""

from __future__ import annotations

import os
import subprocess
import sys

from tests.kit.served import ROOT, Served

STEP = 5


def halfway(served: Served, what: str) -> str:
    """Perform this action on the database of a server and return one line per match."""
    command = [sys.executable, "-m", "tests.kit.halfway", what]
    done = subprocess.run(command, cwd=ROOT, env=served.env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def main(what: str) -> None:
    """Begin a match of every game, continue the running ones, or play them to the end."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    import django

    django.setup()
    from games.contract.luck import Luck
    from games.history.verify import differences
    from games.models import Match
    from games.registry import GAMES
    from tests.kit import corpus

    if what == "begin":
        for slug in GAMES:
            corpus.halfway(slug)
    for match in Match.objects.filter(ended_at=None).order_by("pk"):
        before = match.version
        if what != "begin":
            corpus.play_on(match.pk, Luck(b"halfway", 0), STEP if what == "go_on" else None)
        match.refresh_from_db()
        assert not match.broken
        assert what != "finish" or (match.outcome is not None and not list(differences(match)))
        print(f"{match.game} {before} {match.version}")


if __name__ == "__main__":
    main(sys.argv[1])
