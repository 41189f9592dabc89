"""Edit the text of a settings file. Known settings are updated, and the rest is kept."""

from __future__ import annotations

import re
from collections.abc import Mapping

LINE = re.compile(r"\A(?:export )?([A-Za-z_]\w*)=(.*)\Z")
PLAIN = re.compile(r"[-\w:/@.+,=%?&~]*")
NAME = "parlour.env"
SECRET = re.compile(r"(KEY|SECRET|TOKEN|PASSWORD)\Z")
HEAD = "# Settings of this server (docs/settings.md). Keep this file secret.\n"


def read(text: str) -> dict[str, str]:
    """Return the settings in a file."""
    found = (LINE.match(line) for line in text.splitlines())
    return {match[1]: _unquoted(match[2]) for match in found if match}


def updated(text: str, new: Mapping[str, str]) -> str:
    """Return the file with these settings changed. Other lines, comments and the order are kept."""
    lines, seen = [], set()
    for line in (text or HEAD).splitlines():
        match = LINE.match(line)
        if match and match[1] in new:
            if match[1] in seen:
                continue
            seen.add(match[1])
            line = _line(match[1], new[match[1]])
        lines.append(line)
    lines += [_line(name, value) for name, value in new.items() if name not in seen]
    return "\n".join(lines) + "\n"


def masked(line: str) -> str:
    """Return a line of the file without keys and passwords, for display."""
    found = re.match(r"([-+ ]?[# ]*(?:export )?)(\w+)=(.*)", line)
    if found is None:
        return line
    mark, name, value = found.groups()
    return f"{mark}{name}={'…' if SECRET.search(name) else without_password(value)}"


def without_password(address: str) -> str:
    """Return a URL without its password, even if it is malformed."""
    address = re.sub(r"(://[^:/]*:).*@", r"\1…@", address)
    return re.sub(r"([?&]password=)[^&']*", r"\1…", address)


def _line(name: str, value: str) -> str:
    if "'" in value or "\n" in value:
        raise ValueError(f"{name} must not contain quotation marks or line breaks.")
    return f"{name}={value}" if PLAIN.fullmatch(value) else f"{name}='{value}'"


def _unquoted(value: str) -> str:
    quoted = len(value) > 1 and value[0] == value[-1] and value[0] in "'\""
    return value[1:-1] if quoted else value
