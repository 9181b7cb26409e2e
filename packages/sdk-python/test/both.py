"""Runs one test by both clients, each of which is given what a relay answers."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import AsyncIterator, Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any
from unittest import mock

import httpx2

import tabletop_relay
from tabletop_relay import AsyncRelay, Relay, RelayError

Answer = httpx2.Response | Exception


def answer(body: Any = None, status: int = 200, headers: dict[str, str] | None = None) -> httpx2.Response:
    content = body if isinstance(body, bytes) else json.dumps({} if body is None else body).encode()
    return httpx2.Response(status, content=content, headers=headers)


def problem(code: str, status: int, headers: dict[str, str] | None = None, **fields: Any) -> httpx2.Response:
    known = {"code": code, "status": status, "detail": "Why.", "retryable": False, "traceId": "t1", **fields}
    return answer(known, status, headers)


class Told(httpx2.SyncByteStream, httpx2.AsyncByteStream):
    """The pieces of a stream that an instance sends before its end, or before what breaks it."""

    def __init__(self, *pieces: bytes | Exception) -> None:
        self.pieces = pieces
        self.is_closed = False

    def __iter__(self) -> Iterator[bytes]:
        for piece in self.pieces:
            if isinstance(piece, Exception):
                raise piece
            yield piece

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self:
            yield piece

    def close(self) -> None:
        self.is_closed = True

    async def aclose(self) -> None:
        self.is_closed = True


def stream(*pieces: bytes | Exception) -> httpx2.Response:
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, stream=Told(*pieces))


def event(name: str, data: Any, place: str | None = None) -> bytes:
    head = f"id: {place}\n" if place else ""
    return f"{head}event: {name}\ndata: {json.dumps(data)}\n\n".encode()


class Server:
    """Gives these answers in turn, the last one for ever."""

    def __init__(self, *answers: Answer | Callable[[], Answer]) -> None:
        self.answers = answers or (answer,)
        self.seen: list[httpx2.Request] = []

    def __call__(self, request: httpx2.Request) -> httpx2.Response:
        found = self.answers[min(len(self.seen), len(self.answers) - 1)]
        self.seen.append(request)
        given = found() if callable(found) else found
        if isinstance(given, Exception):
            raise given
        return given

    def bodies(self) -> list[Any]:
        return [json.loads(request.content) if request.content else None for request in self.seen]

    def queries(self) -> list[dict[str, str]]:
        return [dict(request.url.params) for request in self.seen]


async def settled(value: Any) -> Any:
    return await value if inspect.isawaitable(value) else value


def waits() -> Any:
    """The seconds that clients wait, without the wait."""
    told: list[float] = []

    @contextmanager
    def patched() -> Generator[list[float]]:
        async def asleep(seconds: float) -> None:
            told.append(seconds)

        with (
            mock.patch("tabletop_relay._sync.sleep", told.append),
            mock.patch("tabletop_relay._async.sleep", asleep),
            mock.patch("tabletop_relay._sync_keys.sleep", told.append),
            mock.patch("tabletop_relay._async_keys.sleep", asleep),
        ):
            yield told

    return patched()


Use = Callable[[Any], Any]


def by_both(use: Use, *answers: Callable[[], Answer] | Answer, **options: Any) -> list[tuple[Any, Server, list[float]]]:
    """What `use` makes of a client, or the failure that it meets, by the client that waits and by the one that does not."""
    results: list[tuple[Any, Server, list[float]]] = []
    for kind in (Relay, AsyncRelay):
        server = Server(*answers)
        transport = httpx2.MockTransport(server)
        http: Any = httpx2.Client(transport=transport) if kind is Relay else httpx2.AsyncClient(transport=transport)
        relay = kind("https://relay.example", "trk_key", client_id="demo", http_client=http, **options)
        with waits() as told:
            try:
                found = asyncio.run(settled(use(relay)))
            except RelayError as error:
                found = error
        results.append((found, server, told))
    return results


def keys_by_both(name: str, *answers: Callable[[], Answer] | Answer, **given: Any) -> list[tuple[Any, Server, list[float]]]:
    """The same of a function of the key flows."""
    results: list[tuple[Any, Server, list[float]]] = []
    for prefix, client in (("", httpx2.Client), ("async_", httpx2.AsyncClient)):
        server = Server(*answers)
        ask = getattr(tabletop_relay, prefix + name)
        http: Any = client(transport=httpx2.MockTransport(server))
        with waits() as told:
            try:
                found = asyncio.run(settled(ask("https://relay.example", http_client=http, **given)))
            except RelayError as error:
                found = error
        results.append((found, server, told))
    return results


async def take(events: Any, count: int) -> list[Any]:
    """The first events of a stream of either client."""
    taken: list[Any] = []
    if hasattr(events, "__anext__"):
        async for one in events:
            taken.append(one)
            if len(taken) == count:
                break
        await events.aclose()
    else:
        for one in events:
            taken.append(one)
            if len(taken) == count:
                break
        events.close()
    return taken
