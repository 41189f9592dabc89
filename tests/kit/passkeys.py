"""Passkeys without a device: stored as if created by one, to be listed, renamed and removed."""

from __future__ import annotations

import secrets
from hashlib import sha256

from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.internal.auth import WebAuthn
from cryptography.hazmat.primitives.asymmetric import ec
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

from accounts.models import User

HOST = "testserver"


def passkey(user: User, name: str) -> Authenticator:
    """This user's passkey, whose private key is discarded."""
    number = secrets.token_bytes(16)
    public = ES256.from_cryptography_key(ec.generate_private_key(ec.SECP256R1()).public_key())
    about = AttestedCredentialData.create(Aaguid.NONE, number, public)
    flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV | AuthenticatorData.FLAG.AT
    data = AuthenticatorData.create(sha256(HOST.encode()).digest(), flags, 0, about)
    said = CollectedClientData.create("webauthn.create", b"x" * 32, f"https://{HOST}")
    credential = {
        "id": websafe_encode(number),
        "rawId": websafe_encode(number),
        "type": "public-key",
        "clientExtensionResults": {},
        "response": {
            "clientDataJSON": websafe_encode(said),
            "attestationObject": websafe_encode(AttestationObject.create("none", data, {})),
        },
    }
    made: Authenticator = WebAuthn.add(user, name, credential).instance
    return made
