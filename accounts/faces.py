"""Faces: characters in four moods, drawn from the parts in `faces.json`.

A face is a number and the colour of the disc behind it, written `07-teal`. One picture holds all
four moods. The first is neutral, and each other mood is an SVG view (`…/07-teal.svg#grin`), so a
change of mood needs no request.
"""

from __future__ import annotations

import colorsys
import gzip
import json
import unicodedata
from collections.abc import Iterable
from functools import cache, lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

PARTS: dict[str, Any] = json.loads(Path(__file__).with_name("faces.json").read_text())
"""SVG in a box of 100 by 100, with `{letter}` for colours: ink `k`, hair `h`, skin `s`, cloth `c`
and their shades `hd`, `sd`, `cd`; accent `a`, lips `l`, and brows: colour `b`, width `w`."""
CHARACTERS: list[dict[str, Any]] = PARTS["characters"]
COLOURS: tuple[str, ...] = tuple(PARTS["token"])
PEOPLE = [at for at, one in enumerate(CHARACTERS, 1) if "robot" not in one]
ROBOTS = [at for at, one in enumerate(CHARACTERS, 1) if "robot" in one]
"""Numbers of the characters for users, and of those for bots."""
CHOICES = tuple(f"{at:02}-{CHARACTERS[at - 1]['token']}" for at in PEOPLE)
"""The faces that users can choose, each with the colour it was designed for."""
MOODS = ("neutral", "grin", "sweat", "out")
VERSION = 3
"""Part of the address: browsers keep pictures for a year."""
BOT_SALT = b"bot58"
"""Chosen so that the bots of a table all have different faces (`games.rooms.bots`)."""
APART = 140
"""Distance between the four moods in the picture. It leaves room for hats outside the disc."""
OVER_EARS = ("bob", "long", "waves", "curls", "afro")
"""Hairstyles that cover the ears."""
DISC = (
    '<circle cx="50" cy="55" r="43" fill="{t}"/><circle cx="50" cy="55" r="43" fill="none"'
    ' stroke="#000" stroke-opacity=".28" stroke-width="3"/><path d="M13 44A39 39 0 0 1 87 44"'
    ' fill="none" stroke="#fff" stroke-opacity=".28" stroke-width="3"/>'
)
PLATE = (
    '<rect x="7" y="12" width="86" height="86" rx="22" fill="{t}"/><rect x="8.5" y="13.5"'
    ' width="83" height="83" rx="20.5" fill="none" stroke="#000" stroke-opacity=".28"'
    ' stroke-width="3"/>'
)
CUT = {
    DISC: "M-20-20H120V55H93A43 43 0 0 1 7 55H-20Z",
    PLATE: "M-20-20H120V60H93V76A22 22 0 0 1 71 98H29A22 22 0 0 1 7 76V60H-20Z",
}
"""Outlines that cut the shoulders off at the edge of the disc.

Hair and hats may extend beyond it.
"""
SHARED = ("disc", "back", "middle", "front")
"""Layers that are the same in all moods. Their first letters are their ids in the picture."""
GREY = (
    '<filter id="grey" x="-1" y="-1" width="3" height="3">'
    '<feColorMatrix type="saturate" values=".15"/></filter>'
)
"""Filter that removes most of the colour, for players who are out."""


@lru_cache(maxsize=4096)
def preset(name: str, bot: bool = False) -> str:
    """Return the default face for a name."""
    written = unicodedata.normalize("NFC", name).encode()
    number = int.from_bytes(blake2b(written, digest_size=4, salt=BOT_SALT if bot else b"").digest())
    if bot:
        at, number = number % len(ROBOTS), number // len(ROBOTS)
        return f"{ROBOTS[at]:02}-{COLOURS[number % len(COLOURS)]}"
    return CHOICES[number % len(CHOICES)]


def chosen(face: object) -> str:
    """Return the face if users can choose it, else "" (the default face)."""
    return str(face) if face in CHOICES else ""


def address(face: str) -> str:
    """Return the URL path of a face's picture."""
    return f"/face/{VERSION}/{face}.svg"


def address_of(name: str, bot: bool = False) -> str:
    """Return the URL path of the picture of a name's default face."""
    return address(preset(name, bot))


def picture_of(account: object) -> str:
    """Return the URL path of an account's face, or of the default face of a name."""
    chosen = getattr(account, "face", "")
    return address(chosen) if chosen else address_of(str(account))


