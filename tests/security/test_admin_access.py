"""Every action in the back office, and the users who may and may not use it."""

from __future__ import annotations

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from accounts import invitations
from accounts.models import AddressLock, Follow, Sanction, User, WordFilter
from accounts.sanctions import lock_of
from games import rooms
from games.cards import decks
from games.cards.decks.reading import read_deck
from games.models import (
    Announcement,
    Deck,
    Match,
    Program,
    ProgramVersion,
    Rating,
    RatingChange,
    Room,
    SideRating,
    UdpName,
    UdpRound,
)
from moderation import reports
from moderation.admin_site import OnlyFilters
from moderation.models import Report, StaffAct
from tests.kit import moderation_helpers
from tests.kit.factories import PersonFactory, open_table, start_match
from tests.kit.moderators import decide, superuser
from tests.kit.people import account, as_user
from tests.kit.quick import quick
from tests.kit.stored import CSV, everything_stored

pytestmark = pytest.mark.django_db(transaction=True)

# Each table of the back office: the actions on its rows, and the permission each needs.
ACTIONS: dict[str, dict[str, str]] = {
    "account.emailaddress": {
        "delete_selected": "account.delete_emailaddress",
        "make_verified": "account.change_emailaddress",
    },
    "accounts.addresslock": {"lift": "accounts.add_sanction"},
    "accounts.registrationlink": {"delete_selected": "accounts.delete_registrationlink"},
    "accounts.user": {
        "delete_selected": "accounts.delete_user",
        **dict.fromkeys(
            ("warn", "mute", "lock", "rename", "let_in", "remove_all", "block"),
            "accounts.add_sanction",
        ),
        **dict.fromkeys(("new_link", "withdraw", "no_steps"), "accounts.change_user"),
    },
    "accounts.sanction": {"let_go": "accounts.add_sanction"},
    "admin.logentry": {},
    "accounts.wordfilter": {},
    "auth.group": {"delete_selected": "auth.delete_group"},
    "chat.message": {"remove": "chat.change_message"},
    "games.deck": {"take_out": "games.change_deck", "put_back": "games.change_deck"},
    "games.match": {"void": "games.change_room"},
    "games.program": {},
    "games.programversion": {"retire": "games.change_room"},
    "games.announcement": {"retract": "games.add_announcement"},
    "games.room": dict.fromkeys(("tell", "close", "end"), "games.change_room"),
    "games.udpname": {"free": "games.delete_udpname"},
    "games.udpround": {},
    "accounts.follow": {},
    "games.rating": {},
    "games.ratingchange": {},
    "games.siderating": {},
    "moderation.report": {
        "settle_all": "moderation.change_report",
        "remove_all": "chat.change_message",
        "block": "accounts.add_sanction",
    },
    "moderation.staffact": {},
}
TOMORROW = timezone.now() + timezone.timedelta(days=1)
SKILL = {"mu": 25.0, "sigma": 8.0}
BEFORE = {"mu_before": 25.0, "sigma_before": 8.0}
RATED: dict[str, Any] = {"pool": "people", "matches": 1, "last_at": TOMORROW}
SIDE: dict[str, Any] = {"game": "secret_hitler", "seats": 5, "side": "liberal", "pool": "people"}
PAIRS = [(table, action) for table, actions in ACTIONS.items() for action in actions]


def tables() -> dict[str, Any]:
    return {model._meta.label_lower: of for model, of in admin.site._registry.items()}


def with_right(*rights: str, name: str = "Staff") -> User:
    """A staff member who may view everything, with these additional permissions."""
    person = account(name, is_staff=True)
    codes = [right.partition(".")[2] for right in rights]
    seeing = Permission.objects.filter(codename__startswith="view_")
    person.user_permissions.set([*seeing, *Permission.objects.filter(codename__in=codes)])
    return User.objects.get(pk=person.pk)


def actions_for(table: str, person: User) -> set[str]:
    request = RequestFactory().get("/")
    request.user = person
    return set(tables()[table].get_actions(request))


def test_every_admin_table_is_listed() -> None:
    assert set(tables()) == set(ACTIONS)


def test_superuser_has_exactly_the_listed_actions_and_viewers_none() -> None:
    root, looker = superuser(), with_right()
    for table, actions in ACTIONS.items():
        assert actions_for(table, root) == set(actions), table
        assert actions_for(table, looker) == set(), table


