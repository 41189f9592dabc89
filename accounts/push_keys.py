"""Key pair that identifies this server to push services (VAPID, RFC 8292)."""

from __future__ import annotations

import base64
import secrets

from django.core.exceptions import ImproperlyConfigured

BYTES = 32
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Order of the curve P-256. Private keys are numbers from 1 to ORDER - 1."""


def new_private_key() -> str:
    """Return a new private key in the format of `PUSH_PRIVATE_KEY`."""
    number = 1 + secrets.randbelow(ORDER - 1)
    return _written(number.to_bytes(BYTES, "big"))


def public_key(private: str) -> str:
    """Return the public key of this private key in the format browsers expect, or "" for "".

    Raise ImproperlyConfigured if the private key is not valid.
    """
    if not private:
        return ""
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    try:
        number = int.from_bytes(base64.urlsafe_b64decode(private + "=" * (-len(private) % 4)))
        point = ec.derive_private_key(number, ec.SECP256R1()).public_key()
    except ValueError:
        raise ImproperlyConfigured(
            "PUSH_PRIVATE_KEY is no such key. Make one with: manage.py push_key"
        ) from None
    return _written(point.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint))


def _written(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()
