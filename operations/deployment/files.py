"""The files of a deployment.

Templates are rendered, compared with the existing files, and written.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from accounts.push_keys import new_private_key
from operations.deployment import env_text
from operations.deployment.answers import Answers, new_secret_key

TEMPLATES = Path(__file__).parent / "templates"
NAMES = (
    "parlour.target",
    "parlour@.service",
    "parlour@.socket",
    "parlour-restart.service",
    "parlour-backup.service",
    "parlour-backup.timer",
    "nginx.conf",
    "Caddyfile",
    "compose.yaml",
    "Dockerfile",
    "kubernetes.yaml",
)
ANSWERS = "answers.env"
ANSWERS_HEAD = "# The last answers to `deploy`. Nothing else reads this file.\n"
SECRET, OPEN = 0o600, 0o644


@dataclass(frozen=True)
class File:
    """A file with its intended contents."""

    path: Path
    text: str
    mode: int = OPEN

    @property
    def before(self) -> str | None:
        """The existing contents, or None if there is no such file."""
        return self.path.read_text(encoding="utf-8") if self.path.exists() else None

    @property
    def state(self) -> str:
        """State of the file: `new`, `changed` or `unchanged`."""
        if self.before is None:
            return "new"
        right = self.mode == OPEN or self.path.stat().st_mode & 0o777 == self.mode
        return "unchanged" if self.before == self.text and right else "changed"

    def difference(self) -> Iterator[str]:
        """Yield the lines of the diff, without secrets."""
        old, new = (self.before or "").splitlines(), self.text.splitlines()
        lines = list(difflib.unified_diff(old, new, "current", "new", "", "", 1, ""))
        yield from map(env_text.masked, lines) if self.mode == SECRET else lines

    def write(self) -> None:
        """Write the file atomically, so that readers see either the old file or the new one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(f".{self.path.name}.new")
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, self.mode), "w") as to:
            to.write(self.text)
        os.replace(beside, self.path)


def files(answers: Answers) -> list[File]:
    """Return all files of a deployment, starting with the settings."""
    env = File(answers.env_file, _settings(answers), SECRET)
    postgres = _postgres_password(answers.folder / "postgres.env")
    kept = File(answers.folder / ANSWERS, env_text.updated(ANSWERS_HEAD, answers.kept()))
    made = [File(answers.folder / name, render(name, answers)) for name in NAMES]
    return [env, *made, postgres, kept]


def render(name: str, answers: Answers) -> str:
    """Return a file of the deployment, rendered from its template."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # the files are not HTML
    )
    return environment.get_template(f"{name}.jinja").render(a=answers)


def _settings(answers: Answers) -> str:
    path = answers.env_file
    source = path if path.exists() else answers.joins
    before = source.read_text(encoding="utf-8") if source else ""
    known = env_text.read(before)
    new = {"SECRET_KEY": known.get("SECRET_KEY") or new_secret_key(answers.base)}
    new["METRICS_TOKEN"] = known.get("METRICS_TOKEN") or token_urlsafe(24)
    new["PUSH_PRIVATE_KEY"] = known.get("PUSH_PRIVATE_KEY") or new_private_key()
    if not before:  # existing servers keep their setting for staff logins
        new["STAFF_SECOND_STEP"] = "required"
    return env_text.updated(before, new | answers.settings())


def _postgres_password(path: Path) -> File:
    """Return the file that contains the password shared by Parlour and PostgreSQL in containers."""
    password = env_text.read(path.read_text()).get("PGPASSWORD") if path.exists() else None
    password = password or token_urlsafe(24)
    names = {"POSTGRES_USER": "parlour", "POSTGRES_DB": "parlour"}
    passwords = {"POSTGRES_PASSWORD": password, "PGPASSWORD": password}
    return File(path, env_text.updated("", names | passwords), SECRET)
