"""Shared parts of the workbench's commands: arguments, a progress bar, and reports as text."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError
from rich.markup import escape
from rich.progress import Progress

from accounts.isolation import escaped
from games.management.arena import CannotContinue
from games.management.arguments import check_level, read_game, read_given_options, read_seats
from games.management.authors import Author, CannotRun, CommandAuthor, FileAuthor
from games.management.workbench import Bench, Fault, Report, difference, run

PATIENCE = 10.0


def add_trial_arguments(parser: ArgumentParser) -> None:
    """Add the arguments that only programs need."""
    parser.add_argument("--game", help="the game that a program plays, e.g. coup")
    parser.add_argument(
        "--patience", type=float, default=PATIENCE, help=f"seconds for a move ({PATIENCE:g})"
    )


def is_file(what: str | None) -> bool:
    """Whether this argument names a file, even a missing one, and not a game."""
    return what is not None and (what.endswith(".py") or Path(what).suffix != "" or "/" in what)


def read_bench(given: dict[str, Any]) -> Bench:
    """Return what is played. Raise CommandError if an argument is not valid."""
    game = read_game(given["game"])
    seats, against = read_seats(game, given["seats"]), given["against"] or "normal"
    check_level(game, against)
    if given["patience"] <= 0:
        raise CommandError("--patience must be more than 0 seconds.")
    options = read_given_options(game, given["options"], seats)
    return Bench(game, options, seats, against, given["patience"])


def tried(
    bench: Bench,
    files: Sequence[str],
    deals: range,
    command: str | None = None,
    save: str | None = None,
) -> list[Report]:
    """Let each file, or this command, play all deals. Raise CommandError if one cannot be run."""
    authors: list[Author] = []
    folder = Path(save) if save else None
    try:
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)
        for path in files:
            authors.append(FileAuthor(path) if command is None else CommandAuthor(command))
        with Progress(transient=True) as progress:
            found = []
            for author in authors:
                task = progress.add_task(escape(author.name), total=len(deals))
                found.append(run(bench, author, deals, folder, lambda: progress.advance(task)))  # noqa: B023
            return found
    except (CannotRun, CannotContinue) as error:
        raise CommandError(escaped(str(error), "\n")) from None
    except OSError as error:
        raise CommandError(f"The matches cannot be saved in {save}: {error.strerror}.") from None
    finally:
        for author in authors:
            author.close()


def report(bench: Bench, found: Report, deals: range, save: str | None = None) -> str:
    """Return the results of a program as text."""
    tally, game = found.tally, bench.game
    played = f"{tally.matches} {'match' if tally.matches == 1 else 'matches'}"
    lines = [
        f"{found.name}: {game.name}, {bench.seats} seats, {played} against {bench.against},"
        f" from deal {deals.start}"
    ]
    if tally.matches:
        least, most = tally.interval
        fair = "" if game.rules.sides else f", fair share {1 / bench.seats:.1%}"
        lines.append(f"  wins        {tally.rate:.1%} (95 %: {least:.1%} to {most:.1%}{fair})")
        places = (f"{place}: {found.places[place]}" for place in sorted(found.places))
        lines.append(f"  places      {', '.join(places)}")
    if tally.times:
        half, nearly, longest = (tally.time_at(share) * 1000 for share in (0.5, 0.95, 1.0))
        times = f"median {half:.2f} ms, 95 % below {nearly:.2f} ms, maximum {longest:.2f} ms"
        lines.append(f"  answers     {len(tally.times)}: {times}")
    counts = (
        ("illegal", tally.illegal, "moves that were not offered"),
        ("failed", tally.fallbacks, "answers that ended in an error"),
        ("unanswered", found.unanswered, "questions that ran out of time"),
    )
    lines += [f"  {name:<11} {count} ({what})" for name, count, what in counts if count]
    if save and (lost := sum(not share for share in found.shares)):
        lines.append(f"  saved       {lost} lost matches in {save}")
    return "\n".join((*lines, *map(_fault, found.faults.values())))


def compared(old: Report, new: Report) -> str:
    """Return by how much the second program is better, in a sentence."""
    if not (old.shares and new.shares):
        return "Nothing can be compared, because no match was finished."
    more, half = difference(old.shares, new.shares)
    verdict = "no difference is proved. More --games narrow the interval"
    if abs(more) > half:
        verdict = f"{new.name} is {'stronger' if more > 0 else 'weaker'}"
    return (
        f"{new.name} − {old.name}: {100 * more:+.1f} points"
        f" (95 %: {100 * (more - half):+.1f} to {100 * (more + half):+.1f}), {verdict}."
    )


def failures(found: Sequence[Report]) -> str:
    """Return which programs failed and how, or "" if none did."""
    said = []
    for one in found:
        if one.stopped:
            said.append(escaped(f"{one.name}: {one.stopped}", "\n"))
        elif one.has_failed:
            count = sum(fault.count for fault in one.faults.values())
            said.append(f"{one.name} made {count} mistakes. Random moves were made instead.")
    return "\n".join(said)


def _fault(fault: Fault) -> str:
    times = "once" if fault.count == 1 else f"{fault.count} times"
    where = f"first in deal {fault.deal} (--seed {fault.deal} --games 1 plays it again)"
    return escaped(f"\n{times}, {where}:\n{fault.said}", "\n")
