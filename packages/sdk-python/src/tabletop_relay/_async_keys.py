"""Both key flows for asyncio. `_sync_keys.py` is made of this file: `pnpm docs:generate`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import httpx2

from ._async import exchange, sleep
from ._contract import ADDRESSES
from ._errors import RelayError
from ._keys import (
    ATTEMPT_SECONDS,
    PATIENCE_SECONDS,
    KeyGrant,
    PendingKeyRequest,
    ended,
    granted,
    make_proof,
    proof_of,
    read_poll,
)
from ._requests import AGENT, Request, checked_address, json_bytes, path_part

if TYPE_CHECKING:
    from . import types


async def request_key(
    url: str,
    *,
    app_name: str,
    scopes: Iterable[types.Scope],
    app_description: str | None = None,
    app_url: str | None = None,
    suggested_monthly_limit: int | None = None,
    client_ids: Iterable[str] | None = None,
    acting_user_ids: Mapping[str, str] | None = None,
    acting_user_id: str | None = None,
    suggested_expiry: str | None = None,
    callback_url: str | None = None,
    http_client: httpx2.AsyncClient | None = None,
) -> PendingKeyRequest:
    """Asks for a key that a person must approve. Send that person to `approval_url`.

    `app_name` is what they read. Worlds, users, limit and end (ISO 8601) are suggestions to them. `callback_url` makes it the web
    flow: the person is sent there with the exchange code (https, or http on loopback).
    """
    verifier, challenge = make_proof()
    asked = {
        "appName": app_name,
        "scopes": list(scopes),
        "appDescription": app_description,
        "appUrl": app_url,
        "suggestedMonthlyLimit": suggested_monthly_limit,
        "clientIds": None if client_ids is None else list(client_ids),
        "actingUserIds": None if acting_user_ids is None else dict(acting_user_ids),
        "actingUserId": acting_user_id,
        "suggestedExpiry": suggested_expiry,
        "callbackUrl": callback_url,
        "pollChallenge": challenge,
    }
    body = {name: value for name, value in asked.items() if value is not None}
    answer = await _ask(url, "POST", ADDRESSES["createKeyRequest"], body, None, http_client)
    return PendingKeyRequest(
        code=answer["code"],
        approval_url=answer["approvalUrl"],
        expires_in=answer["expiresIn"],
        expires_at=answer["expiresAt"],
        verifier=verifier,
    )


async def poll_key_request(
    url: str,
    code: str,
    *,
    verifier: str | None = None,
    interval: float = 3.0,
    http_client: httpx2.AsyncClient | None = None,
) -> KeyGrant:
    """Device flow: waits until the request is approved and collects the key, which is told once.

    Raises `RelayError` when it is denied, expires or was collected before; goes on through temporary trouble. The relay takes
    one poll each 2 s.
    """
    path = ADDRESSES["pollKeyRequest"].replace(":code", path_part("code", code))
    give_up_at = time.monotonic() + PATIENCE_SECONDS
    while True:
        wait = interval
        try:
            answer = await _ask(url, "GET", path, None, verifier, http_client)
        except RelayError as error:
            if not error.retryable:
                raise
            wait = max(interval, error.retry_after or 0)
        else:
            grant = read_poll(answer)
            if grant is not None:
                return grant
        if time.monotonic() > give_up_at:
            raise ended("expired")
        await sleep(wait)


async def exchange_key(
    url: str,
    code: str,
    *,
    verifier: str | None = None,
    http_client: httpx2.AsyncClient | None = None,
) -> KeyGrant:
    """Web flow: exchanges the code that came to `callback_url` for the key. It works once."""
    path = ADDRESSES["exchangeKeyRequest"]
    return granted(await _ask(url, "POST", path, {"code": code}, verifier, http_client))


async def _ask(
    url: str,
    method: str,
    path: str,
    body: object,
    verifier: str | None,
    http_client: httpx2.AsyncClient | None,
) -> Any:
    """An exchange without a key."""
    headers = {"user-agent": AGENT, "accept": "application/json", **proof_of(verifier)}
    if body is not None:
        headers["content-type"] = "application/json"
    request = Request(
        method=method,
        url=checked_address(url) + path,
        headers=headers,
        body=None if body is None else json_bytes(body),
        seconds=ATTEMPT_SECONDS,
        repeatable=method == "GET",
    )
    if http_client is not None:
        return await exchange(http_client, request)
    async with httpx2.AsyncClient() as http:
        return await exchange(http, request)
