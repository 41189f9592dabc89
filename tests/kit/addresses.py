"""Every address, and what different people get at it."""

from __future__ import annotations

LOGIN, CHANGE = "/account/login/", "/account/password/change/"


# GET: what a stranger, a guest, somebody registered and a superuser get: a status, or where to.
Got = int | str


GETS: dict[str, tuple[Got, Got, Got, Got]] = {
    "front": (200, 200, 200, 200),
    "play-now": (405, 405, 405, 405),
    "invite-friends": (405, 405, 405, 405),
    "style": (404, 404, 404, 200),
    "set-theme": (405, 405, 405, 405),
    "by-code": (405, 405, 405, 405),
    "new-table": (200, 200, 200, 200),
    "table": (200, 200, 200, 200),
    "person-sheet": (404, 404, 404, 404),
    "leave-table": (405, 405, 405, 405),
    "accept-invitation": (LOGIN, 405, 405, 405),
    "decline-invitation": (LOGIN, 405, 405, 405),
    "face": (200, 200, 200, 200),
    "match": (404, 404, 404, 404),
    "person": (200, 200, 200, 200),
    "tables": (LOGIN, 200, 200, 200),
    "decks": (200, 200, 200, 200),
    "new-deck": (403, 200, 200, 200),
    "deck": (404, 404, 404, 404),
    "replace-deck": (404, 404, 404, 404),
    "change-deck": (405, 405, 405, 405),
    "report-deck": (LOGIN, 405, 405, 405),
    "deck-file": (404, 404, 404, 404),
    "rules": (200, 200, 200, 200),
    "reference": (200, 200, 200, 200),
    "game-reference": (200, 200, 200, 200),
    "schema-document": (200, 200, 200, 200),
    "asyncapi-document": (200, 200, 200, 200),
    "robots": (200, 200, 200, 200),
    "security-txt": (404, 404, 404, 404),
    "forget-me": (405, 405, 405, 405),
    "you": (LOGIN, 200, 200, 200),
    "rename": (LOGIN, 405, 405, 405),
    "make-token": (LOGIN, 405, 405, 405),
    "revoke-token": (LOGIN, 405, 405, 405),
    "meet-again": (LOGIN, 405, 405, 405),
    "have-read": (LOGIN, 405, 405, 405),
    "prefer": (LOGIN, 405, 405, 405),
    "download-me": (LOGIN, 200, 200, 200),
    "delete-account": (LOGIN, 200, 200, 200),
    "keep-habit": (LOGIN, 405, 405, 405),
    "account_signup": (200, 200, "/", "/"),
    "account_invited": ("/account/signup/", "/account/signup/", "/", "/"),
    "account_login": (200, 200, "/", "/"),
    "account_logout": ("/", 200, 200, 200),
    "account_inactive": (200, 200, 200, 200),
    "account_email": (LOGIN, LOGIN, 200, 200),
    "account_confirm_email": (200, 200, 200, 200),
    "account_change_password": (LOGIN, LOGIN, 200, 200),
    "account_set_password": (
        LOGIN,
        LOGIN,
        "/account/password/change/",
        "/account/password/change/",
    ),
    "account_reset_password": (200, 200, 200, 200),
    "account_reset_password_done": (200, 200, 200, 200),
    "account_reset_password_from_key": (200, 200, 200, 200),
    "account_reset_password_from_key_done": (200, 200, 200, 200),
    "admin-login": (LOGIN, LOGIN, 403, "/admin/"),
    "admin": ("/admin/login/", "/admin/login/", "/admin/login/", 200),
}
