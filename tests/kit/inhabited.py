"""A database as it looks after some months: long names, full lists, finished matches."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from msgspec.structs import replace

from accounts.models import Follow, MuteOrBlock, Token, User
from games import rooms
from games.cards import decks
from games.cards.rules import packs
from games.contract.luck import Luck
from games.history import counting
from games.models import Match, Pool, Rating, Room
from games.registry import GAMES
from games.rooms import programs
from moderation.models import Report
from tests.kit.corpus import play_on

PASSWORD = "correct horse 7"
ANN, ROOT = "Friederike", "Oberverwalterin"
LONG = "Donaudampfschifffahrtsgesellschaftskapitän"
NAMES = (
    *("Friederike Wolkenste", "Maximilian-Alexander", "Annegret Hohenlohe", "Bo"),
    *("Donaudampfschiffskap", "Karl-Theodor Freihe.", "Wilhelmine Schwarzen", "Zoë"),
    *("Bartholomäus Krüger", "Hannelore Überlinger", "Ottokar", "Mechthild Großkopf"),
)
USUAL: dict[str, Any] = {
    "mia": {"lives": 1},
    "chamber": {"startLives": 1},
    "cards": {"maxRounds": 2},
}
PLAYERS = {"secret_hitler": 8, "coup": 5, "mia": 8, "chamber": 6, "cards": 8}


def fill() -> None:
    """Fill an empty database. All accounts have PASSWORD, and ANN has the most to see."""
    User.objects.create_superuser(ROOT, name="Die Verwalterin", password=PASSWORD)
    people = [_person(at, name) for at, name in enumerate(NAMES)]
    ann = people[0]
    for slug in GAMES:
        _finished(slug, people[: PLAYERS[slug]])
    counting.run()
    for at, person in enumerate(people):
        for slug in GAMES:
            rated = {"mu": 31 - at, "sigma": 0.8 + at / 10, "matches": 1234 if at == 1 else 61 + at}
            Rating.objects.update_or_create(
                user=person,
                game=slug,
                pool=Pool.PEOPLE,
                defaults={**rated, "last_at": timezone.now()},
            )
    Follow.objects.bulk_create(Follow(user=ann, other=other) for other in people[1:9])
    Follow.objects.bulk_create(Follow(user=other, other=ann) for other in people[7:])
    _open("coup", people[1:4])
    asking = _open("mia", [people[1]])
    rooms.invite(asking.pk, people[1].pk, ann.username).result()
    _belongings_of(ann, people)


def _person(at: int, name: str) -> User:
    username = ANN if at == 0 else f"{name.split()[0].lower()}-{at}"
    seen = User.SeenBy.values[-1]
    return User.objects.create_user(username, name=name, password=PASSWORD, seen_by=seen)


def _finished(slug: str, people: list[User]) -> None:
    room = _open(slug, people, **USUAL.get(slug, {}))
    match = Match.objects.get(pk=rooms.start(room.pk, room.host_id).result())
    play_on(match.pk, Luck(b"an evening", 0))
    for person in people:
        rooms.leave(room.pk, person.pk).result()


def _open(slug: str, people: list[User], **options: Any) -> Room:
    host, *others = people
    joined = rooms.open_room(host.pk, slug, str(host), options, visibility="public").result()
    for other in others:
        rooms.join(joined.code, other.pk, str(other)).result()
    return Room.objects.get(pk=joined.room_id)


def _belongings_of(ann: User, people: list[User]) -> None:
    Token.objects.create(user=ann, name="Programm auf dem Rechner im Wohnzimmer", digest="0" * 64)
    for other in people[-2:]:
        MuteOrBlock.objects.create(user=ann, other=other, name=other.name, mutes=True, blocks=True)
    for owner in (ann, people[1]):
        program = programs.make_program(owner.pk, f"Dampfschiff {owner.pk:3}").result()
        version, _ = programs.make_version(owner.pk, program.pk, LONG).result()
        Rating.objects.create(
            user=version.user,
            game="mia",
            pool=Pool.PROGRAMS,
            mu=25,
            sigma=2,
            matches=1234,
            last_at=timezone.now(),
        )
    pack = packs.BUILT_IN["own-de"]
    decks.keep(ann.pk, replace(pack, slug="schiff", name=LONG)).result()
    for reported in people[-3:]:
        Report.objects.create(
            kind="name",
            reason="spam",
            what=LONG,
            by=ann,
            by_name=ann.name,
            about=reported,
            about_name=reported.name,
            note="Das hört nie auf.",
        )
