"""Why a call failed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from .types import Problem

Outcome = Literal["not_sent", "unknown"]


class RelayError(Exception):
    """Why a call failed. `retryable` and `outcome` say whether it may be repeated, and whether it reached the world.

    `code` is one of the relay's, or of what may happen before it answers: `connection_failed`, `timeout`, `bad_answer`
    (of a proxy, say), and `key_request_denied`, `key_request_expired`, `key_request_exchanged` of a key request.
    """

    code: str
    detail: str
    status: int
    """The HTTP status; 0 where there was no answer."""
    retryable: bool
    """Whether the same call may be repeated as it is."""
    outcome: Outcome | None
    """For failed commands: `not_sent` never reached the world, `unknown` may have been carried out."""
    request_id: str | None
    """The operation's id, once it had one."""
    trace_id: str | None
    """The id by which the relay's operator finds the request in the log."""
    retry_after: float | None
    """Seconds that the relay asks to wait."""
    problem: Problem | None
    """The whole answer: `errors`, `candidates`, `scope`, `reason`, `lastSeen` and the like."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int = 0,
        retryable: bool = False,
        outcome: Outcome | None = None,
        retry_after: float | None = None,
        problem: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code
        self.detail = detail
        self.status = status
        self.retryable = retryable
        self.outcome = outcome
        self.retry_after = retry_after
        self.problem = cast("Problem | None", problem)
        known = problem or {}
        self.request_id = known.get("requestId")
        self.trace_id = known.get("traceId")
