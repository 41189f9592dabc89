"""A form creates one object, however often its button is pressed on a slow connection."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Mapping
from datetime import timedelta
from html import unescape
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.utils import timezone

from accounts import handoff, sent_forms, tokens
from accounts.models import SentForm, Token, User
from games.cards import decks
from games.cards.decks.reading import read_deck
from games.models import Room
from games.rooms.decks import set_public
from games.rooms.programs import make_program
from tests.kit.factories import AccountFactory, PersonFactory, open_table
from tests.kit.people import PASSWORD, account, as_user, signing_up
from tests.kit.stored import CSV

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("with_ladder")]

ROOT = Path(__file__).resolve().parents[2]


def browser(user: User | None = None) -> Client:
    """A browser with real CSRF checks."""
    client = Client(enforce_csrf_checks=True)
    if user is not None:
        client.cookies.update(as_user(user).cookies)
    return client


def form_on(client: Client, page: str, action: str = "") -> dict[str, str]:
    """Return the hidden fields of the only form on a page with a token and this action."""
    html = client.get(page).content.decode()
    forms = re.findall(r"<form[^>]*>.*?</form>", html, re.DOTALL)
    found = [one for one in forms if 'name="form_token"' in one]
    found = [one for one in found if not action or f'action="{action}' in one]
    assert len(found) == 1, (page, [one[:200] for one in found])
    fields = re.findall(r"<(?:input|textarea)[^>]*>", found[0])
    hidden = [one for one in fields if 'type="hidden"' in one]
    return {attribute(one, "name"): attribute(one, "value") for one in hidden}


def attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return unescape(found[1]) if found else ""


def counts() -> Mapping[str, int]:
    """Count the rows of everything people can create."""
    apart = {SentForm, Session, LogEntry}
    return {m._meta.label: m._base_manager.count() for m in apps.get_models() if m not in apart}


def looks(answer: Any) -> tuple[int, str, list[str]]:
    """Return the status, the redirect, and the token shown."""
    shown = re.findall(r'id="made"[^>]*value="([^"]*)"', answer.content.decode())
    return answer.status_code, answer.headers.get("Location", ""), shown


Case = tuple[Client, str, dict[str, str]]


def from_the_front(address: str, **typed: str) -> Callable[[], Case]:
    def case() -> Case:
        client = browser()
        return client, address, form_on(client, "/") | {"name": "Ann"} | typed

    return case


def by_code() -> Case:
    room = open_table(PersonFactory())
    return from_the_front("/code/", code=room.code)()


def join() -> Case:
    client, address = browser(), f"/t/{open_table(PersonFactory()).code}/"
    return client, address, form_on(client, address) | {"name": "Ann"}


def new_table() -> Case:
    client = browser()
    typed = {"name": "Ann", "visibility": "unlisted", "bots": "1"}
    return client, "/new/mia/", form_on(client, "/new/mia/") | typed


def new_table_of_an_account() -> Case:
    client = browser(account("Ann"))
    return client, "/new/mia/", form_on(client, "/new/mia/") | {"name": "x", "visibility": "public"}


def deck() -> Case:
    client = browser(PersonFactory())
    typed = {"name": "Mine", "language": "en", "text": CSV.decode(), "keep": "yes"}
    return client, "/decks/new/", form_on(client, "/decks/new/") | typed


def token() -> Case:
    client = browser(PersonFactory())
    typed = {"name": "bot", "days": "30"}
    return client, "/you/tokens/", form_on(client, "/you/", "/you/tokens/") | typed


def program() -> Case:
    client = browser(AccountFactory())
    return client, "/programs/new/", form_on(client, "/programs/") | {"name": "Nemo"}


def version() -> Case:
    owner = AccountFactory()
    client, made = browser(owner), make_program(owner.pk, "Nemo").result()
    address = f"/programs/{made.pk}/versions/"
    return client, address, form_on(client, "/programs/", address) | {"label": "first"}


def sign_up(user: User | None = None) -> Case:
    client = browser(user)
    fields = form_on(client, "/account/signup/")
    return client, "/account/signup/", fields | signing_up("Ann")


def hand_off() -> Case:
    before = as_user(user := PersonFactory())
    code = handoff.make(user, before.session.session_key or "")
    client = browser()
    return client, f"/device/{code}/", form_on(client, f"/device/{code}/")


def report() -> Case:
    owner, reader = PersonFactory(), PersonFactory()
    pack = read_deck(CSV, "Theirs", "en").pack
    assert pack is not None
    kept = decks.keep(owner.pk, pack).result()
    set_public(kept.pk, True).result()
    client, page = browser(reader), f"/decks/{kept.slug}/"
    return client, f"{page}report/", form_on(client, page) | {"reason": "other", "note": "bad"}


def staff(page: str, **typed: str) -> Callable[[], Case]:
    def case() -> Case:
        client = browser(account("Root", is_staff=True, is_superuser=True))
        return client, page, form_on(client, page) | typed

    return case


CASES: dict[str, Callable[[], Case]] = {
    "play now": from_the_front("/play/", game="mia"),
    "learn": from_the_front("/learn/", game="mia"),
    "watch bots": from_the_front("/watch/", game="mia"),
    "invite friends": from_the_front("/invite/", game="coup"),
    "join by code": by_code,
    "join by link": join,
    "new table": new_table,
    "new table of an account": new_table_of_an_account,
    "deck": deck,
    "token": token,
    "program": program,
    "version": version,
    "sign up": sign_up,
    "guest signs up": lambda: sign_up(PersonFactory()),
    "hand-off": hand_off,
    "report": report,
    "registration link": staff("/admin/accounts/registrationlink/add/", note="for Bob", reason="r"),
    "announcement": staff("/admin/games/announcement/add/", text="hello", level="info", end="day"),
    "word filter": staff("/admin/accounts/wordfilter/add/", word="bad", kind="word", reason="r"),
}


def press(case: Case) -> Any:
    client, address, fields = case
    return client.post(address, fields)


@pytest.mark.parametrize("name", CASES)
def test_repeated_submission_creates_nothing_and_gets_the_same_response(name: str) -> None:
    """Repeat the form with the cookies from before the first response, then with its cookies."""
    case = CASES[name]()
    client = case[0]
    before, cookies = counts(), SimpleCookie(client.cookies.output(header="", sep=";"))
    first = press(case)
    assert first.status_code in (201, 302), first.content.decode()
    made, who, after = counts(), client.session.get("_auth_user_id"), client.cookies
    assert made != before or name in ("hand-off", "guest signs up")
    client.cookies = cookies
    for _ in range(2):
        assert looks(press(case)) == looks(first)
        assert counts() == made
        assert client.session.get("_auth_user_id") == who
        client.cookies = after


def test_concurrent_submissions_create_one_table() -> None:
    case, answers = new_table(), []
    client, address, fields = case

    def send() -> None:
        try:
            own = Client(enforce_csrf_checks=True)
            own.cookies.update(client.cookies)
            answers.append(looks(own.post(address, fields)))
        finally:
            connection.close()

    threads = [threading.Thread(target=send) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert len(set(map(str, answers))) == 1
    assert answers[0][0] == 302
    assert (Room.objects.count(), User.objects.count()) == (1, 1)


def test_different_button_or_content_is_a_new_submission() -> None:
    client = browser(PersonFactory())
    fields = form_on(client, "/")
    for address, game in (("/play/", "mia"), ("/play/", "coup"), ("/invite/", "coup")):
        client.post(address, fields | {"game": game})
    assert Room.objects.count() == 3


def test_reloaded_page_allows_another_submission() -> None:
    client = browser(PersonFactory())
    for _ in range(2):
        client.post("/invite/", form_on(client, "/") | {"game": "mia"})
    assert Room.objects.count() == 2


def test_form_with_an_error_can_be_resubmitted() -> None:
    client, address, fields = new_table()
    locked = {**fields, "option-lives": "99"}
    assert [client.post(address, locked).status_code for _ in range(2)] == [422, 422]
    assert not SentForm.objects.exists()
    assert client.post(address, fields).status_code == 302


def test_stored_response_is_not_replayed_to_other_users() -> None:
    client, address, fields = from_the_front("/invite/", game="mia")()
    first = client.post(address, fields)
    other = browser(PersonFactory())
    csrf = form_on(other, "/")["csrfmiddlewaretoken"]
    again = other.post(address, fields | {"csrfmiddlewaretoken": csrf})
    assert again.url != first.url
    stranger = browser()
    csrf = form_on(stranger, "/")["csrfmiddlewaretoken"]
    assert stranger.post(address, fields | {"csrfmiddlewaretoken": csrf}).url != first.url


def test_old_form_does_not_log_in_a_logged_out_user() -> None:
    client = browser(account("Ann"))
    page = "/account/password/change/"
    new = {"oldpassword": PASSWORD, "password1": "another-4711", "password2": "another-4711"}
    fields = form_on(client, page) | new
    assert client.post(page, fields).status_code == 302
    assert client.post(page, fields).status_code == 302  # no "wrong password"
    client.cookies.pop("sessionid")
    client.post(page, fields)
    assert "_auth_user_id" not in client.session


def test_revoked_token_is_not_replayed() -> None:
    case = token()
    first = press(case)
    Token.objects.all().delete()
    again = press(case)
    assert looks(again)[2] == []
    assert looks(first)[2] != []
    assert not Token.objects.exists()


def test_form_interrupted_by_a_crash_is_not_processed_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sent_forms, "WAITS", (0.0,))
    case = from_the_front("/invite/", game="mia")()
    monkeypatch.setattr(sent_forms, "_note_answer", lambda *_: None)
    client = case[0]
    cookies = SimpleCookie(client.cookies.output(header="", sep=";"))
    press(case)
    client.cookies = cookies
    again = press(case)
    assert again.status_code == 409
    assert "will not be processed twice" in again.content.decode()
    assert Room.objects.count() == 1


def test_number_of_requests_waiting_for_a_duplicate_is_limited(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sent_forms, "_waiting", threading.BoundedSemaphore(1))
    monkeypatch.setattr(sent_forms, "_note_answer", lambda *_: None)
    case = from_the_front("/invite/", game="mia")()
    cookies = SimpleCookie(case[0].cookies.output(header="", sep=";"))
    press(case)
    case[0].cookies = cookies
    with sent_forms._waiting:
        assert press(case).status_code == 409


def test_sent_forms_are_stored_for_a_day() -> None:
    press(new_table())
    SentForm.objects.update(at=timezone.now() - sent_forms.KEPT_FOR - timedelta(seconds=1))
    press(new_table_of_an_account())
    assert SentForm.objects.count() == 1


def test_programs_can_submit_forms_without_a_form_token() -> None:
    client = as_user(AccountFactory())
    for _ in range(2):
        assert client.post("/you/tokens/", {"name": "x", "days": "30"}).status_code == 201
    assert Token.objects.count() == 2
    assert tokens.MOST > 2


REPEATABLE = {
    "account_logout": "logs out",
    "mfa_login_webauthn": "logs in; a challenge is good once",
    "mfa_reauthenticate_webauthn": "confirms who one is",
    "set-language": "sets a value",
    "set-theme": "sets a value",
    "change-deck": "sets a value, or deletes",
    "rename": "sets a value",
    "choose-face": "sets a value",
    "change-user-name": "sets a value",
    "prefer": "sets a value",
    "have-read": "sets a value",
    "revoke-token": "deletes",
    "meet-again": "deletes",
    "describe-program": "sets a value",
    "delete-program": "deletes",
    "retire-version": "sets a value",
    "wake-version": "sets a value",
    "new-token": "a new token takes the place of the one before",
    "forget-me": "logs out",
    "leave-table": "leaves",
    "by-code": "leads to a table",
    "type-handoff": "leads to a page",
    "offer-handoff": "a new code takes the place of the one before",
    "screen": "shows a page",
    "lobby/handoff_offer.html": "a new code takes the place of the one before",
    "follow": "an account is followed once",
    "unfollow": "deletes a row, once",
    "lobby/people.html": "an account is followed, unfollowed or invited once",
    "lobby/mine.html": "an invitation is accepted or declined, once",
    "lobby/front.html": "an invitation is accepted or declined, once",
    "account/email_confirm.html": "confirms an address",
    "account/logout.html": "logs out",
    "admin/moderation/delete.html": "deletes",
    "admin/moderation/delete_selected.html": "deletes",
    "account/delete_account.html": "deletes",
    "mfa/totp/deactivate_form.html": "deletes",
    "mfa/webauthn/authenticator_confirm_delete.html": "deletes",
    "mfa/authenticate.html": "logs in; a challenge is good once",
}
"""Forms without a token, listed by URL or template, with the effect of a repeat."""


def test_every_form_has_a_token_or_is_listed_as_repeatable() -> None:
    found = set()
    folders = (ROOT / "templates", *sorted((ROOT / "games").glob("*/templates")))
    for folder, path in ((at, path) for at in folders for path in sorted(at.rglob("*.html"))):
        template = str(path.relative_to(folder))
        for match in re.finditer(r"<form(.*?)\{% csrf_token %\}(.{0,60})", path.read_text()):
            opening, after = match.groups()
            if 'method="post"' not in opening or "{% form_token %}" in after:
                continue
            named = re.search(r"\{% url '([^']+)'", opening)
            found.add(named[1] if named else template)
    assert found == set(REPEATABLE)
