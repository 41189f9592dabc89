"""Django settings, all from the environment (see docs/settings.md)."""

import os
import sys
from pathlib import Path
from urllib.parse import urlsplit

from font_fredoka_one import font_directory

from accounts.own_address import usual_url
from accounts.push_keys import public_key
from config import env_file, places
from config.headers import POLICY
from config.languages import offered
from config.log_context import is_in_journal
from config.reading import Env, read_address, read_contacts, read_limit, session_options
from config.sentry import start_sentry
from operations.connections import usual_of_each

BASE_DIR = places.CODE
DATA_DIR = places.data_folder()
VAR = DATA_DIR / "var"
COMMAND, FULL_COMMAND = places.command(), places.full_command()
VERSION = places.version()
TESTING = "pytest" in sys.modules

ENV_FILE = None if TESTING else env_file.read_env_file(DATA_DIR)
FROM_ENV_FILE = frozenset(env_file.taken)  # a restarted process reads these again
env = Env()


def _secret_key() -> str:
    """Return the key from the environment, or else a key that was generated once and stored in
    var/.
    """
    from django.core.management.utils import get_random_secret_key

    key = os.environ.get("SECRET_KEY", "")  # read unparsed, because `env` would expand a leading $
    if key:
        return key
    kept = VAR / "secret_key"
    if not kept.exists():
        kept.touch(mode=0o600)
        kept.write_text(get_random_secret_key())
    return kept.read_text()


places.make(VAR)
SECRET_KEY = _secret_key()
DEBUG = env.flag("DEBUG", False)
LAN = env.flag("LAN", False)
HOST = env.str("HOST", "0.0.0.0" if LAN else "127.0.0.1")
PORT = env.port("PORT", 8000)
WORKERS = env.int("WORKERS", 1)
PUBLIC_URL = read_address(env.str("PUBLIC_URL", "")) or usual_url(HOST, PORT or 8000)
_public = urlsplit(PUBLIC_URL)
HTTPS = _public.scheme == "https"

# Number of proxies in front of the server that set X-Forwarded-* headers.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", 0)

# On a LAN, guests may use any address of this machine.
ALLOWED_HOSTS = env.list(
    "ALLOWED_HOSTS",
    default=["*"] if LAN else [_public.hostname, "localhost", "127.0.0.1", "[::1]"],
)
CSRF_TRUSTED_ORIGINS = env.list("CSRF_TRUSTED_ORIGINS", default=[PUBLIC_URL])

# Daphne adds sockets to `runserver`. Other commands leave it out, because importing it takes a
# third of the startup time.
_DEVELOPING = ["daphne"] if "runserver" in sys.argv else []
INSTALLED_APPS = [
    *_DEVELOPING,
    "config.admin_config.ParlourAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django_htmx",  # used only for its static files
    "channels",
    "accounts",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "chat",
    "games",
    "lobby",
    "moderation",
    "operations",
]

MIDDLEWARE = [
    "csp.middleware.CSPMiddleware",
    "config.headers.Headers",
    "django.middleware.security.SecurityMiddleware",
    "config.charsets.Utf8Forms",
    "config.static_files.StaticFiles",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "config.busy.Busy",
    "lobby.storage_away.StorageAway",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "accounts.middleware.StaffHours",
    "accounts.middleware.BearerTokens",
    "accounts.middleware.BanMiddleware",
    "accounts.middleware.AskToLogIn",
    "lobby.typed_addresses.FormsAreNoPages",
    "accounts.sent_forms.FormsOnce",
    "config.body_limit.TooLarge",
]

