"""The files of a deployment: made from templates, compared with what is there, then written."""

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
    *("parlour.service", "parlour.socket", "parlour-backup.service", "parlour-backup.timer"),
    *("nginx.conf", "Caddyfile", "compose.yaml", "Dockerfile"),
)
ANSWERS = "answers.env"
ANSWERS_HEAD = "# What was answered last; `deploy` reads it, and nothing else does.\n"
SECRET, OPEN = 0o600, 0o644


@dataclass(frozen=True)
class File:
    """A file as it shall be."""

    path: Path
    text: str
    mode: int = OPEN

    @property
    def before(self) -> str | None:
        """What is there now; None for nothing."""
        return self.path.read_text(encoding="utf-8") if self.path.exists() else None

    @property
    def state(self) -> str:
        """new, changed or unchanged."""
        if self.before is None:
            return "new"
        right = self.mode == OPEN or self.path.stat().st_mode & 0o777 == self.mode
        return "unchanged" if self.before == self.text and right else "changed"

    def difference(self) -> Iterator[str]:
        """What would change, line by line; secrets are left out."""
        old, new = (self.before or "").splitlines(), self.text.splitlines()
        lines = list(difflib.unified_diff(old, new, "as it is", "as it would be", "", "", 1, ""))
        yield from map(env_text.masked, lines) if self.mode == SECRET else lines

    def write(self) -> None:
        """Put it there whole: anyone who reads meanwhile reads the old one or the new one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(f".{self.path.name}.new")
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, self.mode), "w") as to:
            to.write(self.text)
        os.replace(beside, self.path)


def files(answers: Answers) -> list[File]:
    """All files of a deployment; the settings first."""
    env = File(answers.env_file, _settings(answers), SECRET)
    postgres = _postgres_password(answers.folder / "postgres.env")
    kept = File(answers.folder / ANSWERS, env_text.updated(ANSWERS_HEAD, answers.kept()))
    made = [File(answers.folder / name, render(name, answers)) for name in NAMES]
    return [env, *made, postgres, kept]


def render(name: str, answers: Answers) -> str:
    """One of the templates, filled in."""
    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,  # (these are no pages)
    )
    return environment.get_template(f"{name}.jinja").render(a=answers)


def _settings(answers: Answers) -> str:
    path = answers.env_file
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    known = env_text.read(before)
    new = {"SECRET_KEY": known.get("SECRET_KEY") or new_secret_key(answers.base)}
    new["METRICS_TOKEN"] = known.get("METRICS_TOKEN") or token_urlsafe(24)
    new["PUSH_PRIVATE_KEY"] = known.get("PUSH_PRIVATE_KEY") or new_private_key()
    if not before:  # where staff log in by password alone already, that is not changed behind them
        new["STAFF_SECOND_STEP"] = "required"
    return env_text.updated(before, new | answers.settings())


def _postgres_password(path: Path) -> File:
    """For containers alone: the password that Parlour and PostgreSQL share."""
    password = env_text.read(path.read_text()).get("PGPASSWORD") if path.exists() else None
    password = password or token_urlsafe(24)
    names = {"POSTGRES_USER": "parlour", "POSTGRES_DB": "parlour"}
    passwords = {"POSTGRES_PASSWORD": password, "PGPASSWORD": password}
    return File(path, env_text.updated("", names | passwords), SECRET)
