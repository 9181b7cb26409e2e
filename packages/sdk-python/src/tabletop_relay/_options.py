"""Options that a call takes beside its parameters. Type checkers alone read this module."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypedDict

from ._errors import RelayError


class CallOptions(TypedDict, total=False):
    """Options of every call."""

    client_id: str | None
    """The world to act on, instead of the one given to the client."""
    user_id: str | None
    """Tabletop user id or name to act as; without it the call has GM-level access."""
    timeout: float | None
    """Seconds for one attempt; by default the operation's own time and 5 s for the way."""


class CommandOptions(CallOptions, total=False):
    """Options of a call that changes the world."""

    idempotency_key: str | None
    """A text of yours that is new for each command, such as a UUID. Under it the relay (0.2.0 and later) carries out one command
    within an hour, and answers a repeat with what the first one was answered. With `retries` a command has one by itself; give
    one to repeat it later, or from another process."""


class StreamOptions(TypedDict, total=False):
    """Options of every stream."""

    client_id: str | None
    """The world to follow, instead of the one given to the client."""
    last_event_id: str | None
    """The `id` of the last event that was handled, by an earlier stream or an earlier run of the program."""
    on_interrupted: Callable[[RelayError, float], object] | None
    """Called when the connection is lost, with the seconds until the next try."""
    silent: float
    """After so many seconds without a sign of life the connection is given up; 40 by default, because the relay gives one every 15."""
