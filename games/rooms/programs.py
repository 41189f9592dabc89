"""Programs of users for the ladder, and their versions (docs/programs.md).

Each version has an account of its own, without a password, whose token it plays with. Functions
marked `@command` raise Refused.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from django.conf import settings
from django.db.models import QuerySet
from django.utils.text import slugify

from accounts import reserved_names, tokens
from accounts.likeness import looks_key
from accounts.models import User
from accounts.names import BadName, clean_name
from games.contract.core import Refused
from games.engine import notifications, time_source
from games.engine.writer import command
from games.models import Program, ProgramVersion
from games.models.programs import LONGEST_NAME
from games.rooms import members

State = ProgramVersion.State
MOST_PROGRAMS = 5
"""Maximum programs of one user."""
MOST_VERSIONS = 3
"""Maximum versions of a program that are not retired."""


def check_name(name: str) -> str:
    """Return the cleaned name of a new program. Raise BadName if it cannot be used."""
    name = clean_name(name)
    if len(name) > LONGEST_NAME:
        raise BadName("ProgramNameTooLong", most=LONGEST_NAME)
    if reserved_names.is_for_staff(name):
        raise BadName("UsernameReserved")
    if Program.objects.filter(key=looks_key(name)).exists():
        raise BadName("UsernameTaken")
    return name


@command
def make_program(owner_id: int, name: str, about: str = "") -> Program:
    """Create a program without versions."""
    owner = _owner(owner_id)
    if owner.programs.count() >= MOST_PROGRAMS:
        raise Refused("too_many_programs", most=MOST_PROGRAMS)
    name = _checked(name)
    return Program.objects.create(
        owner=owner, slug=_free_slug(name), name=name, key=looks_key(name), about=about.strip()
    )


@command
def describe(owner_id: int, program_id: int, about: str) -> None:
    """Change the description of a program."""
    program = _own_program(owner_id, program_id)
    program.about = about.strip()
    program.save(update_fields=["about"])


@command
def make_version(
    owner_id: int, program_id: int, label: str = "", form: str = ""
) -> tuple[ProgramVersion, str]:
    """Create a version with its account. Return it with its token, which cannot be shown again.

    If `form`, the token of a form, has already created a version, return that one.
    """
    program = _own_program(owner_id, program_id)
    versions = program.versions.select_related("user")
    for version in versions if form else ():
        if token := tokens.made_by(version.user, form):
            return version, token
    if versions.exclude(state=State.RETIRED).count() >= MOST_VERSIONS:
        raise Refused("too_many_versions", most=MOST_VERSIONS)
    newest = versions.order_by("number").last()
    number = newest.number + 1 if newest is not None else 1
    user = _make_account(f"{program.name} v{number}")
    version = ProgramVersion.objects.create(
        program=program, number=number, label=label.strip(), user=user
    )
    return version, tokens.make(user, str(version), days=None, form=form)


@command
def new_token(owner_id: int, version_id: int) -> str:
    """Replace the token of a version. The old one is no longer valid."""
    version = _own_version(owner_id, version_id)
    version.user.tokens.all().delete()
    return tokens.make(version.user, str(version), days=None)


@command
def wake(owner_id: int, version_id: int) -> None:
    """Let a resting version play again, and check a failed one again."""
    version = _own_version(owner_id, version_id)
    if version.state not in (State.RESTING, State.FAILED):
        raise Refused("already_done")
    wake_now(version)
    version.save()


def wake_now(version: ProgramVersion) -> None:
    """Let a version play again. The caller must save it."""
    version.state = State.CHECKING if version.state == State.FAILED else State.ACTIVE
    version.judged_from, version.silent_in = time_source.now(), None


@command
def retire(owner_id: int, version_id: int) -> None:
    """Take one of the owner's versions off the ladder for good."""
    retire_now(_own_version(owner_id, version_id))


def retire_now(version: ProgramVersion) -> None:
    """Take a version off the ladder for good, and revoke its token. Call it inside a command."""
    version.state, version.tables, version.available_until = State.RETIRED, 0, None
    version.save(update_fields=["state", "tables", "available_until"])
    version.user.tokens.all().delete()
    notifications.notify_everybody()


def earlier_versions(user_ids: Collection[int]) -> Mapping[int, Sequence[int]]:
    """Return the accounts of the earlier versions of each version's program, newest first.

    Versions are identified by their accounts. This runs one query.
    """
    of = ProgramVersion.objects.filter(user__in=user_ids).values("program")
    found = _earlier(ProgramVersion.objects.filter(program__in=of))
    return {user_id: found[user_id] for user_id in user_ids if user_id in found}


def all_earlier_versions() -> Mapping[int, Sequence[int]]:
    """Return what `earlier_versions` returns, for the versions of all programs."""
    return _earlier(ProgramVersion.objects.all())


def _earlier(versions: QuerySet[ProgramVersion]) -> dict[int, Sequence[int]]:
    by_program: defaultdict[int, list[int]] = defaultdict(list)
    rows = versions.order_by("-number").values_list("program", "user")
    for program_id, user_id in rows:
        by_program[program_id].append(user_id)
    return {
        user_id: accounts[at + 1 :]
        for accounts in by_program.values()
        for at, user_id in enumerate(accounts)
    }


def _owner(owner_id: int) -> User:
    """Return a user who may have programs."""
    if not settings.LADDER:
        raise Refused("not_allowed_now")
    owner, _token = members.person(owner_id, "")
    if owner.is_guest or owner.is_program:
        raise Refused("programs_need_account")
    return owner


def _own_program(owner_id: int, program_id: int) -> Program:
    _owner(owner_id)
    found = Program.objects.select_for_update().filter(pk=program_id, owner=owner_id).first()
    if found is None:
        raise Refused("gone")
    return found


def _own_version(owner_id: int, version_id: int) -> ProgramVersion:
    _owner(owner_id)
    found = (
        ProgramVersion.objects.select_for_update(of=("self",))
        .select_related("user", "program")
        .filter(pk=version_id, program__owner=owner_id)
        .exclude(state=State.RETIRED)
        .first()
    )
    if found is None:
        raise Refused("gone")
    return found


def _make_account(name: str) -> User:
    try:
        name = clean_name(name)
        reserved_names.check(name)
    except BadName as bad:
        raise Refused(bad.code, **bad.facts) from None
    user = User(username=name, is_program=True, lists_matches=True)
    user.set_unusable_password()
    user.save()
    return user


def _checked(name: str) -> str:
    try:
        return check_name(name)
    except BadName as bad:
        raise Refused(bad.code, **bad.facts) from None


def _free_slug(name: str) -> str:
    """Return an unused slug. Names without Latin letters or digits get a numbered one."""
    wanted = slugify(name) or "program"
    taken = set(Program.objects.filter(slug__startswith=wanted).values_list("slug", flat=True))
    numbered = (f"{wanted}-{number}" for number in range(2, len(taken) + 3))
    return next(slug for slug in (wanted, *numbered) if slug not in taken)
