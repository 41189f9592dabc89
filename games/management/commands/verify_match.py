"""Says whether the luck of a match follows from what was committed to before it."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.models import Match
from games.rules.luck import commitment
from games.verify import differences


class Command(BaseCommand):
    help = "Recomputes every draw of a match from the revealed seed."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", type=int, help="the number of the match")

    def handle(self, *args: Any, **options: Any) -> None:
        match = Match.objects.filter(pk=options["match"]).first()
        if match is None:
            raise CommandError(f"There is no match {options['match']}.")
        if match.ended_at is None:
            raise CommandError(
                "This match is still running: its seed is not revealed before the end."
            )
        self.stdout.write(f"Commitment {commitment(bytes.fromhex(match.secret))}")
        found = list(differences(match))
        for sentence in found:
            self.stdout.write(sentence)
        if found:
            raise CommandError(f"{len(found)} draws do not follow from the seed.")
        draws = sum(len(act.draws) for act in match.acts.all())
        self.stdout.write(f"All {draws} draws follow from the seed: the luck was fair.")
