"""Programs for the ladder: who may have them, their versions, accounts and tokens."""

from __future__ import annotations

import json
from typing import Any

import pytest

from accounts import sanctions, tokens
from accounts.models import Sanction, Token, User
from games.contract.core import Refused
from games.engine.writer import command
from games.history import erasure, export
from games.models import Program, ProgramVersion
from games.rooms import members, programs
from tests.kit.factories import AccountFactory, PersonFactory, open_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def _ladder(settings: Any) -> None:
    settings.LADDER = True


def made(owner: User, name: str = "Nemo") -> tuple[ProgramVersion, str]:
    program = programs.make_program(owner.pk, name).result()
    return programs.make_version(owner.pk, program.pk).result()


class TestPrograms:
    def test_version_has_an_account_of_its_own_with_a_token(self) -> None:
        version, token = made(AccountFactory())
        user = tokens.holder(token)
        assert user == version.user
        assert user is not None
        assert (str(user), user.is_program, user.is_guest) == ("Nemo v1", True, False)
        assert not user.has_usable_password()
        assert version.state == "checking"

    def test_versions_are_numbered(self) -> None:
        owner = AccountFactory()
        first, _token = made(owner)
        programs.retire(owner.pk, first.pk).result()
        second, _token = programs.make_version(owner.pk, first.program_id, "faster").result()
        assert (second.number, second.label, str(second.user)) == (2, "faster", "Nemo v2")

    def test_version_can_sit_at_ordinary_tables(self) -> None:
        version, _token = made(AccountFactory())
        room = open_table(AccountFactory(), version.user)
        assert room.members.filter(user=version.user, left_at=None).exists()

    def test_repeated_form_makes_one_version(self) -> None:
        owner = AccountFactory()
        program = programs.make_program(owner.pk, "Nemo").result()
        both = [programs.make_version(owner.pk, program.pk, form="f").result() for _ in range(2)]
        assert both[0] == both[1]
        assert program.versions.count() == 1

    @pytest.mark.parametrize(
        ("name", "code"),
        [
            ("Nemo", "UsernameTaken"),
            ("nemo", "UsernameTaken"),
            ("N" * 16, "ProgramNameTooLong"),
            ("Admin", "UsernameReserved"),
            (" ", "UsernameEmpty"),
        ],
    )
    def test_name_is_refused(self, name: str, code: str) -> None:
        made(AccountFactory())
        with pytest.raises(Refused, match=code):
            made(AccountFactory(), name)

    def test_name_of_a_version_may_belong_to_somebody(self) -> None:
        AccountFactory(username="Nemo v1")
        owner = AccountFactory()
        with pytest.raises(Refused, match="UsernameTaken"):
            made(owner)

    def test_slugs_are_unique(self) -> None:
        owner = AccountFactory()
        names = ("Ne mo", "Ne-mo", "勝負", "対局")
        slugs = [programs.make_program(owner.pk, name).result().slug for name in names]
        assert len(set(slugs)) == 4
        assert slugs[2] == "program"

    def test_numbers_of_programs_and_versions_are_limited(self) -> None:
        owner = AccountFactory()
        found = [programs.make_program(owner.pk, f"Nemo {n}").result() for n in range(5)]
        with pytest.raises(Refused, match="too_many_programs"):
            programs.make_program(owner.pk, "Nemo 6").result()
        versions = [programs.make_version(owner.pk, found[0].pk).result()[0] for _ in range(3)]
        with pytest.raises(Refused, match="too_many_versions"):
            programs.make_version(owner.pk, found[0].pk).result()
        programs.retire(owner.pk, versions[0].pk).result()
        programs.make_version(owner.pk, found[0].pk).result()

    def test_guests_programs_and_strangers_are_refused(self) -> None:
        version, _token = made(AccountFactory())
        for user in (PersonFactory(), version.user):
            with pytest.raises(Refused, match="programs_need_account"):
                programs.make_program(user.pk, "Other").result()
        for change in (programs.retire, programs.wake, programs.new_token):
            with pytest.raises(Refused, match="gone"):
                change(AccountFactory().pk, version.pk).result()

    def test_nothing_is_offered_without_the_setting(self, settings: Any) -> None:
        settings.LADDER = False
        with pytest.raises(Refused, match="not_allowed_now"):
            programs.make_program(AccountFactory().pk, "Nemo").result()

    def test_retired_version_has_no_token(self) -> None:
        owner = AccountFactory()
        version, token = made(owner)
        programs.retire(owner.pk, version.pk).result()
        version.refresh_from_db()
        assert version.state == "retired"
        assert tokens.holder(token) is None

    def test_new_token_replaces_the_old_one(self) -> None:
        owner = AccountFactory()
        version, token = made(owner)
        newer = programs.new_token(owner.pk, version.pk).result()
        assert tokens.holder(token) is None
        assert tokens.holder(newer) == version.user

    def test_owner_wakes_a_version(self) -> None:
        owner = AccountFactory()
        version, _token = made(owner)
        for state, after in (("resting", "active"), ("failed", "checking")):
            ProgramVersion.objects.update(state=state)
            programs.wake(owner.pk, version.pk).result()
            version.refresh_from_db()
            assert version.state == after


class TestOwners:
    def test_program_is_locked_out_with_its_owner(self) -> None:
        owner = AccountFactory()
        version, _token = made(owner)
        assert members.locked_out(version.user) is None
        command(sanctions.decide)(owner.pk, Sanction.Kind.LOCK, "rude").result()
        assert members.locked_out(version.user) is not None

    def test_programs_are_exported(self) -> None:
        owner = AccountFactory()
        made(owner)
        (program,) = json.loads(b"".join(export.written(owner)))["programs"]
        assert program["name"] == "Nemo"
        assert [version["number"] for version in program["versions"]] == [1]

    def test_erasing_the_owner_erases_the_programs(self) -> None:
        owner = AccountFactory()
        version, _token = made(owner)
        room = open_table(AccountFactory(), version.user)
        erasure.erase(owner.pk)
        assert not User.objects.filter(pk__in=[owner.pk, version.user_id]).exists()
        assert not Program.objects.exists()
        assert not Token.objects.filter(user=version.user_id).exists()
        assert not room.members.filter(name__contains="Nemo").exists()

    def test_deleting_a_program_erases_its_versions(self) -> None:
        owner, other = AccountFactory(), AccountFactory()
        version, token = made(owner)
        with pytest.raises(Refused, match="gone"):
            erasure.delete_program(other.pk, version.program_id).result()
        erasure.delete_program(owner.pk, version.program_id).result()
        assert tokens.holder(token) is None
        assert not Program.objects.exists()
        assert User.objects.filter(pk=owner.pk, is_active=True).exists()
        assert not User.objects.filter(pk=version.user_id, is_active=True).exists()
