"""The language of a deck, as users write it: `de`, `EN`, `pt_BR`, `German`, `deutsch`."""

from __future__ import annotations

import re
from collections.abc import Mapping

from django.conf.locale import LANG_INFO

LONGEST_CODE = 10
LONGEST_NAME = 40
_CODE = re.compile(r"[a-z]{2,3}(-[a-z0-9]{2,8})*")


def language_code(given: str) -> str | None:
    """Return the code of a language that is given by its code or name, in any letter case.

    Return None if the language is unknown.
    """
    plain = " ".join(given[: LONGEST_NAME + 1].casefold().split())
    code = _CODE_OF.get(plain, plain).replace("_", "-")
    if len(code) > LONGEST_CODE or not _CODE.fullmatch(code):
        return None
    language, *more = code.split("-")
    return "-".join((language, *map(_subtag, more)))


def _subtag(plain: str) -> str:
    """Write a region or script in the form that BCP 47 recommends: `pt-BR`, `zh-Hant`."""
    if len(plain) == 2:
        return plain.upper()
    return plain.title() if len(plain) == 4 and plain.isalpha() else plain


def _codes_by_name() -> Mapping[str, str]:
    known = [(code, one) for code, one in LANG_INFO.items() if "name" in one]
    return {one[key].casefold(): code for code, one in known for key in ("name", "name_local")}


_CODE_OF = _codes_by_name()
