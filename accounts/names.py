"""Names people are called by: what is allowed, and when two are too much alike."""

import unicodedata

LONGEST = 20

_HIDDEN = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}

# Letters of other scripts that look like Latin ones in common typefaces.
_LOOKS_LIKE = str.maketrans(
    {
        **dict(zip("аеорсухіјѕԁԛԝһɡ", "aeopcyxijsdqwhg", strict=True)),
        **dict(zip("αονιρτυκχ", "aoviptukx", strict=True)),
        **dict(zip("вкмнт", "bkmht", strict=True)),
        **dict(zip("0156|", "oisbl", strict=True)),
        "ı": "i",
        "l": "i",
    }
)


class BadName(ValueError):
    """The name cannot be used; `args[0]` is `UsernameTooLong` or `UsernameInvalid`."""


def clean_name(name: str) -> str:
    """The name trimmed and in NFC. Raises BadName."""
    name = unicodedata.normalize("NFC", name).strip()
    if len(name) > LONGEST:
        raise BadName("UsernameTooLong")
    if not name or any(unicodedata.category(letter) in _HIDDEN for letter in name):
        raise BadName("UsernameInvalid")
    return name


def name_key(name: str) -> str:
    """What two names share when one could be taken for the other."""
    decomposed = unicodedata.normalize("NFKD", name.casefold())
    plain = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    key = "".join(plain.translate(_LOOKS_LIKE).split())
    return (key or name.casefold())[:80]
