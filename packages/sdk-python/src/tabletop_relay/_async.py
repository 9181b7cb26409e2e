"""The client for asyncio. `_sync.py` is made of this file: `pnpm docs:generate`."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from os import urandom
from types import TracebackType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast
from urllib.parse import urlencode

import httpx2

from ._async_operations import AsyncEvents, AsyncOperations
from ._contract import ADDRESSES, CHANNEL_PATHS
from ._errors import RelayError
from ._requests import (
    AGENT,
    USUAL_SECONDS,
    Request,
    Retries,
    build_call,
    checked_address,
    chosen,
    json_bytes,
    not_connected,
    query_of,
    read_answer,
    refuse_unknown,
    refused,
    timed_out,
)
from ._streams import MAX_EVENT_BYTES, USUAL_SILENT, Place, broken

if TYPE_CHECKING:
    from typing import Self

    from . import types

Event = TypeVar("Event")


class AsyncRelay(AsyncOperations):
    """A client of one relay: a method for each operation, `relay.<group>.<operation>(...)`.

    Nothing is sent before the first call. Close it by `with`, or by `aclose()`. Raises `ValueError` where `url` is no address of a
    relay; a call that fails raises `RelayError`.
    """

    events: AsyncEvents
    """Follows what happens in a world: `relay.events.combat()`."""

    def __init__(
        self,
        url: str,
        api_key: str,
        *,
        client_id: str | None = None,
        retries: int = 0,
        timeout: float | None = None,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        """`client_id` is the world to act on where a call names none; without it the relay chooses, if there is just one.
        `retries` says how often to repeat what failed and may safely be repeated: calls that never reached the world, queries, and
        commands, which have an idempotency key then. A relay that does not know such keys is asked first, and its commands are not
        repeated. `Retry-After` is kept to, unless it is above 30 s: then the call fails at once.
        `timeout` is the seconds that one attempt may take; by default the operation's own time and 5 s for the way.
        `http_client` is used as it is, and left open at the end."""
        self._url = checked_address(url)
        self._api_key = api_key
        self._client_id = client_id
        self._retries = retries
        self._timeout = timeout
        self._knows_keys = False
        self._is_own = http_client is None
        self._http = http_client or httpx2.AsyncClient()
        super().__init__(self._call)
        self.events = AsyncEvents(self._follow)

    async def clients(self, *, timeout: float | None = None) -> types.ClientList:
        """Lists the worlds that the key may see, online or not."""
        request = self._plain("GET", ADDRESSES["listClients"], timeout=timeout)
        return cast("types.ClientList", await self._with_retries(request))

    async def stream_ticket(
        self,
        channel: types.Channel,
        filters: Mapping[str, object] | None = None,
        *,
        client_id: str | None = None,
        timeout: float | None = None,
    ) -> types.StreamTicket:
        """Makes an address that follows a channel without a key, once and within a minute: for the EventSource of a page.
        `filters` are those of the channel, by their names on the wire."""
        query = query_of([("clientId", chosen(client_id, self._client_id)), *(filters or {}).items()])
        body = {"path": CHANNEL_PATHS[channel], "query": query}
        request = self._plain("POST", ADDRESSES["createStreamTicket"], body=body, timeout=timeout)
        return cast("types.StreamTicket", await self._with_retries(request))

    async def aclose(self) -> None:
        """Closes the connections of this client."""
        if self._is_own:
            await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _call(
        self,
        method: str,
        path: str,
        given: Mapping[str, Any],
        options: Mapping[str, Any],
        *,
        in_query: tuple[str, ...] = (),
        in_body: tuple[str, ...] = (),
        raw_body: str | None = None,
        seconds: float = USUAL_SECONDS,
        is_query: bool = False,
        is_file: bool = False,
    ) -> Any:
        request = build_call(
            self._url,
            self._api_key,
            method,
            path,
            given,
            options,
            client_id=self._client_id,
            timeout=self._timeout,
            own_key=urandom(16).hex() if self._retries > 0 else None,
            in_query=in_query,
            in_body=in_body,
            raw_body=raw_body,
            seconds=seconds,
            is_query=is_query,
            is_file=is_file,
        )
        return await self._with_retries(request)

    def _plain(self, method: str, path: str, *, body: object = None, timeout: float | None = None) -> Request:
        """A request that asks no world."""
        own = timeout if timeout is not None else self._timeout
        headers = {"user-agent": AGENT, "x-api-key": self._api_key, "accept": "application/json"}
        if body is not None:
            headers["content-type"] = "application/json"
        return Request(
            method=method,
            url=self._url + path,
            headers=headers,
            body=None if body is None else json_bytes(body),
            seconds=USUAL_SECONDS if own is None else own,
            repeatable=True,
        )

    async def _with_retries(self, request: Request) -> Any:
        retries = Retries(self._retries, request)
        while True:
            try:
                if retries.unknown is not None and not await self._honours_keys():
                    raise retries.unknown
                return await exchange(self._http, request)
            except RelayError as error:
                wait = retries.after(error)
            await sleep(wait)

    async def _honours_keys(self) -> bool:
        """Whether the relay carries out one command under an idempotency key, which it is asked until it has said so: an older one
        would carry out each repeat. Raises while that cannot be told and the question may be repeated."""
        if not self._knows_keys:
            headers = {"user-agent": AGENT, "accept": "application/json"}
            seconds = USUAL_SECONDS if self._timeout is None else self._timeout
            url = self._url + ADDRESSES["getStatus"]
            status = Request(method="GET", url=url, headers=headers, seconds=seconds, repeatable=True)
            try:
                answer = await exchange(self._http, status)
                self._knows_keys = isinstance(answer.get("idempotencyKeptMs"), int)
            except RelayError as error:
                if error.retryable:
                    raise
        return self._knows_keys

    def _follow(
        self,
        path: str,
        filters: Iterable[tuple[str, object]],
        options: Mapping[str, Any],
    ) -> AsyncEventStream[Any]:
        refuse_unknown(options, ("client_id", "last_event_id", "on_interrupted", "silent"))
        query = query_of([("clientId", chosen(options.get("client_id"), self._client_id)), *filters])
        url = self._url + path + (f"?{urlencode(query)}" if query else "")
        events = _follow(
            self._http,
            url,
            self._api_key,
            self._retries,
            Place(options.get("last_event_id")),
            options.get("on_interrupted"),
            options.get("silent", USUAL_SILENT),
        )
        return AsyncEventStream(events)


class AsyncEventStream(Generic[Event]):
    """The events of one stream, opened when the first is asked for. It comes back by itself after an interruption and says by
    `connected` and `gap` whether something is missing. A failure that waiting does not mend is raised as `RelayError`.
    The stream ends with its loop's `break`, with `with`, or with `aclose()`."""

    def __init__(self, events: AsyncIterator[Any]) -> None:
        self._events = cast("Any", events)

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Event:
        return cast("Event", await self._events.__anext__())

    async def aclose(self) -> None:
        """Ends the stream."""
        await self._events.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()


