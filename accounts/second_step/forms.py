"""Forms of the second step: allauth's, with Parlour's labels and errors."""

from __future__ import annotations

import logging
from hashlib import sha256
from typing import Any

from allauth.mfa.base import forms as base
from allauth.mfa.totp import forms as totp
from allauth.mfa.webauthn import forms as webauthn
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.forms import JSONField
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.characters import first_hidden, is_seen
from accounts.forms import Plain
from accounts.names import AS_TYPED
from accounts.second_step import steps_of
from accounts.second_step.adapter import free_name, get_adapter

log = logging.getLogger(__name__)

LONGEST_NAME = 40
LONGEST_CREDENTIAL = 32 * 1024
AS_LONG_AS_VALID = 90
"""Maximum seconds for which a code is valid, because the previous and the next code are accepted
too.
"""


class _Code(Plain):
    """Form for a code from an authenticator app, or a recovery code. Each is valid once."""

    user: Any
    cleaned_data: dict[str, Any]
    labels = {"code": _("Code")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        more = {**AS_TYPED, "autofocus": True, "maxlength": 40}
        self.fields["code"].widget.attrs.update(more)

    def clean_code(self) -> str:
        """Refuse used codes. allauth forgets them after 30 seconds, before they expire."""
        code: str = super().clean_code()  # type: ignore[misc]
        plain = "".join(filter(str.isalnum, code)).lower()  # in the form that allauth compares
        hidden = sha256(plain.encode()).hexdigest()
        if not cache.add(f"second-step:{self.user.pk}:{hidden}", True, AS_LONG_AS_VALID):
            raise get_adapter().validation_error("incorrect_code")
        return code


class AuthenticateForm(_Code, base.AuthenticateForm):
    pass


class ReauthenticateForm(_Code, base.ReauthenticateForm):
    pass


class ActivateTOTPForm(_Code, totp.ActivateTOTPForm):
    labels = {"code": _("The code your app shows now")}


UNREADABLE = (RecursionError, ValueError)
"""Errors that Python raises for JSON that is nested too deeply or contains a number that is too
long.
"""


class _Credential(JSONField):
    """Form field for a browser's passkey response, limited in size."""

    def to_python(self, value: Any) -> Any:
        if isinstance(value, str) and len(value) > LONGEST_CREDENTIAL:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        try:
            return super().to_python(value)
        except UNREADABLE:
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None

    def bound_data(self, data: Any, initial: Any) -> Any:
        try:
            return super().bound_data(data, initial)
        except UNREADABLE:
            return initial


class _Passkey(Plain):
    """Form with a passkey response in a hidden field. Its errors are shown above the form."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = self.fields["credential"]
        self.fields["credential"] = _Credential(widget=known.widget, required=known.required)

    def full_clean(self) -> None:
        super().full_clean()
        errors: Any = self.errors  # type: ignore[attr-defined]
        if errors.pop("credential", None):
            text = gettext("That passkey didn't work. Try again, or use another way.")
            self.add_error(None, text)  # type: ignore[attr-defined]

    def clean_credential(self) -> Any:
        return _decoded(super().clean_credential)  # type: ignore[misc]


class _Named:
    """Mixin for forms in which a user names a passkey."""

    cleaned_data: dict[str, Any]

    def cleaned_name(self) -> str:
        name = " ".join(self.cleaned_data["name"].split())[:LONGEST_NAME]
        return name if is_seen(name) and not first_hidden(name) else ""


class AddPasskeyForm(_Named, _Passkey, webauthn.AddWebAuthnForm):
    labels = {"name": _("Its name"), "passwordless": _("Log in with it alone, without a password")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["maxlength"] = LONGEST_NAME
        self.fields["passwordless"].initial = True

    def clean_credential(self) -> Any:
        return self.cleaned_data["credential"]

    def clean_name(self) -> str:
        """Always return a usable name: the device has already created the passkey."""
        return free_name(self.user, self.cleaned_name() or gettext("Passkey"))

    def clean(self) -> Any:
        return _decoded(super().clean)


class RenamePasskeyForm(_Named, Plain, webauthn.EditWebAuthnForm):
    labels = {"name": _("Its name")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].widget.attrs["maxlength"] = LONGEST_NAME

    def clean_name(self) -> str:
        name = self.cleaned_name()
        if not name:
            raise ValidationError(gettext("Names have 1 to 40 letters or digits."))
        others = steps_of(self.instance.user).exclude(pk=self.instance.pk)
        if name in {str(one) for one in others}:
            raise ValidationError(gettext("You already have a passkey with that name."))
        return name


class AuthenticatePasskeyForm(_Passkey, webauthn.AuthenticateWebAuthnForm):
    pass


class LoginPasskeyForm(_Passkey, webauthn.LoginWebAuthnForm):
    pass


class ReauthenticatePasskeyForm(_Passkey, webauthn.ReauthenticateWebAuthnForm):
    pass


def _decoded(read: Any) -> Any:
    """Return the result of `read`. Turn every exception into a ValidationError.

    Three libraries decode a browser's response, each with different exceptions. All of them mean
    that the passkey is not valid here.
    """
    try:
        return read()
    except ValidationError:
        raise
    except Exception as error:
        log.info("a passkey could not be read: %s", type(error).__name__)
        raise get_adapter().validation_error("incorrect_code") from None
