"""State of a stream that outlasts its connections, in both clients."""

from __future__ import annotations

import json
import random

import httpx2

from ._errors import RelayError

MAX_EVENT_BYTES = 17 * 1024 * 1024
"""A frame of a world has at most 16 MiB, and the relay adds a little. What is longer is not the relay's."""
USUAL_RETRY = 3.0
USUAL_SILENT = 40.0
LONGEST_WAIT = 30.0
LONGEST_RETRY_AFTER = 600.0
"""A relay that asks to stay away for longer is not waited for: the month's calls are used up, say."""


class Place:
    """How far a stream has come."""

    __slots__ = ("failures", "last_event_id", "retry")

    def __init__(self, last_event_id: str | None) -> None:
        self.last_event_id = last_event_id
        self.retry = USUAL_RETRY
        # Connections in turn that brought no event.
        self.failures = 0

    def read(self, sent: httpx2.ServerSentEvent) -> dict[str, object] | None:
        """The event of a block; None for one that tells only the place or how long to stay away."""
        if sent.id:
            self.last_event_id = sent.id
        if sent.retry is not None:
            self.retry = sent.retry / 1000
        if not sent.data:
            return None
        self.failures = 0
        try:
            data: object = json.loads(sent.data)
        except (ValueError, RecursionError) as error:
            raise not_ours("an event that is not JSON") from error
        return {"event": sent.event, "id": self.last_event_id, "data": data}

    def wait_after(self, error: RelayError) -> float:
        """Seconds until the next try; raises the error where waiting does not mend it. A world that is offline comes back,
        and a pause is lifted. A key that was revoked does not come back."""
        passing = error.retryable or error.code in ("client_offline", "paused")
        if not passing or (error.retry_after or 0) > LONGEST_RETRY_AFTER:
            raise error
        failures, self.failures = self.failures, self.failures + 1
        if error.retry_after is not None:
            return error.retry_after
        # Spread, because all listeners of an instance lose it at once.
        return min(LONGEST_WAIT, self.retry * 2.0 ** min(failures, 10)) * (0.75 + random.random() / 2)


def not_ours(what: str) -> RelayError:
    """What came is not the relay's."""
    return RelayError("bad_answer", f"The stream has {what}, so it is not the relay’s: is the address right, is a proxy between?")


def broken(error: Exception | None, silent: float) -> RelayError:
    """Why a connection ended that was open."""
    if isinstance(error, httpx2.SSEError):
        return not_ours("an event without an end")
    if isinstance(error, httpx2.ReadTimeout):
        return RelayError("timeout", f"Nothing came for {silent:g} s, not even a sign of life.", retryable=True)
    detail = "The relay ended the stream." if error is None else f"The connection broke ({type(error).__name__})."
    return RelayError("connection_failed", detail, retryable=True)
