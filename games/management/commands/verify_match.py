"""Checks that the random draws of matches follow from the commitments made before them."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.isolation import for_terminal
from games.engine.mixed import agreement
from games.engine.snapshots import seed_of
from games.history.verify import commitment_of, derived, differences
from games.models import Match

PROVED = """\
Nothing was changed after the commitment, and only somebody who knew the server seed could influence
the luck: an operator who played and sent the last nonce."""

AGREED = """\
Nothing was changed after the start. If at least one honest page or program added to the luck,
nobody could choose it."""


class Command(BaseCommand):
    help = "Recomputes the commitment, the seed and every draw of a finished match."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("match", type=int, nargs="+", help="numbers of one or more matches")
        parser.add_argument(
            "--commitment", help="the commitment shown before the match, to compare"
        )

    def handle(self, *args: Any, match: list[int], commitment: str | None, **options: Any) -> None:
        if commitment is not None and len(match) > 1:
            raise CommandError("--commitment needs exactly one match.")
        for finished in map(_finished, match):
            if len(match) > 1:
                self.stdout.write(f"Match {finished.pk}:")
            self._verify(finished, commitment)

    def _verify(self, match: Match, commitment: str | None) -> None:
        self.stdout.write(f"The server seed {match.secret} has the commitment")
        self.stdout.write(f"  {commitment_of(match)}.")
        names = list(match.players.order_by("seat").values_list("name", flat=True))
        if (agreed := agreement(match, names)) is not None:
            self._write_agreement(agreed)
        else:
            self.stdout.write(f"With {len(match.nonces)} nonces, the seed is")
            self.stdout.write(f"  {seed_of(match).hex()}.")
            of_server = derived(match)
            self.stdout.write(f"{of_server} nonces were derived from the server seed, not chosen.")
        if match.mixed is None and not match.nonces_derived:
            self.stdout.write("In this old match, the server chose the nonces of bots.")
        if match.lesson:
            self.stdout.write("This is a lesson: its seed is fixed and public.")
        if match.pruned:
            raise CommandError(f"The draws of match {match.pk} have been deleted.")
        found = list(differences(match, commitment))
        for sentence in found:
            self.stdout.write(for_terminal(sentence))
        if found:
            count = "1 difference" if len(found) == 1 else f"{len(found)} differences"
            raise CommandError(
                f"The luck of match {match.pk} does not follow from the seed: {count}."
            )
        draws = sum(len(act.draws) for act in match.acts.all())
        self.stdout.write(f"All {draws} draws follow from the seed.")
        if match.mixed is not None:
            self.stdout.write(AGREED)
        elif not match.lesson:
            self.stdout.write(PROVED)

    def _write_agreement(self, agreed: dict[str, Any]) -> None:
        added = [one["secret"] is not None for one in agreed["seats"]]
        self.stdout.write(f"The list of shares is {agreed['list']}.")
        self.stdout.write(f"The code is {agreed['code']}.")
        self.stdout.write(f"{sum(added)} of {len(added)} seats added to the luck.")
        if any(one["username"] is None for one in agreed["seats"]):
            self.stdout.write("A name has changed since then, so the list cannot be recomputed.")


def _finished(number: int) -> Match:
    match = Match.objects.filter(pk=number).first()
    if match is None:
        raise CommandError(f"There is no match {number}.")
    if match.ended_at is None:
        raise CommandError("This match is still running. Its seed is revealed at the end.")
    return match