def told_apart(wanted: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the faces of the players at a table, by name, made distinct where possible.

    `wanted` lists names and faces in seat order. A face that is already taken gets another colour,
    as long as one is free.
    """
    found: dict[str, str] = {}
    for name, face in wanted:
        taken = set(found.values())
        same = (face, *(f"{face[:2]}-{colour}" for colour in COLOURS))
        found[name] = next((one for one in same if one not in taken), face)
    return found


@cache
def draw(number: int, colour: str) -> str:
    """Return the SVG of a character on a disc of this colour.

    Raise LookupError if either is unknown.
    """
    if not 1 <= number <= len(CHARACTERS):
        raise LookupError(number)
    character, token = CHARACTERS[number - 1], PARTS["token"][colour]
    layers = _robot(character) if "robot" in character else _person(character)
    layers["disc"] = disc = PLATE if "robot" in character else DISC
    shared = "".join(f'<g id="{name[0]}">{layers[name]}</g>' for name in SHARED if layers[name])
    moods = "".join(_mood(mood, at * APART, layers) for at, mood in enumerate(MOODS))
    drawn = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-5 0 110 110"'
        ' stroke-linejoin="round" stroke-linecap="round" stroke-width="2.6">'
        f'<defs>{GREY}<clipPath id="cut"><path d="{CUT[disc]}"/></clipPath>{shared}</defs>'
        f"{moods}</svg>"
    )
    for letter, value in {**_colours(character), "t": token}.items():
        drawn = drawn.replace(f"{{{letter}}}", value)
    return drawn


@cache
def compressed(number: int, colour: str) -> bytes:
    """Return the SVG of `draw`, compressed with gzip.

    Raise LookupError if character or colour is unknown.
    """
    return gzip.compress(draw(number, colour).encode())


def _mood(mood: str, left: int, layers: dict[str, str]) -> str:
    """Return the layers of one mood, with an SVG view that shows only this mood."""
    used = {name: f'<use href="#{name[0]}"/>' if layers[name] else "" for name in SHARED}
    mouth, eyes = layers[f"{mood} mouth"], layers[f"{mood} eyes"]
    drop = PARTS["drop"] if mood == "sweat" else ""
    inside = f"{used['back']}{mouth}{used['middle']}{eyes}{used['front']}{drop}"
    grey = ' filter="url(#grey)"' if mood == "out" else ""
    # Without a fragment in the URL the picture shows the first mood.
    view = f'<view id="{mood}" viewBox="{left - 5} 0 110 110"/>' if left else ""
    move = f' transform="translate({left})"' if left else ""
    return f'{view}<g{move}{grey}>{used["disc"]}<g clip-path="url(#cut)">{inside}</g></g>'


def _person(of: dict[str, Any]) -> dict[str, str]:
    """Return a character's layers in painting order, including those that depend on the mood."""
    hat, style = of.get("hat"), of["style"]
    covers_ears = hat == "hijab" or style in OVER_EARS
    hair = PARTS["style"][style]
    bald = hat == "hijab" or (hat is not None and style == "none")
    worn = of.get("accessories", ())
    freckles = PARTS["accessory"]["freckles"] if "freckles" in worn else ""
    layers = {
        "back": hair["behind"]
        + PARTS["body"][of["body"]]
        + PARTS["neck"]
        + ("" if covers_ears else PARTS["ears"])
        + PARTS["head"][of["head"]]
        + PARTS["beard"].get(of.get("beard"), "")
        + freckles,
        "middle": PARTS["moustache"].get(of.get("moustache"), ""),
        "front": ("" if bald else hair["front"])
        + PARTS["hat"].get(hat, "")
        + "".join(PARTS["accessory"][one] for one in worn if one != "freckles"),
    }
    for mood, drawn in PARTS["moods"].items():
        layers[f"{mood} mouth"], layers[f"{mood} eyes"] = drawn["mouth"], drawn["eyes"]
    if of["skin"] in ("chestnut", "umber", "ebony") and "patch" not in worn:
        layers["neutral eyes"] = PARTS["whites"] + layers["neutral eyes"]
    return layers


def _robot(of: dict[str, Any]) -> dict[str, str]:
    robot = PARTS["robots"][of["robot"]]
    layers = {"back": robot["base"], "middle": "", "front": ""}
    for mood, drawn in robot["moods"].items():
        layers[f"{mood} mouth"], layers[f"{mood} eyes"] = drawn, ""
    return layers


def _colours(of: dict[str, Any]) -> dict[str, str]:
    hair, skin = PARTS["hair"][of["hair"]], PARTS["skin"][of["skin"]]
    shade = "#2b2233" if of["hair"] == "black" else _shade(hair, 0.62)
    return {
        "h": hair,
        "hd": shade,
        "s": skin,
        "sd": _shade(skin, 0.72),
        "c": of["cloth"],
        "cd": _shade(of["cloth"], 0.68),
        "a": of["accent"],
        "l": of.get("lips", PARTS["ink"]),
        "b": "#8f8a96" if of["hair"] in ("silver", "white") else shade,
        "w": str(of["brow"]),
        "k": PARTS["ink"],
    }


def _shade(colour: str, factor: float) -> str:
    """Return a colour (`#rrggbb`) with its lightness multiplied by `factor`."""
    red, green, blue = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, lightness, saturation = colorsys.rgb_to_hls(red, green, blue)
    shaded = colorsys.hls_to_rgb(hue, min(1, lightness * factor), saturation)
    return "#" + "".join(f"{round(255 * part):02x}" for part in shaded)
