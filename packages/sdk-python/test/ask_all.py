"""Makes each call of a list by both clients, and writes what they answer. The argument: address, key, world and calls, as JSON."""

from __future__ import annotations

import asyncio
import base64
import json
import sys
from typing import Any

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


given = json.loads(sys.argv[1])
json.dump({"sync": ask(given), "async": asyncio.run(ask_async(given))}, sys.stdout)
