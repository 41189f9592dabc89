"""An honest page (`static/luck.js`) without a browser, to which a test shows what it likes."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal, Self

from games.contract.mixing import Share, code_of, list_of

STATIC = Path(__file__).parents[2] / "static"
SENTENCES = ("leftOut", "slandered", "removed", "twice", "thrown", "away", "other", "late", "brief")
TOLD = {"missing": "missing: #", "gone": "gone: #"}
GAME = {"game": "mia", "options": {"lives": 6, "scoring": "lives"}}

_SCRIPT = """
import { createInterface } from "node:readline";
let kind, storage;
function emptied() {
  const kept = new Map(), empty = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => { kept.set(key, value); empty[key] = value; },
    removeItem: (key) => { kept.delete(key); delete empty[key]; },
  };
  for (const name of Object.keys(empty)) Object.defineProperty(empty, name, { enumerable: false });
  return empty;
}
const alarms = [], elements = {
  "luck": { dataset: {} }, "table": { dataset: {} }, "spectating": { hidden: true },
  "luck-told": { textContent: "" },
  "luck-alarms": { append: (line) => alarms.push([line.textContent, line.className]) },
};
globalThis.document = { getElementById: (id) => elements[id], createElement: () => ({}) };
Object.defineProperty(globalThis, "localStorage", { configurable: true, get: () => {
  if (kind === "absent") throw new Error("not allowed");
  if (kind === "full") storage.setItem = () => { throw new Error("full"); };
  return storage;
} });
let time = 0, loaded = 0, look, again;
Date.now = () => time;
for await (const line of createInterface({ input: process.stdin })) {
  const step = JSON.parse(line), sent = [];
  time = step.time;
  if (step.opens) {
    kind = step.opens;
    storage = emptied();
    elements["luck-told"].textContent = "";
    globalThis.location = { pathname: "/t/K7QX2/" };
  }
  if (step.opens || step.reload) ({ look, again } = await import(`${LUCK}?${++loaded}`));
  if (step.path) globalThis.location = { pathname: step.path };
  if (step.again) again();
  for (const [key, value] of Object.entries(step.stores ?? {})) storage.setItem(key, value);
  elements.luck.dataset = step.shown;
  elements.table.dataset = { me: step.name };
  elements.spectating.hidden = step.plays;
  await look((form) => sent.push(form));
  const told = elements["luck-told"].textContent;
  console.log(JSON.stringify({ sent, alarms: alarms.splice(0), told, stored: { ...storage } }));
}
"""


Storage = Literal["works", "absent", "full"]


class HonestPage:
    """A page of the player `name`.

    `alarms` are the names of the sentences that it shows, `serious` those that are no notes, and
    `told` is what it says of void lists.

    `stored` are the entries of the browser's storage after the last step.
    """

    _idle: ClassVar[list[subprocess.Popen[str]]] = []
    """Processes of closed pages. Starting one takes longer than a test."""

    def __init__(self, name: str = "Ann", storage: Storage = "works") -> None:
        self.name, self.time, self.alarms, self.told = name, 0, list[str](), ""
        self.serious = list[str]()
        self.plays = True
        self.stored: dict[str, str] = {}
        self._opens: Storage | None = storage
        self._node = self._idle.pop() if self._idle else _started()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self._node.poll() is None:
            self._idle.append(self._node)

    def show(
        self,
        commitment: str = "",
        listed: dict[str, Any] | str | None = None,
        voids: Sequence[dict[str, Any]] | str = (),
        agreed: dict[str, Any] | str | None = None,
        **step: Any,
    ) -> list[dict[str, str]]:
        """Show a state of the mixing to the page a minute later. Return the forms it sends.

        With `reload` it is a new page in the same browser, and with `again` a new connection.
        Strings are shown as they are, and other values as JSON. `stores` is put into storage first.
        """
        self.time += 60_000
        shown = {"verify": (STATIC / "verify.js").as_uri()}
        if commitment:
            shown |= {one: one for one in SENTENCES} | TOLD
        given = {"commitment": commitment, "list": listed, "voids": voids, "agreed": agreed}
        for key, value in given.items():
            if value:
                shown[key] = value if isinstance(value, str) else json.dumps(value)
        shown |= step.pop("more", {})
        about = {"name": self.name, "time": self.time, "plays": self.plays, "shown": shown}
        about, self._opens = {**about, "opens": self._opens}, None
        assert self._node.stdin is not None
        assert self._node.stdout is not None
        self._node.stdin.write(json.dumps(about | step) + "\n")
        self._node.stdin.flush()
        said = json.loads(self._node.stdout.readline())
        self.alarms += [text for text, _ in said["alarms"]]
        self.serious += [text for text, kind in said["alarms"] if kind != "small"]
        self.told = said["told"]
        self.stored = said["stored"]
        sent: list[dict[str, str]] = said["sent"]
        return sent

    def share(self, commitment: str) -> Share:
        """Return the share that this page sends for a commitment, with its seat."""
        (sent,) = self.show(commitment)
        return Share(self.name, sent["share"])

    def open(self, commitment: str, *seats: Share) -> str | None:
        """Return the secret that this page reveals for a list, or None."""
        sent = self.show(commitment, listed(commitment, *seats))
        return sent[0]["secret"] if sent else None


def _started() -> subprocess.Popen[str]:
    script = f"const LUCK = {json.dumps((STATIC / 'luck.js').as_uri())};{_SCRIPT}"
    return subprocess.Popen(
        ["node", "--input-type=module", "-e", script],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def listed(commitment: str, *seats: Share) -> dict[str, Any]:
    """Return a list of shares, in the form in which pages get it."""
    rows = [{"username": one.username, "share": one.share} for one in seats]
    options = GAME["options"]
    assert isinstance(options, dict)
    return {"list": list_of(commitment, "mia", options, seats), "seats": rows, **GAME}


def agreed(commitment: str, *seats: Share) -> dict[str, Any]:
    """Return what an honest server reports as the agreed shares of a match."""
    found = listed(commitment, *seats)
    found["commitment"] = commitment
    return {**found, "code": code_of(found["list"], seats), "seats": [s._asdict() for s in seats]}
