"""A running match with users in every role, and the URLs of their pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django.test import Client
from django.urls import reverse

from accounts import invitations, tokens
from accounts.models import MuteOrBlock
from games import rooms
from games.cards import decks
from games.cards.decks.reading import read_deck
from games.engine.writer import command
from games.history import staff
from games.models import Program
from tests.kit import moderation_helpers
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.people import account, as_user
from tests.kit.stored import CSV

OF_A_PROGRAM = ("describe-program", "delete-program", "make-version")
OF_A_VERSION = ("new-token", "retire-version", "wake-version")


class PopulatedTable:
    """A running match with users in every role, and objects that belong to the host."""

    def __init__(self, mark: str = "") -> None:
        """Prefix all display names with `mark`."""
        host = account("Bob", name=f"{mark}Bob")
        guests = {
            name: PersonFactory(name=f"{mark}{name}") for name in ("member", "spectator", "kicked")
        }
        self.room = open_table(host, guests["member"], guests["kicked"])
        watches = guests["spectator"]
        rooms.join(self.room.code, watches.pk, str(watches), spectate=True).result()
        rooms.kick(self.room.pk, host.pk, str(guests["kicked"])).result()
        start_match(self.room)
        self.room.refresh_from_db()
        pack = read_deck(CSV, f"{mark}Bob's", "en").pack
        assert pack is not None
        self.deck = decks.keep(host.pk, pack).result()
        tokens.make(host, f"{mark}bob's")
        self.token = host.tokens.get()
        self.program = Program.objects.create(
            owner=host, slug="nemo", name=f"{mark}Nemo", key="nemo"
        )
        plays = account(f"{mark}Nemo v1", is_program=True)
        tokens.make(plays, f"{mark}Nemo")
        self.version = self.program.versions.create(number=1, label=f"{mark}2.0", user=plays)
        self.warning = command(staff.decide)(host.pk, "warning", f"{mark}enough").result()
        locked = account("Locked")
        clerk = account("Clerk", is_staff=True)
        self.kept = MuteOrBlock.objects.create(
            user=host, other=clerk, name=f"{mark}Clerk", mutes=True
        )
        self.people = {
            **guests,
            "host": host,
            "guest": PersonFactory(name=f"{mark}guest"),
            "registered": account("Ann", name=f"{mark}Ann"),
            "locked out": locked,
            "staff without right": clerk,
            "moderator": account("Mod", is_staff=True),
            "superuser": account("Root", is_staff=True, is_superuser=True),
        }
        self.browsers = {who: as_user(person) for who, person in self.people.items()}
        self.browsers["stranger"] = Client()
        moderation_helpers.lock_out(locked.pk).result()

    def address(self, name: str) -> str:
        if name == "admin":
            return "/admin/"
        if name == "account_invited":
            return urlsplit(invitations.address(invitations.make_link())).path
        game, code, slug = ["mia"], [self.room.code], [self.deck.slug]
        known: dict[str, list[Any]] = {
            "new-table": game,
            "rules": game,
            "league": game,
            "league-file": game,
            "ladder": game,
            "ladder-file": game,
            **{one: [self.program.pk] for one in OF_A_PROGRAM},
            **{one: [self.version.pk] for one in OF_A_VERSION},
            "game-reference": game,
            "table": code,
            "screen": code,
            "handoff": ["FORGED"],
            "person-sheet": [
                *code,
                self.room.members.order_by("pk").values_list("pk", flat=True)[1],
            ],
            "leave-table": code,
            "new-game": code,
            "accept-invitation": code,
            "decline-invitation": code,
            "invite-friend": code,
            "match": [self.room.match_id],
            "match-file": [self.room.match_id],
            "luck-record": [self.room.match_id],
            "replay": [self.room.match_id, 1],
            "person": ["Bob"],
            "face": ["01", "teal"],
            "game-colours": ["0123"],
            "report-deck": slug,
            "meet-again": [self.kept.pk],
            "have-read": [self.warning.pk],
            "deck": slug,
            "replace-deck": slug,
            "change-deck": slug,
            "deck-file": [*slug, "json"],
            "revoke-token": [self.token.pk],
            "account_confirm_email": ["forged"],
            "progress": ["forged"],
            "account_welcome": ["MQ", "forged"],
            "mfa_edit_webauthn": [1],
            "mfa_remove_webauthn": [1],
            "account_reset_password_from_key": ["1", "forged"],
        }
        return reverse(name, args=known.get(name, []))
