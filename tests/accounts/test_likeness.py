"""Keys of names: case-insensitive, equal for look-alikes, cheap, and short enough to store."""

from __future__ import annotations

import hashlib

import pytest

from accounts import likeness
from accounts.characters import first_hidden, is_seen, without_hidden
from accounts.likeness import LONGEST_KEY, are_alike, login_key, looks_key, skeleton
from accounts.names import SENTENCES, BadName, clean_name


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("limes11", "Iimes11"), ("modern", "rnodern"), ("A|ice", "Alice"), ("KARI", "Karl")),
        *(("ELI", "Eli"), ("Özge", "ÖZGE"), ("Straße", "STRASSE"), ("\u1e9bs", "\u1e61s")),
        *(("İpek", "i\u0307pek"), ("а\u200cли", "али"), ("Ａnna", "anna")),
    ],
)
def test_identical_and_confusable_names_are_alike(name: str, other: str) -> None:
    assert are_alike(name, other)
    assert are_alike(other, name)


@pytest.mark.parametrize(
    ("name", "others"),
    [
        ("Anna", ("anna", "ANNA", "\U0001d400nna", "\uff21nna")),
        ("Γιάννης", ("ΓΙΆΝΝΗΣ",)),
    ],
)
def test_equivalent_names_have_the_same_login_key(name: str, others: tuple[str, ...]) -> None:
    assert {login_key(other) for other in others} == {login_key(name)}


@pytest.mark.parametrize(
    ("name", "others"),
    [
        (
            "Anna",
            ("Аnna", "Ann\u0430", "A n n a", "\u0391nna", "\u0391\u039d\u039d\u0391", "Ann\u0251"),
        ),
        ("Alice", ("A|ice", "Aӏice", "Аlice")),
    ],
)
def test_confusable_names_have_the_same_looks_key(name: str, others: tuple[str, ...]) -> None:
    assert {looks_key(other) for other in others} == {looks_key(name)}
    assert login_key(name) not in {login_key(other) for other in others}


@pytest.mark.parametrize(
    ("name", "other"),
    [
        *(("Kari", "Karl"), ("Ella", "Eila"), ("Al", "Ai"), ("たいき", "だいき"), ("มา", "ม้า")),
        *(("Anna", "Ánna"), ("Omer", "Ömer")),
    ],
)
def test_distinct_names_are_not_alike(name: str, other: str) -> None:
    assert not are_alike(name, other)


@pytest.mark.parametrize("text", ["paypal", "limes11", "Iоаnnа", "rnodern", "\u0627\u0622", "ﷺ"])
def test_skeleton_is_idempotent(text: str) -> None:
    assert skeleton(skeleton(text)) == skeleton(text)


@pytest.mark.parametrize("name", ["ﷺ" * 20, "ﷺ" * 150, "a" * 150, ""])
def test_key_fits_its_column_for_any_name(name: str) -> None:
    for key in (login_key(name), looks_key(name)):
        assert len(key) <= LONGEST_KEY
    assert not are_alike(name, name + "b")


def test_common_letters_and_symbols_are_visible() -> None:
    plain = [chr(code) for code in range(33, 127)] + list("äöüßéñçøåčžığşżµ¿¡«»€£¥…–„“”°")
    assert not [one for one in plain if first_hidden(one) or not is_seen(one)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        *(
            ("\u200b", ""),
            ("a\u200bb", "ab"),
            ("می\u200cخواهم", "می\u200cخواهم"),
            ("a\u200cb", "ab"),
        ),
        *(("👍🏽!", "👍🏽!"), ("a\ufffcb", "ab"), ("\U000e0041x", "x"), ("a\u202eb", "ab")),
        ("new \U0001fbff \U0003fffd", "new \U0001fbff \U0003fffd"),
    ],
)
def test_invisible_characters_are_removed_from_text(text: str, shown: str) -> None:
    assert without_hidden(text) == shown


@pytest.mark.parametrize(
    ("name", "code"),
    [
        *(("x" * 21, "UsernameTooLong"), ("x" * 10_000, "UsernameTooLong"), ("", "UsernameEmpty")),
        *(("?!", "UsernameEmpty"), ("a\nb", "UsernameInvalid"), ("a\u200cb", "UsernameInvalid")),
        *(("a" + "\u0323" * 6, "UsernameMarks"), ("Former  Player 7", "UsernameReserved")),
        ("forrner player", "UsernameReserved"),
    ],
)
@pytest.mark.django_db
def test_refused_name_has_a_specific_reason(name: str, code: str) -> None:
    with pytest.raises(BadName) as refused:
        clean_name(name)
    assert refused.value.code == code
    assert "%(" not in refused.value.sentence
    assert code in SENTENCES


@pytest.mark.django_db
def test_refusal_names_the_invisible_character() -> None:
    with pytest.raises(BadName) as refused:
        clean_name("a\u202eb")
    assert "U+202E" in refused.value.sentence


def test_confusables_table_is_unchanged_since_keys_were_stored() -> None:
    """If this fails, ship a migration that recomputes `key` and `shown_key` of accounts."""
    table = sorted(likeness._prototypes().items())
    assert hashlib.sha256(repr(table).encode()).hexdigest()[:16] == "159b2d97fadf67f2"
