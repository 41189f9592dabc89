"""Adapter for `allauth.mfa`: names of passkeys, QR codes, and encryption of secrets."""

from __future__ import annotations

import base64
import hashlib
from secrets import token_bytes
from typing import Any

import segno
from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.encoding import force_bytes
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import second_step
from accounts.models import User

__all__ = ["SecondStepAdapter", "free_name", "get_adapter"]


class SecondStepAdapter(DefaultMFAAdapter):
    """Parlour's overrides of `allauth.mfa`."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "incorrect_code": _("That code is wrong or already used."),
        "cannot_delete_authenticator": _(
            "This is your last one, and staff need two-step login here. Add another one first."
        ),
        "cannot_generate_recovery_codes": _("Add a passkey or an app first."),
    }

    def build_totp_svg(self, url: str) -> SafeString:
        made = segno.make_qr(url)
        return mark_safe(made.svg_inline(border=2, light="#fff", svgclass="qr", omitsize=True))

    def encrypt(self, text: str) -> str:
        """Encrypt the secret of an authenticator app, so that a stolen database alone does not
        reveal it.
        """
        return _fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return the decrypted secret.

        If SECRET_KEY has changed, return a random one that matches no code.
        """
        try:
            return _fernet().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            return base64.b32encode(token_bytes(20)).decode()

    def can_delete_authenticator(self, authenticator: Authenticator) -> bool:
        return not second_step.is_last_required(authenticator)

    def generate_authenticator_name(self, user: User, type: second_step.Type) -> str:
        return free_name(user, gettext("Passkey"))

    def get_totp_label(self, user: User) -> str:
        return user.username

    def get_totp_issuer(self) -> str:
        return str(settings.SITE_NAME)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        entity: dict[str, str] = super().get_public_key_credential_rp_entity()
        return entity | {"name": str(settings.SITE_NAME)}

    def get_public_key_credential_user_entity(self, user: User) -> dict[str, Any]:
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        return entity | {"name": user.username}


def free_name(user: User, name: str) -> str:
    """Return an unused name for a passkey: `name`, with a number if the user already has it."""
    taken = {str(one) for one in second_step.steps_of(user)}
    names = (name, *(f"{name} {number}" for number in range(2, len(taken) + 3)))
    return next(one for one in names if one not in taken)


def _fernet() -> MultiFernet:
    keys = map(force_bytes, (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS))
    hashed = (hashlib.sha256(b"parlour.second-step:" + key).digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(one)) for one in hashed])