def test_each_action_requires_exactly_its_permission() -> None:
    rights = {of for each in ACTIONS.values() for of in each.values()}
    for right in rights:
        has, others = with_right(right, name=right[-15:]), with_right(*rights - {right}, name="All")
        for table, action in PAIRS:
            if ACTIONS[table][action] == right:
                assert action in actions_for(table, has), (table, action)
                assert action not in actions_for(table, others), (table, action)
        others.delete()


@pytest.fixture
def rows() -> dict[str, int]:
    """Create a row in every table. Return the rows' ids."""
    ann, bob = account("Ann"), account("Bob")
    room = open_table(ann, bob)
    match = start_match(room)
    rooms.say(room.pk, ann.pk, "hello").result()
    reports.from_table(room.pk, bob.pk, "name", "Ann", "insult", "").result()
    decide("warn", person=ann.pk)
    pack = read_deck(CSV, "Geese", "en").pack
    assert pack is not None
    program = Program.objects.create(owner=ann, slug="nemo", name="Nemo", key="nemo")
    version = ProgramVersion.objects.create(program=program, number=1, user=account("Nemo v1"))
    number: dict[str, int] = {
        "account.emailaddress": EmailAddress.objects.create(user=ann, email="a@b.example").pk,
        "accounts.addresslock": AddressLock.objects.create(until=TOMORROW, reason="spam").pk,
        "accounts.registrationlink": invitations.make_link().pk,
        "accounts.follow": Follow.objects.create(user=ann, other=bob).pk,
        "accounts.user": bob.pk,
        "accounts.sanction": Sanction.objects.get().pk,
        "accounts.wordfilter": WordFilter.objects.create(words="darn").pk,
        "auth.group": Group.objects.create(name="moderators").pk,
        "chat.message": room_message(),
        "games.deck": decks.keep(ann.pk, pack).result().pk,
        "games.announcement": Announcement.objects.create(text="Tea").pk,
        "games.match": match.pk,
        "games.program": program.pk,
        "games.programversion": version.pk,
        "games.rating": Rating.objects.create(user=ann, game="mia", **RATED, **SKILL).pk,
        "games.ratingchange": RatingChange.objects.create(
            match=match, seat=0, **BEFORE, **SKILL
        ).pk,
        "games.room": room.pk,
        "games.siderating": SideRating.objects.create(**SIDE, **SKILL).pk,
        "games.udpname": UdpName.objects.create(name="bot", points=3).pk,
        "games.udpround": UdpRound.objects.create(number=1, order=["bot"], transcript=[]).pk,
        "moderation.report": Report.objects.get().pk,
        "moderation.staffact": StaffAct.objects.get().pk,
        "admin.logentry": LogEntry.objects.create(user=ann, action_flag=1, object_repr="x").pk,
    }
    return number


def room_message() -> int:
    from chat.models import Message

    return Message.objects.get().pk


def doing(client: Client, table: str, action: str, row: int) -> Any:
    app, model = table.split(".")
    why = {"why": "yes", "reason": "enough", "length": "day", "level": "info"}
    chosen = {"action": action, "_selected_action": [row], "post": "yes", **why}
    return client.post(reverse(f"admin:{app}_{model}_changelist"), chosen)


OUTSIDERS = quick(["stranger", "guest", "registered", "host", "locked out"], "host")


def outsider(who: str) -> Client:
    """Return a user without access to the back office."""
    match who:
        case "guest":
            return as_user(PersonFactory())
        case "registered":
            return as_user(account("Cleo"))
        case "host":
            return as_user(User.objects.get(username="Ann"))
        case "locked out":
            locked = account("Locked", is_staff=True, is_superuser=True)
            client = as_user(locked)
            moderation_helpers.lock_out(locked.pk).result()
            return client
    return Client()


OURS = [table for table in ACTIONS if isinstance(tables()[table], OnlyFilters)]


def test_every_moderation_list_allows_only_declared_filters() -> None:
    assert set(ACTIONS) - set(OURS) == {"auth.group", "accounts.wordfilter"}


