"""Makes each call of a list by both clients, and writes what they answer. The argument: address, key, world, calls and programs, as JSON."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from contextlib import redirect_stdout
from functools import partial
from io import StringIO
from typing import Any
from unittest import mock

import httpx2

from tabletop_relay import AsyncRelay, Relay, RelayFile


def shown(answer: Any) -> Any:
    if isinstance(answer, RelayFile):
        return {"base64": base64.b64encode(answer.bytes).decode(), "type": answer.type, "name": answer.name}
    return answer


def method_of(relay: Any, call: dict[str, Any]) -> Any:
    group, name = call["method"].split(".")
    return getattr(getattr(relay, group), name)


def ask(given: dict[str, Any]) -> list[Any]:
    with Relay(given["url"], given["key"], client_id=given["world"]) as relay:
        return [shown(method_of(relay, call)(**call["arguments"])) for call in given["calls"]]


async def ask_async(given: dict[str, Any]) -> list[Any]:
    async with AsyncRelay(given["url"], given["key"], client_id=given["world"]) as relay:
        return [shown(await method_of(relay, call)(**call["arguments"])) for call in given["calls"]]


def ask_by_pages(given: dict[str, Any]) -> list[Any]:
    """What the programs of Try it answer, all over one connection: a context for TLS takes long to make."""
    with httpx2.Client() as http, mock.patch("tabletop_relay.Relay", partial(Relay, http_client=http)):
        return [shown(ran(program)) for program in given["programs"]]


def ran(program: str) -> Any:
    names: dict[str, Any] = {}
    with redirect_stdout(StringIO()):
        exec(program, names)  # noqa: S102 -- Programs of ours.
    return names.get("answer", names.get("file"))


given = json.loads(sys.argv[1])
answers = {"sync": ask(given), "async": asyncio.run(ask_async(given)), "page": ask_by_pages(given)}
json.dump(answers, sys.stdout)
