"""What a key request gives, in both clients."""

from __future__ import annotations

import hashlib
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ._errors import RelayError

ATTEMPT_SECONDS = 15.0
PATIENCE_SECONDS = 11 * 60.0
"""A request lives for 10 minutes; above that the relay must have answered."""


@dataclass(frozen=True)
class PendingKeyRequest:
    """A key request that waits for a person."""

    code: str = field(repr=False)
    """Fetches the key once it is approved: keep it secret."""
    approval_url: str = field(repr=False)
    """The page on which a person approves the request."""
    expires_in: float
    """Seconds."""
    expires_at: str
    verifier: str = field(repr=False)
    """Proves that who collects the key is who asked for it: keep it secret, and give it to `poll_key_request` or `exchange_key`."""


@dataclass(frozen=True)
class KeyGrant:
    """A key, told this once, with what the approving person gave it."""

    api_key: str = field(repr=False)
    scopes: list[str]
    client_ids: list[str]
    """Worlds that the key is bound to; empty: not bound to any."""
    acting_user_ids: dict[str, str] | None
    """By world the user as whom the key acts there; None: with the game master's rights."""
    acting_user_id: str | None
    """That user, where the key reaches one world."""


def make_proof() -> tuple[str, str]:
    """A secret, and what may be told of it."""
    verifier = secrets.token_urlsafe(32)
    challenge = urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).rstrip(b"=").decode()
    return verifier, challenge


def proof_of(verifier: str | None) -> dict[str, str]:
    """The header that shows who asked for the key."""
    return {} if verifier is None else {"x-poll-verifier": verifier}


def granted(answer: Mapping[str, Any]) -> KeyGrant:
    """The grant of an answer. A relay of an older version binds no key to a user."""
    return KeyGrant(
        api_key=answer["apiKey"],
        scopes=answer.get("scopes", []),
        client_ids=answer.get("clientIds", []),
        acting_user_ids=answer.get("actingUserIds"),
        acting_user_id=answer.get("actingUserId"),
    )


_ENDINGS = {
    "denied": "The request was denied.",
    "expired": "Nobody approved the request in time.",
    "exchanged": "The key was collected before: it is told once.",
}


def ended(status: str) -> RelayError:
    """The failure of a request that came to no key."""
    return RelayError(f"key_request_{status}", _ENDINGS.get(status, f"The request is {status}."))


def read_poll(answer: Mapping[str, Any]) -> KeyGrant | None:
    """The grant of a poll; None while the request waits. Raises `RelayError` where it came to no key."""
    status = str(answer.get("status"))
    if status == "pending":
        return None
    if status != "approved":
        raise ended(status)
    if "apiKey" in answer:
        return granted(answer)
    raise RelayError("forbidden", "The request is approved, but the key is not for this poll: wrong verifier, or a web flow.")
