"""Every URL, with the response each kind of user gets on a server with a ladder."""

from __future__ import annotations

LOGIN, CHANGE = "/account/login/", "/account/password/change/"
CONFIRM, STEPS, STAFF = "/account/confirm/", "/account/two-step/", "/admin/login/"
ABOVE = ".."
"""A redirect to a page above an address that only takes forms."""

Got = int | str
Row = tuple[Got, Got, Got, Got]

ALL = (
    *("front", "manifest", "service-worker", "offline", "new-table", "table", "screen", "face"),
    "game-colours",
    *("type-handoff", "person", "decks", "rules", "reference", "game-reference", "robots"),
    *(
        "schema-document",
        "asyncapi-document",
        "matches-file",
        "tables-file",
        "league",
        "league-file",
        "ladder",
        "ladder-file",
        "account_inactive",
        "account_confirm_email",
    ),
    *("account_reset_password", "account_reset_password_done"),
    *("account_reset_password_from_key", "account_reset_password_from_key_done"),
)
NEVER = (
    *(
        "handoff",
        "person-sheet",
        "match",
        "match-file",
        "luck-record",
        "replay",
        "deck",
        "replace-deck",
        "deck-file",
    ),
    *("security-txt", "doctor", "progress", "account_welcome"),
)
ONLY_POST = (
    *("play-now", "invite-friends", "learn", "watch-bots", "set-theme", "set-language", "by-code"),
    *("seek", "new-game", "leave-table", "change-deck", "forget-me"),
)
ONLY_POST_AFTER_LOGIN = (
    *("push-subscribe", "push-unsubscribe", "accept-invitation", "decline-invitation", "rename"),
    *("report-deck", "choose-face", "change-user-name", "make-token", "revoke-token"),
    *("meet-again", "have-read", "prefer", "keep-habit", "follow", "unfollow", "invite-friend"),
    *("stop-seeking", "seek-bots", "make-program", "describe-program", "delete-program"),
    *("make-version", "new-token", "retire-version", "wake-version"),
)
AFTER_LOGIN = (
    "offer-handoff",
    "people",
    "programs",
    "tables",
    "you",
    "download-me",
    "delete-account",
)
OF_ACCOUNTS = (
    *("account_reauthenticate", "account_email", "account_change_password", "mfa_index"),
    *("mfa_activate_totp", "mfa_generate_recovery_codes", "mfa_add_webauthn"),
)
OF_A_SECOND_STEP = (
    *("mfa_deactivate_totp", "mfa_view_recovery_codes", "mfa_download_recovery_codes"),
    *("mfa_edit_webauthn", "mfa_remove_webauthn"),
)

GETS: dict[str, Row] = {
    **dict.fromkeys(ALL, (200, 200, 200, 200)),
    **dict.fromkeys(NEVER, (404, 404, 404, 404)),
    **dict.fromkeys(ONLY_POST, (ABOVE, ABOVE, ABOVE, ABOVE)),
    **dict.fromkeys(ONLY_POST_AFTER_LOGIN, (LOGIN, ABOVE, ABOVE, ABOVE)),
    **dict.fromkeys(AFTER_LOGIN, (LOGIN, 200, 200, 200)),
    **dict.fromkeys(OF_ACCOUNTS, (LOGIN, LOGIN, 200, 200)),
    **dict.fromkeys(OF_A_SECOND_STEP, (LOGIN, LOGIN, 404, 404)),
    "waiting": (LOGIN, "/", "/", "/"),
    "merging": (LOGIN, ABOVE, ABOVE, ABOVE),
    "style": (404, 404, 404, 200),
    "new-deck": (403, 200, 200, 200),
    "leagues": (302, 302, 302, 302),
    "ladders": (302, 302, 302, 302),
    "face-of": (302, 302, 302, 302),
    "account_signup": (200, 200, "/", "/"),
    "account_login": (200, 200, "/", "/"),
    "account_invited": ("/account/signup/", "/account/signup/", "/", "/"),
    "account_logout": ("/", 200, 200, 200),
    "account_set_password": (LOGIN, LOGIN, CHANGE, CHANGE),
    "mfa_reauthenticate": (LOGIN, LOGIN, CONFIRM, CONFIRM),
    "mfa_reauthenticate_webauthn": (LOGIN, LOGIN, CONFIRM, CONFIRM),
    "mfa_login_webauthn": (LOGIN, LOGIN, "/", "/"),
    "mfa_authenticate": (LOGIN, "/", "/", "/"),
    "mfa_list_webauthn": (LOGIN, LOGIN, STEPS, STEPS),
    "admin-login": (LOGIN, LOGIN, 403, "/admin/"),
    "operations": (STAFF, STAFF, STAFF, 200),
    "admin": (STAFF, STAFF, STAFF, 200),
}
"""GET: status, or redirect target, for a stranger, a guest, a registered user and a superuser."""
