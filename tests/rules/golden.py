"""Golden transcripts (law 12): what each seat saw of one random match per game, line by line.

`python -m tests.rules.golden` regenerates them. A difference is a change of rules or of random
draws, and must be intentional: read it before you commit it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from games.contract.data import Viewer, pack
from games.contract.game import AnyGame
from games.registry import GAMES
from tests.kit.play import Act, Playthrough, match, troubled
from tests.kit.repository import ROOT

SEED = 11
SEATS = 4

Facts = Mapping[str, Any]


def path_of(game: AnyGame) -> Path:
    return ROOT / "games" / game.slug / "tests" / "golden.txt"


def seats_of(game: AnyGame) -> int:
    return min(max(SEATS, game.seats[0]), game.seats[1])


def transcript(game: AnyGame) -> str:
    """Return one match: each act, its events with recipients, and the changes in each view."""
    lines: list[str] = []
    before: dict[Viewer, Facts] = {}
    for playthrough in match(game, seats_of(game), game.rules.options(), SEED, troubled):
        lines.append(f"{playthrough.made + 1} {_title(playthrough)}")
        for told in playthrough.change.told:
            whom = "all" if told.to is None else ",".join(str(seat) for seat in told.to)
            lines.append(f"  {whom}: {_line(pack(told.event))}")
        after = {viewer: _facts(playthrough, viewer) for viewer in (None, *playthrough.seats)}
        lines += [f"    {line}" for line in _differences(before, after)]
        before = after
    return "\n".join(lines) + "\n"


def _title(playthrough: Playthrough) -> str:
    if not playthrough.made:
        return f"setup of {playthrough.game.name}, {len(playthrough.seats)} seats, seed {SEED}"
    act: Act = playthrough.last
    who = "" if act.seat is None else f" {act.seat}"
    return f"{act.kind}{who}" + ("" if act.move is None else f" {_line(pack(act.move))}")


def _facts(playthrough: Playthrough, viewer: Viewer) -> Facts:
    """Return the parts of a state that are sent to a viewer, field by field."""
    game, state = playthrough.game, playthrough.state
    facts: dict[str, Any] = dict(pack(game.rules.view(state, viewer)))
    facts["awaited"] = pack(game.rules.awaited(state))
    facts["turn"] = pack(game.rules.turn(state))
    facts["clock"] = state.clock
    facts["patience"] = game.rules.patience(state)
    facts["outcome"] = pack(game.rules.outcome(state))
    facts["offers"] = () if viewer is None else pack(game.rules.offers(state, viewer))
    facts["prompt"] = None if viewer is None else state.prompts[viewer]
    return facts


def _differences(before: Mapping[Viewer, Facts], after: Mapping[Viewer, Facts]) -> Iterator[str]:
    """Return each changed fact with its viewers. Merge equal facts of several viewers."""
    for name in after[None]:
        sees: dict[str, list[str]] = {}
        for viewer, facts in after.items():
            if viewer in before and before[viewer].get(name) == facts[name]:
                continue
            who = "gallery" if viewer is None else str(viewer)
            sees.setdefault(_line(facts[name]), []).append(who)
        for value, who in sees.items():
            yield f"{'all' if len(who) == len(after) else ','.join(who)} {name} = {value}"


def _line(plain: Any) -> str:
    return msgspec.json.encode(plain).decode()


def main() -> None:
    for game in GAMES.values():
        path_of(game).write_text(transcript(game), encoding="utf-8")
        print(f"{game.name}: {len(path_of(game).read_text().splitlines())} lines")


if __name__ == "__main__":
    main()
