"""The report queue in the back office, as a moderator sees and uses it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import Sanction
from games import rooms
from games.contract.core import Refused
from games.models import Deck, Room
from moderation import actions, reports
from moderation.models import Report, StaffAct
from moderation.queue import ReportAdmin
from tests.kit.factories import PersonFactory, open_table
from tests.kit.moderators import admin_client, moderator, superuser
from tests.kit.moderators import decide as done
from tests.kit.people import account, as_guest, as_user
from tests.kit.reports import PACK, message_report, page_of, report, says

pytestmark = pytest.mark.django_db(transaction=True)


LIST = "/admin/moderation/report/"
OVER = {"end": "finished", "lock": "finished", "close": "closed"}
"""Effect on a match of two if this action is applied to a player, or to their table."""


def decide(client: Client, one: Report, action: str, **more: Any) -> Any:
    given = {"action": action, "length": "week", "reason": "not <here>", **more}
    return client.post(page_of(one), given)


def test_admin_index_starts_with_the_open_reports() -> None:
    message_report()
    page = admin_client().get("/admin/").content.decode()
    assert "Reports (1 open)" in page
    assert page.index("Reports (1 open)") < page.index("/admin/games/")
    decide(admin_client("Quick"), Report.objects.get(), "nothing")
    assert "Reports (0 open)" in admin_client("Late").get("/admin/").content.decode()


def test_report_is_shown_in_plain_sentences_with_links() -> None:
    one = message_report()
    page = admin_client().get(page_of(one)).content.decode()
    text = re.sub(r"\s+", " ", re.sub("<[^>]*>", "", page))
    assert "Ann reports Bob&#x27;s message “boo &lt;b&gt;”: insults or threats." in text
    assert "Ann adds: “see?”" in text
    assert f"at table {one.room.code} (Mia)" in text  # type: ignore[union-attr]
    assert "hello" in text
    assert "Reported once in all, by one person; still open: 1." in text
    assert "No moderator has decided anything about this person before." in text
    for link in (f"user/{one.about_id}/", f"room/{one.room_id}/", f"match/{one.match_id}/"):
        assert link in page
        assert admin_can_open(link)


def admin_can_open(link: str) -> bool:
    app = "accounts" if link.startswith("user") else "games"
    client = as_user(moderator(f"Mod {link[:5]}"))
    return client.get(f"/admin/{app}/{link}change/").status_code == 200


def test_open_reports_come_first_with_the_number_of_reports() -> None:
    ann, bob = PersonFactory(name="Ann"), PersonFactory(name="Bob")
    room = open_table(ann, bob)
    said = [says(room, bob, f"boo {number}") for number in range(3)]
    for one in said:
        report(room, ann, "message", one.pk)
    client = admin_client()
    decide(client, Report.objects.earliest("pk"), "nothing", reason="")
    page = client.get("/admin/moderation/report/").content.decode()
    assert page.index("boo 1") < page.index("boo 2") < page.index("boo 0")
    assert page.count("3 times") == 3
    assert "boo 0" not in client.get("/admin/moderation/report/?state=open").content.decode()


@pytest.mark.parametrize("action", ["warn", "mute", "lock", "remove", "end", "close", "nothing"])
def test_action_is_performed_logged_and_settles_the_report(action: str) -> None:
    one = message_report()
    assert decide(admin_client(), one, action).url == "/admin/moderation/report/"
    one.refresh_from_db()
    room, message = Room.objects.get(), one.message
    assert message is not None
    assert one.decision == action
    assert str(one.decided_by) == "Mod"
    kinds = {"warn": "warning", "mute": "mute", "lock": "lock", "remove": "message"}
    decided = Sanction.objects.filter(user=one.about).values_list("kind", "reason")
    assert list(decided) == ([(kinds[action], "not <here>")] if action in kinds else [])
    assert message.hidden is (action == "remove")
    assert room.status == OVER.get(action, "playing")
    logged = StaffAct.objects.get()
    assert (logged.by_name, logged.action, logged.reason) == ("Mod", action, "not <here>")
    if action not in ("end", "close"):
        assert logged.whom == one.about
    assert (logged.until is not None) is (action in ("mute", "lock"))


def test_name_and_deck_can_be_removed_by_a_report() -> None:
    bob, ann = account("Rude Bob"), PersonFactory()
    room = open_table(ann, bob)
    deck = Deck.objects.create(
        owner=bob, slug="bobs", name="Bob's", language="en", pack=PACK, public=True
    )
    report(room, ann, "name", "Rude Bob")
    reports.of_deck(ann.pk, "bobs", "hate", "").result()
    client = admin_client()
    for kind, action in (("name", "rename"), ("deck", "take_out")):
        decide(client, Report.objects.get(kind=kind), action)
    bob.refresh_from_db()
    deck.refresh_from_db()
    assert (str(bob), deck.hidden) == (f"Player {bob.pk}", True)
    told = as_user(bob).get("/").content.decode()
    assert "removed your name “Rude Bob”: not &lt;here&gt;" in told
    assert "removed your deck “Bob&#x27;s”" in told


@pytest.mark.parametrize(
    "given",
    [
        {"action": "lock", "reason": ""},
        {"action": "lock", "length": ""},
        {"action": "lock", "length": "century"},
        {"action": ""},
        {"action": "rename"},
        {"action": "superuser"},
        {"action": "warn", "reason": "x" * 301},
    ],
)
def test_invalid_decision_is_rejected(given: dict[str, str]) -> None:
    one = message_report()
    answer = decide(admin_client(), one, **given)
    assert answer.status_code == 422
    assert "errorlist" in answer.content.decode()
    one.refresh_from_db()
    assert one.decided_at is None
    assert not Sanction.objects.exists()
    assert not StaffAct.objects.exists()


def test_other_reports_about_a_user_can_be_settled_together() -> None:
    ann, bob, eve = (PersonFactory() for _ in range(3))
    room = open_table(ann, bob, eve)
    for number in range(3):
        report(room, ann, "message", says(room, bob, f"boo {number}").pk)
    report(room, ann, "name", str(eve))
    client = admin_client()
    first = Report.objects.earliest("pk")
    assert "Settle the 2 other open reports" in client.get(page_of(first)).content.decode()
    following = decide(client, first, "lock", others="on").url
    assert following == page_of(Report.objects.get(about=eve))
    assert Report.objects.filter(decided_at=None).count() == 1


def test_report_is_decided_only_once() -> None:
    one = message_report()
    decide(admin_client("Mod"), one, "nothing")
    page = decide(admin_client("Other"), one, "lock").content.decode()
    assert "Somebody else has already decided this report." in page
    assert "Mod decided on" in page
    assert not Sanction.objects.exists()


def test_first_of_two_concurrent_decisions_counts() -> None:
    one = message_report()
    first, second = (
        actions.ActionRequest(by=moderator(n).pk, reason=n, person=one.about_id) for n in "AB"
    )
    actions.do("warn", first, [one.pk]).result()
    for late in (actions.do("lock", second, [one.pk]), actions.nothing(second, [one.pk])):
        with pytest.raises(Refused, match="already_decided"):
            late.result()
    assert list(Sanction.objects.values_list("reason", flat=True)) == ["A"]
    assert list(StaffAct.objects.values_list("by_name", flat=True)) == ["A"]


@pytest.mark.parametrize("action", ["remove", "end", "close"])
def test_completed_action_is_not_offered_again(action: str) -> None:
    one = message_report()
    room = one.room
    assert room is not None
    page = admin_client("Mod").get(page_of(one)).content.decode()
    assert f'value="{action}"' in page
    target = {actions.ACTIONS[action].to: one.message_id if action == "remove" else room.pk}
    done(action, **target)
    client = admin_client("Other")
    assert f'value="{action}"' not in client.get(page_of(one)).content.decode()
    assert decide(client, one, action).status_code == 422
    with pytest.raises(Refused, match="already_done"):
        done(action, **target)
    assert StaffAct.objects.count() == 1


def test_report_about_deleted_objects_can_only_be_dismissed() -> None:
    one = message_report()
    assert one.about is not None
    Room.objects.all().delete()
    one.about.delete()
    client = admin_client()
    page = client.get(page_of(one)).content.decode()
    assert "is gone" in page
    assert "boo" in page
    assert decide(client, one, "lock").status_code == 422
    assert decide(client, one, "nothing").status_code == 302


def test_reports_about_staff_are_visible_only_to_superusers() -> None:
    mod, ann = moderator("Bad Mod"), PersonFactory()
    room = open_table(ann, mod)
    report(room, ann, "behaviour", "Bad Mod")
    one = Report.objects.get()
    for client in (admin_client("Other"), as_user(mod)):
        assert "Bad Mod" not in client.get(LIST).content.decode().partition('id="result_list"')[2]
        for answer in (client.get(page_of(one)), decide(client, one, "nothing")):
            assert answer.status_code == 404
    for by in (mod, moderator("Third")):
        with pytest.raises(Refused, match="hands_off"):
            actions.nothing(actions.ActionRequest(by=by.pk, reason=""), [one.pk]).result()
    assert Report.objects.filter(decided_at=None).exists()
    root = as_user(superuser())
    assert "Bad Mod" in root.get(LIST).content.decode()
    assert decide(root, one, "warn").status_code == 302


def test_bulk_action_asks_for_a_reason_first() -> None:
    people = [PersonFactory() for _ in range(3)]
    client = admin_client()
    given = {"action": "lock", "_selected_action": [person.pk for person in people]}
    page = client.post("/admin/accounts/user/", given).content.decode()
    assert "For how long" in page
    assert not Sanction.objects.exists()
    full = {**given, "why": "yes", "reason": "spam", "length": "day"}
    assert "Reason" in client.post("/admin/accounts/user/", {**full, "reason": ""}).content.decode()
    client.post("/admin/accounts/user/", full)
    assert Sanction.objects.filter(kind="lock", reason="spam").count() == 3
    client.post("/admin/accounts/user/", {**full, "action": "let_in"})
    assert as_user(people[0]).get("/").status_code == 200
    assert StaffAct.objects.count() == 6


def test_moderator_can_announce_to_a_table_and_to_everybody() -> None:
    room = open_table(PersonFactory())
    client = admin_client()
    given = {"action": "tell", "_selected_action": room.pk, "why": "yes"}
    client.post("/admin/games/room/", {**given, "reason": "Be kind", "level": "warning"})
    given = {"level": "info", "text": "Tea <now>", "length": "day"}
    client.post("/admin/games/announcement/add/", given)
    assert "Tea &lt;now&gt;" in Client().get("/").content.decode()
    assert "Be kind" not in Client().get("/").content.decode()
    from games.models import Announcement

    said = Announcement.objects.get(room=None)
    given = {"action": "retract", "_selected_action": said.pk, "why": "yes", "reason": "Cold"}
    client.post("/admin/games/announcement/", given)
    assert "Tea" not in Client().get("/").content.decode()
    assert [a.action for a in StaffAct.objects.order_by("pk")] == ["tell", "say", "unsay"]


def test_moderators_see_no_account_data_of_a_guest() -> None:
    _, guest = as_guest("Ann")
    rooms.open_room(guest.pk, "mia", "Ann").result()
    page = admin_client().get(f"/admin/accounts/user/{guest.pk}/change/").content.decode()
    assert "No moderator has decided" in page
    main = page.partition('id="content"')[2].lower()
    for secret in ("password", "superuser", "last login", "e-mail", "email"):
        assert secret not in main


def test_late_decision_shows_the_earlier_one(monkeypatch: Any) -> None:
    one, late = message_report(), admin_client("Late")
    form = ReportAdmin._form

    def meanwhile(self: Any, request: Any, report: Report) -> Any:
        made = form(self, request, report)
        if request.method == "POST" and not StaffAct.objects.exists():
            action_request = actions.ActionRequest(
                by=moderator("Quick").pk, reason="rude", person=one.about_id
            )
            actions.do("warn", action_request, [one.pk]).result()
        return made

    monkeypatch.setattr(ReportAdmin, "_form", meanwhile)
    page = decide(late, one, "warn").content.decode()
    assert "Somebody else has already decided this report." in page
    assert "Quick decided" in page
    assert 'name="action"' not in page


@pytest.mark.parametrize("to", ["person", "message", "deck", "room", "match", "version"])
def test_action_on_a_deleted_object_is_refused(to: str) -> None:
    action = {
        "person": "mute",
        "message": "remove",
        "deck": "take_out",
        "room": "close",
        "match": "void",
        "version": "retire",
    }[to]
    to_nobody: dict[str, Any] = {to: 10**6}
    with pytest.raises(Refused, match="gone"):
        actions.do(
            action, actions.ActionRequest(by=moderator().pk, reason="x", **to_nobody)
        ).result()