# Larger bodies and files are stored on disk while they arrive, because many may arrive slowly at
# the same time.
FILE_UPLOAD_MAX_MEMORY_SIZE = 256 * 1024

ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates", *BASE_DIR.glob("games/*/templates")],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["accounts.templatetags.isolation"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "accounts.context.site",
                "games.context.announcements",
                "lobby.context.tables",
            ],
        },
    },
]

DATABASES = {"default": env.database("DATABASE_URL", f"sqlite:///{VAR / 'parlour.sqlite3'}")}
_db = DATABASES["default"]
_db["CONN_MAX_AGE"], _db["CONN_HEALTH_CHECKS"] = 600, True  # new connections are expensive
if _db["ENGINE"] == "django.db.backends.postgresql":
    # `connect_timeout` is in seconds. `tcp_user_timeout`, in milliseconds, drops dead connections.
    # `options` makes PostgreSQL end the sessions of a host that has vanished, and free their locks.
    _given = _db.get("OPTIONS", {})
    _db["OPTIONS"] = {
        "connect_timeout": 3,
        "tcp_user_timeout": 5000,
        **_given,
        "options": f"{session_options()} {_given.get('options', '')}".strip(),
    }
if _db["ENGINE"] == "django.db.backends.sqlite3":
    _db["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 5,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL;",
    }
    _db["TEST"] = {"NAME": str(VAR / "test.sqlite3")}

# Threads keep their connections, so the number of threads limits that of connections. Six are for
# the writer, the clock, the heartbeat, UDP, housekeeping and logins of sockets.
DATABASE_CONNECTIONS = env.int("DATABASE_CONNECTIONS", usual_of_each(WORKERS))
_shared = max(3, DATABASE_CONNECTIONS - 6)
_sqlite = _db["ENGINE"] == "django.db.backends.sqlite3"
READ_THREADS = None if _sqlite else _shared // 3  # for sockets; None: those of the event loop
PAGE_THREADS = 16 if _sqlite else _shared - _shared // 3

CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.locmem.LocMemCache",
        # Holds the counters for rate limits. A flood of addresses must not evict the other entries.
        "OPTIONS": {"MAX_ENTRIES": 100_000},
    }
}

REDIS_URL = env.redis("REDIS_URL")
if REDIS_URL:
    CACHES["default"] |= {"BACKEND": "accounts.counts.SharedCounts", "LOCATION": REDIS_URL}
    CHANNEL_LAYERS = {
        "default": {
            "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
            "CONFIG": {"hosts": [{"address": REDIS_URL, "health_check_interval": 10}]},
        }
    }
else:
    CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}

AUTH_USER_MODEL = "accounts.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PASSWORD_HASHERS = [
    "accounts.hashing.Argon2Hasher",
    "accounts.hashing.Pbkdf2Hasher",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
] + [{"NAME": "accounts.credentials.EndWithPassword"}]

AUTHENTICATION_BACKENDS = [
    "accounts.backends.PasswordBackend",  # checks passwords; the others only load session users
    "allauth.account.auth_backends.AuthenticationBackend",
    "django.contrib.auth.backends.ModelBackend",  # guests, who never log in
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = LOGOUT_REDIRECT_URL = "front"
CSRF_FAILURE_VIEW = "lobby.errors.not_trusted"

# Without EMAIL_URL the server sends no mail and asks nobody for an address.
MAIL = bool(env.str("EMAIL_URL", ""))
_mail = env.email_url_config(env.str("EMAIL_URL", "") or "dummymail://")
globals().update({name: value for name, value in _mail.items() if value})
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = env.str("MAIL_FROM", f"noreply@{_public.hostname}")

ACCOUNT_ADAPTER = "accounts.adapter.Adapter"
ACCOUNT_FORMS = {
    "signup": "accounts.forms.SignupForm",
    "login": "accounts.forms.LoginForm",
    "change_password": "accounts.forms.ChangePasswordForm",
    "set_password": "accounts.forms.SetPasswordForm",
    "reset_password": "accounts.forms.ResetPasswordForm",
    "reset_password_from_key": "accounts.forms.ResetPasswordKeyForm",
    "add_email": "accounts.forms.AddEmailForm",
    "reauthenticate": "accounts.forms.ReauthenticateForm",
}
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "optional" if MAIL else "none"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_PREVENT_ENUMERATION = "strict"  # forms do not reveal which addresses have an account
ACCOUNT_AUTHENTICATED_LOGIN_REDIRECTS = False  # guests register and log in (accounts/views.py)
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_USER_DISPLAY = str
ACCOUNT_DEFAULT_HTTP_PROTOCOL = "https" if HTTPS else "http"
# Enough for a club whose members share an address, mistype their passwords and log in within the
# same minute.
ACCOUNT_RATE_LIMITS = {
    "login": "90/m/ip",
    "login_failed": "60/m/ip,5/5m/key",  # codes of the second step, see also LOGIN_LIMITS
    "signup": "60/m/ip",
    "confirm_email": None,  # accounts/mail_budget.py limits emails, with an error message
}
# Number of wrong passwords, and seconds (accounts/login_limits.py).
LOGIN_LIMITS = {"address": (60, 60), "name": (5, 5 * 60), "name_anywhere": (100, 60 * 60)}
ALLAUTH_TRUSTED_PROXY_COUNT = TRUSTED_PROXIES

# Passkeys and codes from an app, optional for everybody (docs/decisions/0077).
STAFF_SECOND_STEP = env.one_of("STAFF_SECOND_STEP", "optional", "required")
STAFF_CONFIRM_MINUTES = 10
ACCOUNT_REAUTHENTICATION_TIMEOUT = STAFF_CONFIRM_MINUTES * 60
MFA_ADAPTER = "accounts.second_step.adapter.SecondStepAdapter"
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_ALLOW_UNVERIFIED_EMAIL = True  # most accounts have no address
MFA_TOTP_TOLERANCE = 1  # phone clocks may be slightly wrong, and people type slowly
MFA_FORMS = {
    "authenticate": "accounts.second_step.forms.AuthenticateForm",
    "reauthenticate": "accounts.second_step.forms.ReauthenticateForm",
    "activate_totp": "accounts.second_step.forms.ActivateTOTPForm",
    "add_webauthn": "accounts.second_step.forms.AddPasskeyForm",
    "edit_webauthn": "accounts.second_step.forms.RenamePasskeyForm",
    "authenticate_webauthn": "accounts.second_step.forms.AuthenticatePasskeyForm",
    "login_webauthn": "accounts.second_step.forms.LoginPasskeyForm",
    "reauthenticate_webauthn": "accounts.second_step.forms.ReauthenticatePasskeyForm",
}

LANGUAGE_CODE = "en"
LANGUAGES, LOCALE_PATHS = offered(BASE_DIR / "locale", VAR / "locale")
TIME_ZONE = "UTC"
USE_TZ = True
FORMAT_MODULE_PATH = ["config.formats"]

STATIC_URL = "static/"
STATICFILES_DIRS = [
    BASE_DIR / "static",
    ("fonts", font_directory),
    *((f"games/{path.parents[1].name}", path) for path in BASE_DIR.glob("games/*/web/static")),
]
STATIC_ROOT = Path(env.str("STATIC_ROOT", str(VAR / "static")))
STATIC_ROOT.mkdir(parents=True, exist_ok=True)
if not DEBUG and not TESTING:
    STORAGES = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "config.static_storage.UncommentedStaticFilesStorage"},
    }
