"""The Python client for programs that call a relay: `Relay`, and `AsyncRelay` for asyncio.

Types of parameters, answers and events are in `tabletop_relay.types`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._contract import VERSION as __version__
from ._errors import RelayError
from ._requests import RelayFile
from ._sync import EventStream, Relay

if TYPE_CHECKING:
    from ._async import AsyncEventStream, AsyncRelay
    from ._async_keys import exchange_key as async_exchange_key
    from ._async_keys import poll_key_request as async_poll_key_request
    from ._async_keys import request_key as async_request_key
    from ._keys import KeyGrant, PendingKeyRequest
    from ._sync_keys import exchange_key, poll_key_request, request_key

__all__ = [
    "AsyncEventStream",
    "AsyncRelay",
    "EventStream",
    "KeyGrant",
    "PendingKeyRequest",
    "Relay",
    "RelayError",
    "RelayFile",
    "__version__",
    "async_exchange_key",
    "async_poll_key_request",
    "async_request_key",
    "exchange_key",
    "poll_key_request",
    "request_key",
]

# Most programs need none of these, and each would slow the start of all.
_LATER = {
    "AsyncEventStream": "_async",
    "AsyncRelay": "_async",
    "KeyGrant": "_keys",
    "PendingKeyRequest": "_keys",
    "async_exchange_key": "_async_keys",
    "async_poll_key_request": "_async_keys",
    "async_request_key": "_async_keys",
    "exchange_key": "_sync_keys",
    "poll_key_request": "_sync_keys",
    "request_key": "_sync_keys",
}


def __getattr__(name: str) -> object:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found: object = getattr(import_module(f"{__name__}.{_LATER[name]}"), name.removeprefix("async_"))
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
