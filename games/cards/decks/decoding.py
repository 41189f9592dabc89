"""Decodes the contents of a file as text, in any encoding that Excel writes."""

from __future__ import annotations

import codecs

from django.utils.translation import gettext

LONGEST = 2 * 1024 * 1024
"""Maximum bytes of a file. It applies to the file as sent, and to its text as UTF-8."""
MOST_LINES = 20_000
"""Maximum lines of a file that is read line by line, including empty lines."""

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class Unreadable(Exception):
    """A file or a card in it cannot be read. The message says why."""


def decoded(data: bytes) -> str:
    """Return the text of a file without its byte-order mark.

    Raise Unreadable if the file is too large, is empty, or cannot be decoded.

    A byte-order mark names the encoding. Without one, text that is not UTF-8 is Windows-1252.
    """
    if len(data) > LONGEST:
        raise _too_large()
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            text = _strictly(data[len(mark) :], encoding)
            break
    else:
        text = _strictly(data, "cp1252" if _is_windows_1252(data) else "utf-8")
    if len(text.encode()) > LONGEST:
        raise _too_large()
    if not text.strip():
        raise Unreadable(gettext("The file is empty."))
    return text


def _is_windows_1252(data: bytes) -> bool:
    """Return whether most non-ASCII characters would be invalid as UTF-8.

    Otherwise, an invalid file is damaged UTF-8, which must not be read in another encoding.
    """
    text = data.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    beyond_ascii = len(text) - len(text.encode("ascii", "ignore"))
    return wrong > beyond_ascii - wrong


def _strictly(data: bytes, encoding: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as problem:
        line = data[: problem.start].decode(encoding, "replace").count("\n") + 1
        raise Unreadable(
            gettext("Line %(line)s cannot be read. Save the file as UTF-8.") % {"line": line}
        ) from None


def _too_large() -> Unreadable:
    return Unreadable(gettext("The file is too large: 2 MiB at most."))