@pytest.fixture
def bare_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip rendering of refusals, which a test below covers."""

    def refused(request: HttpRequest, exception: Exception) -> HttpResponse:
        return HttpResponse(status=400)

    monkeypatch.setattr("config.urls.handler400", refused)


@pytest.mark.usefixtures("bare_refusals")
def test_lists_cannot_be_filtered_by_hidden_fields(rows: dict[str, int]) -> None:
    """Otherwise secrets of running matches, and addresses, could be guessed letter by letter."""
    looker, root = as_user(with_right()), as_user(superuser())
    for table in OURS:
        client = root if table in ("moderation.staffact", "admin.logentry") else looker
        of, list_ = tables()[table], reverse(f"admin:{table.replace('.', '_')}_changelist")
        shown = {getattr(one, "parameter_name", one) for one in of.list_filter}
        for field in {field.name for field in of.model._meta.fields} - shown:
            given = {f"{field}__startswith": "1"}
            assert client.get(list_, given).status_code == 400, (table, field)
        assert client.get(list_).status_code == 200, table


def test_invalid_list_filter_gets_an_error_page() -> None:
    refused = as_user(superuser()).get("/admin/games/match/", {"secret": "1"})
    assert refused.status_code == 400
    assert "could not be read" in refused.content.decode()


def test_declared_list_filters_work(rows: dict[str, int]) -> None:
    client = as_user(superuser())
    for list_, by in (
        ("games/match", {"game": "mia", "broken__exact": "0"}),
        ("games/room", {"status__exact": "open", "visibility__exact": "public"}),
        ("accounts/user", {"is_guest__exact": "0", "is_staff__exact": "1"}),
        ("moderation/report", {"state": "open", "kind__exact": "name"}),
        ("moderation/staffact", {"by_name": "Root", "action": "warn"}),
        ("chat/message", {"hidden__exact": "0", "audience": "table"}),
    ):
        assert client.get(f"/admin/{list_}/", by).status_code == 200, list_


@pytest.mark.parametrize("who", OUTSIDERS)
def test_only_staff_can_access_any_admin_url(rows: dict[str, int], who: str) -> None:
    client, before = outsider(who), everything_stored()
    for table, row in rows.items():
        app, model = table.split(".")
        for page, args in (
            ("changelist", []),
            ("add", []),
            ("change", [row]),
            ("delete", [row]),
            ("history", [row]),
        ):
            address = reverse(f"admin:{app}_{model}_{page}", args=args)
            for answer in (client.get(address), client.post(address, {"post": "yes"})):
                _is_kept_out(who, answer)
    for table, action in PAIRS:
        _is_kept_out(who, doing(client, table, action, rows[table]))
    assert everything_stored() == before


def _is_kept_out(who: str, answer: Any) -> None:
    if who == "locked out":
        assert answer.status_code == 403
        assert "locked out" in answer.content.decode()
    else:
        assert answer.status_code == 302, who
        assert answer.headers["Location"].startswith("/admin/login/")


def test_staff_without_permission_cannot_change_anything(rows: dict[str, int]) -> None:
    """Forms that the page does not show are refused if they are posted anyway."""
    clerk, looker = account("Clerk", is_staff=True), with_right(name="Looker")
    browsers = [as_user(clerk), as_user(looker)]
    before = everything_stored()
    for client in browsers:
        for table, action in PAIRS:
            doing(client, table, action, rows[table])
        for table, row in rows.items():
            app, model = table.split(".")
            for page, args in (("add", []), ("change", [row]), ("delete", [row])):
                address = reverse(f"admin:{app}_{model}_{page}", args=args)
                assert client.post(address, {"post": "yes", "name": "x"}).status_code == 403
    assert everything_stored() == before
    assert browsers[0].get("/admin/games/room/").status_code == 403
    assert browsers[1].get("/admin/games/room/").status_code == 200


def test_staff_with_permission_can_perform_the_action(rows: dict[str, int]) -> None:
    rights = {of for each in ACTIONS.values() for of in each.values()}
    moderator = as_user(with_right(*rights))
    for table, action in (
        ("chat.message", "remove"),
        ("games.deck", "take_out"),
        ("games.room", "end"),
        ("games.room", "close"),
        ("accounts.user", "lock"),
        ("games.udpname", "free"),
    ):
        assert doing(moderator, table, action, rows[table]).status_code == 302
    assert Match.objects.get().ended_at
    assert Room.objects.get().status == Room.Status.CLOSED
    assert Deck.objects.get().hidden
    assert lock_of(rows["accounts.user"]) is not None
    assert not UdpName.objects.exists()


def changing(client: Client, person: User, **given: Any) -> Any:
    """Return the fields of a user's form in the back office, some of them changed."""
    address = reverse("admin:accounts_user_change", args=[person.pk])
    whole = {
        "username": person.username,
        "name": person.name,
        "reason": "asked",
    }
    return client.post(address, whole | given)