async def _follow(
    http: httpx2.AsyncClient,
    url: str,
    api_key: str,
    retries: int,
    place: Place,
    on_interrupted: Callable[[RelayError, float], object] | None,
    silent: float,
) -> AsyncIterator[Any]:
    """Follows one stream over any number of connections: each continues after the last event."""
    opening: Retries | None = None
    was_open = False
    while True:
        headers = {"user-agent": AGENT, "x-api-key": api_key, "accept": "text/event-stream"}
        if place.last_event_id is not None:
            headers["last-event-id"] = place.last_event_id
        request = Request(method="GET", url=url, headers=headers, seconds=silent, repeatable=True)
        opening = opening or Retries(retries, request)
        is_open = False
        try:
            async with http.stream("GET", url, headers=headers, timeout=silent, follow_redirects=False) as response:
                is_stream = response.headers.get("content-type", "").startswith("text/event-stream")
                if not (response.is_success and is_stream):
                    raise refused(request, response, b"" if response.is_success else await response.aread())
                is_open = was_open = True
                async for sent in httpx2.EventSource(response, MAX_EVENT_BYTES):
                    event = place.read(sent)
                    if event is not None:
                        yield event
            error = broken(None, silent)
        except RelayError as failure:
            error = failure
        except httpx2.RequestError as failure:
            error = broken(failure, silent) if is_open else not_connected(request, failure)
        if was_open:
            wait = place.wait_after(error)
            if on_interrupted:
                on_interrupted(error, wait)
        else:
            wait = opening.after(error)
        await sleep(wait)


async def exchange(http: httpx2.AsyncClient, request: Request) -> Any:
    """One HTTP exchange: what the body of a success holds, or a `RelayError`. Redirects are refused: they would carry the key to
    another host."""
    deadline = time.monotonic() + request.seconds
    try:
        async with http.stream(
            request.method,
            request.url,
            headers=request.headers,
            content=request.body,
            timeout=request.seconds,
            follow_redirects=False,
        ) as response:
            body = bytearray()
            async for piece in response.aiter_bytes():
                body += piece
                if time.monotonic() > deadline:
                    raise timed_out(request)
    except httpx2.RequestError as error:
        raise not_connected(request, error) from error
    return read_answer(request, response, bytes(body))


async def sleep(seconds: float) -> None:
    # Whoever waits here has loaded it; a program that does not wait need not.
    import asyncio

    await asyncio.sleep(seconds)