WHITENOISE_USE_FINDERS = DEBUG or TESTING
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MIMETYPES = {".ttf": "font/ttf"}
WHITENOISE_KEEP_ONLY_HASHED_FILES = True  # served files never change

SESSION_COOKIE_AGE = 60 * 60 * 24 * 60
STAFF_HOURS = env.int("STAFF_HOURS", 12)
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True  # forms carry the token themselves
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if TRUSTED_PROXIES else None
SECURE_SSL_REDIRECT = HTTPS and TRUSTED_PROXIES > 0
SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics|doctor)/?$"]
SECURE_HSTS_SECONDS = 31536000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = SECURE_HSTS_PRELOAD = env.flag("HSTS_SUBDOMAINS", False)
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"
CONTENT_SECURITY_POLICY = POLICY
SILENCED_SYSTEM_CHECKS = [
    # HSTS for other hosts of the domain is the operator's decision.
    *([] if SECURE_HSTS_INCLUDE_SUBDOMAINS else ["security.W005", "security.W021"]),
    # TLS ends at the proxy. Without TRUSTED_PROXIES only the proxy can redirect.
    *([] if SECURE_SSL_REDIRECT else ["security.W008"]),
]

SITE_NAME = env.str("SITE_NAME", "Parlour")
ACCOUNT_EMAIL_SUBJECT_PREFIX = f"[{SITE_NAME}] "
IMPRINT_URL = env.str("IMPRINT_URL", "")
PRIVACY_URL = env.str("PRIVACY_URL", "")
APPEAL_TO = env.str("APPEAL_TO", "")
SECURITY_CONTACT = read_contacts(env.list("SECURITY_CONTACT", default=[]))
ROBOTS = env.one_of("ROBOTS", "allow", "deny")
GUESTS = env.flag("GUESTS", True)
REGISTRATION = env.one_of("REGISTRATION", "open", "invite", "closed")
REQUEST_SECONDS = env.float("REQUEST_SECONDS", 10.0)
STOP_SECONDS = env.float("STOP_SECONDS", 10.0)
BOT_DELAY = env.seconds("BOT_DELAY", "0" if TESTING else "1-4")
BEATS = env.float("BEATS", 0.0 if TESTING else 1.0)
RESULT_SECONDS = env.float("RESULT_SECONDS", 0.0 if TESTING else 3.0)
SOCKETS_PER_PERSON = env.int("SOCKETS_PER_PERSON", 20)
SOCKETS_PER_ADDRESS = env.int("SOCKETS_PER_ADDRESS", 200)
SPECTATORS_PER_ADDRESS = env.int("SPECTATORS_PER_ADDRESS", 10)
WS_BURST = env.int("WS_BURST", 40)
WS_RATE = env.int("WS_RATE", 20)
FAST_PATHS = env.flag("FAST_PATHS", not TESTING)  # tests in one process use the ordinary code paths
HEARTBEAT_SECONDS = env.float("HEARTBEAT_SECONDS", 20.0)

MIA_UDP_PORT = env.port("MIA_UDP_PORT", None)
MIA_UDP_HOST = env.str("MIA_UDP_HOST", "") or HOST
MIA_ANSWER_MS = env.int("MIA_ANSWER_MS", 250)
MIA_EARLY_START = env.flag("MIA_EARLY_START", True)
MIA_DIALECT = env.str("MIA_DIALECT", "seed")
MIA_KEEP_ROUNDS = 10_000
MIA_FORGET_DAYS = 30