def test_only_superusers_can_grant_permissions(rows: dict[str, int]) -> None:
    """A moderator who may change users cannot give themselves or others more permissions."""
    moderator, bob = with_right("accounts.change_user"), User.objects.get(name="Bob")
    group = Group.objects.get(pk=rows["auth.group"])
    more = {"is_staff": "on", "is_superuser": "on", "groups": [group.pk]}
    client = as_user(moderator)
    assert changing(client, moderator, **more).status_code == 403
    assert changing(client, bob, **{**more, "name": "Robert"}).status_code == 302
    bob.refresh_from_db()
    moderator.refresh_from_db()
    assert (bob.name, bob.is_staff, bob.is_superuser) == ("Bob", False, False)
    assert not moderator.is_superuser
    assert not group.user_set.exists()
    root = as_user(superuser())
    assert changing(root, bob, **more).status_code == 302
    bob.refresh_from_db()
    assert bob.is_staff
    assert bob.is_superuser


def test_staff_account_cannot_be_taken_over_by_changing_its_email(rows: dict[str, int]) -> None:
    root, bob = superuser(), User.objects.get(name="Bob")
    has = EmailAddress.objects.create(user=root, email="root@site.example", primary=True)
    its = [f"account.{action}_emailaddress" for action in ("add", "change", "delete")]
    client = as_user(with_right(*its))
    page = reverse("admin:account_emailaddress_change", args=[has.pk])
    add = reverse("admin:account_emailaddress_add")
    mine: dict[str, Any] = {"email": "mine@evil.example", "verified": "on", "primary": "on"}
    mine["reason"] = "asked"
    assert client.post(page, {**mine, "user": root.pk}).status_code == 302
    assert client.post(add, {**mine, "user": root.pk}).status_code == 200
    other = reverse("admin:account_emailaddress_change", args=[rows["account.emailaddress"]])
    assert client.post(other, {**mine, "user": root.pk}).status_code == 200
    for action in ("make_verified", "delete_selected"):
        doing(client, "account.emailaddress", action, has.pk)
    assert EmailAddress.objects.get(user=root).email == "root@site.example"
    assert not EmailAddress.objects.get(user=root).verified
    assert "root@site" not in client.get("/admin/account/emailaddress/").content.decode()
    assert client.post(add, {**mine, "user": bob.pk}).status_code == 302
    assert EmailAddress.objects.filter(user=bob, email="mine@evil.example").exists()
    assert as_user(root).get(page).status_code == 200


def test_user_deleted_by_staff_is_erased(rows: dict[str, int]) -> None:
    ann, root = User.objects.get(name="Ann"), superuser()
    client = as_user(root)
    doing(client, "accounts.user", "delete_selected", ann.pk)
    assert not User.objects.filter(pk=ann.pk).exists()
    match = Match.objects.get()
    assert match.players.order_by("seat").first().name == "former player"
    assert "hello" not in everything_stored()
    doing(client, "accounts.user", "delete_selected", root.pk)
    assert User.objects.filter(pk=root.pk, is_active=True).exists()


def test_moderator_cannot_sanction_or_delete_an_administrator(rows: dict[str, int]) -> None:
    root = superuser()
    rights = ("accounts.add_sanction", "accounts.change_user", "accounts.delete_user")
    client = as_user(with_right(*rights))
    for action in ("warn", "mute", "lock", "rename"):
        doing(client, "accounts.user", action, root.pk)
    assert not Sanction.objects.filter(user=root).exists()
    doing(client, "accounts.user", "delete_selected", root.pk)
    assert lock_of(root.pk) is None
    assert User.objects.filter(pk=root.pk).exists()
    password = reverse("admin:auth_user_password_change", args=[root.pk])
    new = {"password1": "a new horse 9", "password2": "a new horse 9", "usable_password": "true"}
    client.post(password, new)
    assert not User.objects.get(pk=root.pk).check_password("a new horse 9")
