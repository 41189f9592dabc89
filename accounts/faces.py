"""A face for every name: a small picture drawn from nothing but the name, the same everywhere.

Shape, colours and the beads around the rim come from a digest of the name, so that two people with
the same initials can be told apart; the address holds the digest and the initials, not the name.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from hashlib import blake2b
from html import escape
from math import cos, pi, sin

# Each as light as white writing on it, light paper and dark paper allow: 4.5:1, 3:1, 3:1.
COLOURS = (
    *("#c5374f", "#b84829", "#9d5e00", "#787000", "#4f7a00", "#1f7f2f"),
    *("#007d60", "#007a85", "#0074ad", "#3f66d0", "#7658ca", "#a542b7"),
)
INK = "#ffffff"
PALE = ("#ffffff", "#ffe08a", "#9df0d0", "#ffc2d4")
SHAPES = (
    '<circle cx="24" cy="24" r="23"/>',
    '<rect x="2" y="2" width="44" height="44" rx="12"/>',
    '<path d="M24 1 44 12.5v23L24 47 4 35.5v-23Z"/>',
    '<path d="M14 2h20l12 12v20L34 46H14L2 34V14Z"/>',
    '<path d="M4 3h40v22c0 12-9 19-20 22C13 44 4 37 4 25Z"/>',
)
BOT = '<path d="M22 7V2h4v5h12a6 6 0 0 1 6 6v25a6 6 0 0 1-6 6H10a6 6 0 0 1-6-6V13a6 6 0 0 1 6-6Z"/>'
LIGHT = (
    '<linearGradient id="l" x2="0" y2="1"><stop stop-color="#fff" stop-opacity=".34"/>'
    '<stop offset=".36" stop-color="#fff" stop-opacity="0"/>'
    '<stop offset=".66" stop-opacity="0"/><stop offset="1" stop-opacity=".3"/></linearGradient>'
)
"""From above, and a shadow below: none of it where the letters are, which keep their contrast."""
BEADS = 10
BOT_SALT = b"bot36316"
"""With it the bots that sit down first at a table all have colours of their own."""
VERSION = 2
"""Part of the address: pictures are kept by browsers for a year."""


@lru_cache(maxsize=4096)
def face_of(name: str, bot: bool = False) -> tuple[str, str]:
    """What a face is drawn from: a digest as eight hexadecimal digits (after a `b` for a bot), and
    the initials as hexadecimal UTF-8."""
    named = unicodedata.normalize("NFC", name).encode()
    digest = blake2b(named, digest_size=4, salt=BOT_SALT if bot else b"").hexdigest()
    return f"{'b' if bot else ''}{digest}", initials(name).encode().hex()


def address_of(name: str, bot: bool = False) -> str:
    """Where the face of this name is found on this site."""
    digest, letters = face_of(name, bot)
    return f"/face/{VERSION}/{digest}-{letters}.svg"


def initials(name: str) -> str:
    """The first letters of the first and the last word, or the first two of the only one."""
    words = [word for word in name.replace("(", " ").replace(")", " ").split() if word]
    if not words:
        return "?"
    if len(words) == 1 or name.endswith("(bot)"):
        first = _letters(words[0])
        return (first[0] + (first[1].lower() if len(first) > 1 else "")).strip() or "?"
    return _letters(words[0])[0] + _letters(words[-1])[0]


@lru_cache(maxsize=1024)
def draw(digest: str, letters: str) -> str:
    """The SVG of a face: `digest` is hexadecimal, as `face_of` gives it; `letters` are initials.

    Everything else a digest could hold is drawn, too: it is no secret and no key.
    """
    bot, number = digest.startswith("b") and len(digest) == 9, int(digest[-8:], 16)
    number, at_colour = divmod(number, len(COLOURS))
    number, at_shape = divmod(number, len(SHAPES))
    number, at_pale = divmod(number, len(PALE))
    shape = BOT if bot else SHAPES[at_shape]
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48" width="48" height="48">'
        f'{LIGHT}<g fill="{COLOURS[at_colour]}">{shape}</g>'
        f'<g fill="url(#l)" stroke="#000" stroke-opacity=".2" stroke-width="2">{shape}</g>'
        f'<g fill="{PALE[at_pale]}">{_beads(number % 2**BEADS)}</g>'
        f'<text x="24" y="30" fill="{INK}" font-family="system-ui,sans-serif" font-size="17"'
        f' font-weight="700" text-anchor="middle">{escape(letters)}</text></svg>'
    )


def _beads(pattern: int) -> str:
    """Dots around the rim, where the pattern has a bit."""
    turned = ((at, 2 * pi * at / BEADS - pi / 2) for at in range(BEADS) if pattern >> at & 1)
    return "".join(
        f'<circle cx="{24 + 17.5 * cos(angle):.1f}" cy="{24 + 17.5 * sin(angle):.1f}" r="1.9"/>'
        for _, angle in turned
    )


def _letters(word: str) -> list[str]:
    """The letters of a word as people count them: marks belong to what they stand on."""
    found: list[str] = []
    for character in word:
        if found and (unicodedata.combining(character) or "\ufe00" <= character <= "\ufe0f"):
            found[-1] += character
        else:
            found.append(character)
    return [found[0].upper(), *found[1:]]
