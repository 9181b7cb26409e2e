"""Follows the rolls by one of the clients, and writes each event as a line. Arguments: sync or async, address, key, world."""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from tabletop_relay import AsyncRelay, Relay, RelayError


def tell(event: Any) -> bool:
    print(json.dumps(event), flush=True)
    return bool(event["event"] == "roll" and event["data"]["flavor"] == "the last")


def interrupted(error: RelayError, wait: float) -> None:
    print(json.dumps({"event": "interrupted", "code": error.code, "wait": wait}), flush=True)


def follow(url: str, key: str, world: str) -> None:
    with Relay(url, key, client_id=world, retries=5) as relay:
        for event in relay.events.rolls(on_interrupted=interrupted):
            if tell(event):
                break


async def follow_async(url: str, key: str, world: str) -> None:
    async with AsyncRelay(url, key, client_id=world, retries=5) as relay:
        async for event in relay.events.rolls(on_interrupted=interrupted):
            if tell(event):
                break


kind, *rest = sys.argv[1:]
if kind == "sync":
    follow(*rest)
else:
    asyncio.run(follow_async(*rest))
