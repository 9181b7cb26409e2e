"""Requests and answers of both clients. Nothing is sent from here."""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar, cast
from urllib.parse import quote, unquote, urlencode, urlsplit

import httpx2

from ._contract import VERSION
from ._errors import Outcome, RelayError

USUAL_SECONDS = 10.0
"""How long the relay waits for a world, and answers by itself, where nothing else is said."""
WAY_SECONDS = 5.0
"""Above what the relay gives the world: its own answer, with the reason, comes first."""
LONGEST_WAIT = 30.0
_Value = TypeVar("_Value")
AGENT = f"tabletop-relay-python/{VERSION}"


@dataclass(frozen=True)
class RelayFile:
    """A file that a world answered."""

    bytes: bytes
    type: str
    """The content type, for example `image/png`; what browsers could run comes as `application/octet-stream`."""
    name: str | None
    """As the world named it; None where it gave no name."""


@dataclass(frozen=True)
class Request:
    """One request, ready to be sent."""

    method: str
    url: str
    headers: dict[str, str] = field(repr=False)
    seconds: float
    """For the whole answer, body included."""
    body: bytes | None = field(default=None, repr=False)
    repeatable: bool = False
    """True if a request with an unknown outcome may be repeated without a key."""
    is_keyed: bool = False
    """It is a command with an idempotency key."""
    is_file: bool = False


def checked_address(url: str) -> str:
    """The address without slashes at its end. Raises `ValueError` for what is no address of a relay."""
    try:
        parts = urlsplit(url)
        is_address = (
            parts.scheme in ("http", "https")
            and bool(parts.hostname)
            and parts.port != 0
            and not (parts.query or parts.fragment or parts.username or parts.password)
        )
    except ValueError:
        is_address = False
    if not is_address:
        raise ValueError(
            f"{url!r} is no address of a relay: it begins with https:// or http:// and has no query, such as https://relay.example"
        )
    return url.rstrip("/")


def build_call(
    address: str,
    api_key: str,
    method: str,
    path: str,
    given: Mapping[str, Any],
    options: Mapping[str, Any],
    *,
    client_id: str | None,
    timeout: float | None,
    own_key: str | None,
    in_query: tuple[str, ...],
    in_body: tuple[str, ...],
    raw_body: str | None,
    seconds: float,
    is_query: bool,
    is_file: bool,
) -> Request:
    """The request of an operation. Parameters go into the body where they may, but those of a DELETE and those beside a
    raw body go into the query: some proxies drop the body of a DELETE. What is None is left out."""
    refuse_unknown(options, ("client_id", "user_id", "timeout", "idempotency_key"))
    fields = {name: value for name, value in given.items() if value is not None}
    if (user := options.get("user_id")) is not None:
        fields["userId"] = user
    raw = fields.get(raw_body) if raw_body else None
    content = bytes(raw) if isinstance(raw, bytes | bytearray) else None
    if content is not None and raw_body:
        del fields[raw_body]
    query_is_usual = method in ("GET", "DELETE") or content is not None
    world = chosen(options.get("client_id"), client_id)
    query: dict[str, str] = {} if world is None else {"clientId": world}
    body: dict[str, Any] = {}
    path = re.sub(r":(\w+)", lambda part: path_part(part[1], fields.pop(part[1], "")), path)
    for name, value in fields.items():
        if name in in_query or (query_is_usual and name not in in_body):
            query[name] = url_text(value)
        else:
            body[name] = value
    headers = {"x-api-key": api_key, "accept": "application/json"}
    if is_file:
        # Some operations answer a picture only to who names that type.
        headers["accept"] = "image/*, */*"
    repeatable = method == "GET" or is_query
    key = None if repeatable else chosen(options.get("idempotency_key"), own_key)
    if key is not None:
        headers["idempotency-key"] = key
    if content is not None:
        headers["content-type"] = "application/octet-stream"
    elif body if method == "DELETE" else method != "GET":
        headers["content-type"] = "application/json"
        content = json_bytes(body)
    own: float | None = chosen(options.get("timeout"), timeout)
    return Request(
        method=method,
        url=address + path + (f"?{urlencode(query)}" if query else ""),
        headers={"user-agent": AGENT, **headers},
        body=content,
        seconds=seconds + WAY_SECONDS if own is None else own,
        repeatable=repeatable,
        is_keyed=key is not None,
        is_file=is_file,
    )


def refuse_unknown(options: Mapping[str, Any], known: tuple[str, ...]) -> None:
    """A misspelt argument may not pass for one that was left out."""
    unknown = sorted(options.keys() - set(known))
    if unknown:
        raise TypeError(f"unexpected argument {', '.join(unknown)}")


def chosen(own: _Value, usual: _Value) -> _Value:
    """What was given here, else what was given before. An empty text is given."""
    return usual if own is None else own