RATED = env.one_of("RATED", "club", "public", "off")
"""Which tables may be rated: none (`off`), those whose hosts want it (`club`), or only tables that
are open to everybody (`public`). See docs/ratings.md.
"""
LADDER = env.flag("LADDER", False)
"""Whether programs of users play against each other (docs/programs.md)."""
LADDER_AT_ONCE = env.int("LADDER_AT_ONCE", 2)
"""Maximum tables of the ladder at a time."""

# Count and seconds per user. Addresses get ten times the count (accounts/limits.py).
LIMITS = {
    "codes": read_limit(env.str("LIMIT_CODES", "30/10m")),
    "passwords": read_limit(env.str("LIMIT_PASSWORDS", "10/10m")),
    "guests": read_limit(env.str("LIMIT_GUESTS", "120/h")),
    "decks": read_limit("60/h"),
    "invitations": read_limit("60/h"),
    "follows": read_limit("60/h"),
    "exports": read_limit("6/h"),
    "downloads": read_limit("60/10m"),
    "mails": read_limit(env.str("LIMIT_MAILS", "100/h")),
    "starts": read_limit(env.str("LIMIT_STARTS", "60/10m")),
    "matches": read_limit(env.str("LIMIT_MATCHES", "60/m")),
    "messages": (5, 10),
    "reports": (30, 60 * 60),
    "replays": read_limit("300/m"),
    "seeks": read_limit(env.str("LIMIT_SEEKS", "20/m")),
    "programs": read_limit("20/h"),
}

# Push messages about turns. Browsers accept them only from https sites.
_push_key = env.str("PUSH_PRIVATE_KEY", "")
PUSH_PRIVATE_KEY = _push_key if HTTPS else ""
PUSH_PUBLIC_KEY = public_key(PUSH_PRIVATE_KEY)
PUSH_HOSTS = [
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
]

# Settings of earlier versions. They have no effect, and `doctor` warns about them.
REMOVED = (
    "LIMIT_DECKS",
    "LIMIT_DOWNLOADS",
    "LIMIT_EXPORTS",
    "LIMIT_INVITATIONS",
    "MIA_FORGET_DAYS",
    "MIA_KEEP_ROUNDS",
    "PUSH_HOSTS",
    "STAFF_CONFIRM_MINUTES",
)

# Days to keep absent guests, messages, matches without a result, and the moves of matches on the
# ladder. 0 means for ever.
KEEP_GUESTS_DAYS = env.int("KEEP_GUESTS_DAYS", 30)
KEEP_CHAT_DAYS = env.int("KEEP_CHAT_DAYS", 90)
KEEP_STOPPED_DAYS = env.int("KEEP_STOPPED_DAYS", 30)
KEEP_LADDER_DAYS = env.int("KEEP_LADDER_DAYS", 30)

METRICS_TOKEN = env.str("METRICS_TOKEN", "")
LOG_LEVEL = env.one_of("LOG_LEVEL", "INFO", "DEBUG", "WARNING", "ERROR", "CRITICAL")
LOG_FORMAT = env.one_of("LOG_FORMAT", "text", "json")
ADMINS = [("", address) for address in env.list("ADMINS", default=[])]
SERVER_EMAIL = DEFAULT_FROM_EMAIL
if SENTRY_DSN := env.str("SENTRY_DSN", ""):
    start_sentry(SENTRY_DSN)
KNOWN = frozenset({*env.names, *REMOVED, "SECRET_KEY", places.DATA, "PARLOUR_ENV"})
"""Names of all settings. `doctor` warns about others."""
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "by_route": {"()": "config.logs.ByRoute"},
        "no_visitors": {"()": "config.logs.NoVisitors"},
        "storage_faults": {"()": "config.logs.StorageFaults"},
        "no_junk": {"()": "config.logs.NoJunk"},
        "with_ids": {"()": "config.log_context.WithIds"},
    },
    "formatters": {
        "text": {"()": "config.log_context.Text", "timed": not is_in_journal()},
        "json": {"()": "config.log_context.Json"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "filters": ["by_route", "storage_faults", "no_junk", "with_ids"],
            "formatter": LOG_FORMAT,
        },
        "mail": {
            "class": "config.error_mail.ErrorMail",
            "filters": ["by_route", "storage_faults", "no_junk", "with_ids"],
        },
    },
    "loggers": {
        # No handlers: Django's own error emails contain what users sent.
        "django": {"handlers": [], "level": "INFO"},
        "uvicorn.error": {"filters": ["no_visitors", "no_junk"]},
        "django.security.DisallowedHost": {"level": "CRITICAL"},
    },
    "root": {"handlers": ["console", "mail"], "level": LOG_LEVEL},
}
