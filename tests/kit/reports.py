"""Create reports as pages of tables do, and read them as the back office shows them."""

from __future__ import annotations

from accounts.models import User
from chat.models import Message
from games import rooms
from games.models import Room
from moderation import reports
from moderation.models import Report
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.talking import without_limit

PACK = '{"slug":"d","name":"d","language":"en","prompts":[],"answers":[]}'


def report(room: Room, user: User, what: str, which: object, **more: str) -> None:
    given = {"reason": "insult", "note": "", **more}
    reports.from_table(room.pk, user.pk, what, str(which), **given).result()


def says(room: Room, user: User, *texts: str) -> Message:
    with without_limit():
        for text in texts:
            rooms.say(room.pk, user.pk, text).result()
    return Message.objects.latest("pk")


def message_report(text: str = "boo <b>") -> Report:
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
    room = open_table(ann, bob)
    start_match(room)
    report(room, ann, "message", says(room, bob, "hello", text).pk, note="see?")
    return Report.objects.latest("pk")


def page_of(one: Report) -> str:
    return f"/admin/moderation/report/{one.pk}/change/"