def json_bytes(value: object) -> bytes:
    """JSON has no word for NaN and infinity: `ValueError`."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def url_text(value: object) -> str:
    """A value as it stands in a path or a query string: text as it is, anything else as JSON."""
    return value if isinstance(value, str) else json_bytes(value).decode()


def path_part(name: str, value: object) -> str:
    """One part of a path. URL parsers take `.` and `..` for steps, encoded or not."""
    text = url_text(value)
    if text in ("", ".", ".."):
        raise ValueError(f"{name} stands in the path and cannot be {text!r}")
    return quote(text, safe="")


def read_answer(request: Request, response: httpx2.Response, body: bytes) -> Any:
    """What the body of a success holds; raises `RelayError` for any other answer."""
    if response.is_success:
        if request.is_file:
            disposition = response.headers.get("content-disposition")
            # The relay names every file; what has no name is not the relay's.
            if disposition is not None:
                kind = response.headers.get("content-type", "application/octet-stream")
                return RelayFile(bytes=body, type=kind, name=_name_in(disposition))
        elif (answer := _object_in(body)) is not None:
            return answer
    raise refused(request, response, body)


def refused(request: Request, response: httpx2.Response, body: bytes) -> RelayError:
    """The failure that an answer tells."""
    problem = _object_in(body) or {}
    code, detail = problem.get("code"), problem.get("detail")
    status = response.status_code
    retry_after = _seconds_in(response.headers.get("retry-after"))
    if response.is_success or not isinstance(code, str) or not isinstance(detail, str):
        return RelayError(
            "bad_answer",
            f"Status {status} with a body that is not the relay’s: is the address right, is a proxy between?",
            status=status,
            retryable=status >= 500 and request.repeatable,
            outcome="unknown",
            retry_after=retry_after,
        )
    return RelayError(
        code,
        detail,
        status=status,
        retryable=problem.get("retryable") is True,
        outcome=cast("Outcome | None", problem.get("outcome")),
        retry_after=retry_after,
        problem=problem,
    )


def timed_out(request: Request) -> RelayError:
    """No answer in time."""
    return RelayError(
        "timeout",
        f"No answer within {request.seconds:g} s.",
        outcome="unknown",
        retryable=request.repeatable,
    )


_NEVER_SENT = (
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.LocalProtocolError,
    httpx2.UnsupportedProtocol,
)


def not_connected(request: Request, error: httpx2.RequestError) -> RelayError:
    """No connection, or one that broke."""
    if isinstance(error, httpx2.TimeoutException) and not isinstance(error, _NEVER_SENT):
        return timed_out(request)
    not_sent = isinstance(error, _NEVER_SENT)
    why = str(error) or type(error).__name__
    return RelayError(
        "connection_failed",
        f"The connection to {urlsplit(request.url).netloc} failed ({why}).",
        outcome="not_sent" if not_sent else "unknown",
        retryable=not_sent or request.repeatable,
    )


class Retries:
    """Which failures of one call are repeated: those that may be repeated as they are. A command that may have reached the world is
    repeated with its key alone, until the relay tells what became of it or that nobody knows."""

    def __init__(self, retries: int, request: Request) -> None:
        self._left = retries
        self._failures = 0
        self._request = request
        self._started = time.monotonic()
        self.unknown: RelayError | None = None
        """Why it is not known whether the command was carried out."""

    def after(self, error: RelayError) -> float:
        """Seconds to wait before the next attempt; raises what the caller is told where there is none."""
        if error is self.unknown:
            raise error
        is_open = self._request.is_keyed and error.outcome == "unknown" and error.code != "outcome_unknown"
        if is_open and self.unknown is None:
            self.unknown = error
        is_running = (
            error.code == "idempotency_running"
            and self._request.is_keyed
            and time.monotonic() - self._started < self._request.seconds
        )
        wait = wait_after(error, self._failures)
        is_last = self._left <= 0 and not is_running
        if is_last or not (error.retryable or is_open) or wait > LONGEST_WAIT:
            # A repeat that was not sent says nothing of the command before it.
            if self.unknown is not None and (error.retryable or error.outcome == "not_sent"):
                raise self.unknown
            raise error
        if not is_running:
            self._left -= 1
            self._failures += 1
        return wait


def wait_after(error: RelayError, failures: int) -> float:
    """Seconds until a request may be sent again: what the relay says, or by chance within twice the time before."""
    if error.retry_after is not None:
        return error.retry_after
    return random.random() * min(LONGEST_WAIT, 0.25 * 2.0 ** min(failures, 10))


def _object_in(body: bytes) -> dict[str, Any] | None:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def _name_in(disposition: str) -> str | None:
    """The name as the relay writes it: percent-encoded UTF-8, or plain where it is ASCII."""
    if encoded := re.search(r"filename\*=UTF-8''([^;]+)", disposition):
        return unquote(encoded[1])
    plain = re.search(r'filename="([^"]*)"', disposition)
    return plain[1] if plain else None


def _seconds_in(header: str | None) -> float | None:
    """Seconds or a date, as HTTP has it."""
    if header is None:
        return None
    if re.fullmatch(r"[0-9]{1,9}", header):
        return float(header)
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def query_of(given: Iterable[tuple[str, object]]) -> dict[str, str]:
    """Filters of a stream as its query has them: the texts of a list have commas between them."""
    return {name: _filter_text(value) for name, value in given if value is not None}


def _filter_text(value: object) -> str:
    if isinstance(value, list | tuple):
        return ",".join(map(str, cast("Iterable[object]", value)))
    return url_text(value)
