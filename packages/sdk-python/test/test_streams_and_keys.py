"""Streams and key flows, by both clients."""

from __future__ import annotations

import base64
import hashlib
import unittest
from typing import Any

import httpx2
from both import answer, by_both, event, keys_by_both, problem, stream, take

from tabletop_relay import KeyGrant, Relay

CONNECTED = event("connected", {"clientId": "demo", "channel": "combat", "recovered": True}, "g:0")


def turns(*rounds: int) -> bytes:
    return b"".join(event("combat-turn", {"round": number}, f"g:{number}") for number in rounds)


def fights(count: int, **options: Any) -> Any:
    def use(relay: Any) -> Any:
        return take(relay.events.combat(**options), count)

    return use


def rounds(events: Any) -> list[int]:
    return [one["data"]["round"] for one in events if "round" in one["data"]]


class Streams(unittest.TestCase):
    def test_ask_by_path_filters_and_key(self) -> None:
        def use(relay: Any) -> Any:
            return take(relay.events.hooks(hooks=["updateActor", "b"], client_id="other", last_event_id="g:7"), 1)

        for found, server, _ in by_both(use, lambda: stream(CONNECTED)):
            self.assertEqual(found[0]["event"], "connected")
            asked = server.seen[0]
            self.assertEqual((asked.method, asked.url.path), ("GET", "/hooks/subscribe"))
            self.assertEqual(server.queries(), [{"clientId": "other", "hooks": "updateActor,b"}])
            told = {name: asked.headers[name] for name in ("accept", "last-event-id", "x-api-key")}
            self.assertEqual(told, {"accept": "text/event-stream", "last-event-id": "g:7", "x-api-key": "trk_key"})
        for _, server, _ in by_both(lambda relay: take(relay.events.chat(whisper_only=True), 1), lambda: stream(CONNECTED)):
            self.assertEqual(server.queries(), [{"clientId": "demo", "whisperOnly": "true"}])

    def test_may_be_cut_anywhere_between_the_bytes_of_a_character_too(self) -> None:
        text = 'event: combat-turn\r\ndata: {"note": "Bjørn ⚔"}\r\n\r\n'.encode()
        pieces = [CONNECTED, *(bytes([byte]) for byte in text)]
        for found, _, _ in by_both(fights(2), lambda: stream(*pieces)):
            self.assertEqual(found[1], {"event": "combat-turn", "id": "g:0", "data": {"note": "Bjørn ⚔"}})

    def test_continue_after_their_last_event_however_they_broke(self) -> None:
        half = b'id: g:3\nevent: combat-turn\ndata: {"rou'
        for breaks in ((half, httpx2.ReadError("reset")), (half,), (httpx2.ReadTimeout("silent"),), ()):
            first = lambda breaks=breaks: stream(b"retry: 1\n\n", CONNECTED, turns(1, 2), *breaks)
            for found, server, told in by_both(fights(4), first, lambda: stream(turns(3))):
                self.assertEqual(rounds(found), [1, 2, 3])
                self.assertEqual([one.headers.get("last-event-id") for one in server.seen], [None, "g:2"])
                self.assertTrue(0.00075 <= told[0] <= 0.00125)

    def test_continue_at_the_place_that_a_sign_of_life_told(self) -> None:
        first = lambda: stream(CONNECTED, turns(1), b": alive\nid: g:9\n\n")
        for found, server, _ in by_both(fights(3), first, lambda: stream(turns(10))):
            self.assertEqual(rounds(found), [1, 10])
            self.assertEqual(server.seen[1].headers["last-event-id"], "g:9")

    def test_come_back_from_what_waiting_mends_and_tell_it(self) -> None:
        cases: list[tuple[Any, str]] = [
            (lambda: problem("rate_limited", 429, {"retry-after": "0"}, retryable=True), "rate_limited"),
            (lambda: problem("client_offline", 404), "client_offline"),
            (lambda: problem("paused", 403), "paused"),
            (httpx2.ConnectError("refused"), "connection_failed"),
            (lambda: answer(b"<h1>Bad gateway</h1>", 502), "bad_answer"),
        ]
        for refused, code in cases:
            told: list[str] = []

            def note(error: Any, _: float, told: list[str] = told) -> None:
                told.append(error.code)

            first = lambda: stream(CONNECTED, turns(1))
            for found, _, _ in by_both(fights(3, on_interrupted=note), first, refused, refused, lambda: stream(turns(2))):
                self.assertEqual(rounds(found), [1, 2])
            self.assertEqual(told, ["connection_failed", code, code] * 2)

    def test_wait_longer_each_time_in_vain_and_no_longer_than_half_a_minute(self) -> None:
        first = lambda: stream(b"retry: 8\n\n", CONNECTED)
        vain = [httpx2.ConnectError("refused")] * 40
        for _, _, told in by_both(fights(2), first, *vain, lambda: stream(turns(1))):
            for turn, wait in enumerate(told):
                usual = min(30, 0.008 * 2 ** min(turn, 10))
                self.assertTrue(0.75 * usual <= wait <= 1.25 * usual, (turn, wait))

    def test_fail_for_good_at_what_waiting_does_not_mend(self) -> None:
        for code, status in (("key_invalid", 401), ("scope_missing", 403), ("client_not_found", 404)):
            refused = lambda code=code, status=status: problem(code, status)
            for error, server, _ in by_both(fights(9), lambda: stream(CONNECTED, turns(1)), refused):
                self.assertEqual((error.code, len(server.seen)), (code, 2))
        month = lambda: problem("monthly_limit_reached", 429, {"retry-after": "86400"}, retryable=True)
        for error, server, _ in by_both(fights(9), lambda: stream(CONNECTED), month):
            self.assertEqual((error.code, len(server.seen)), ("monthly_limit_reached", 2))

    def test_that_never_opened_are_tried_as_often_as_retries_say(self) -> None:
        for error, server, _ in by_both(fights(1), httpx2.ConnectError("refused")):
            self.assertEqual((error.code, len(server.seen)), ("connection_failed", 1))
        for found, server, _ in by_both(fights(1), httpx2.ConnectError("refused"), lambda: stream(CONNECTED), retries=1):
            self.assertEqual((found[0]["event"], len(server.seen)), ("connected", 2))

    def test_that_are_not_the_relays_are_told_as_such(self) -> None:
        not_json = lambda: stream(b"event: a\ndata: {\n\n")
        endless = lambda: stream(*[b"data: " + b"x" * 1_000_000 + b"\n"] * 20)
        page = lambda: answer(b"<html>")
        for other in (not_json, endless, page):
            for error, server, _ in by_both(fights(1), other, retries=2):
                self.assertEqual((error.code, len(server.seen)), ("bad_answer", 1))

    def test_close_their_connection_with_the_loop(self) -> None:
        made: list[Any] = []

        def first() -> httpx2.Response:
            one = stream(CONNECTED, turns(1))
            made.append(one)
            return one

        by_both(fights(1), first)
        self.assertEqual([one.is_closed for one in made], [True, True])

        http = httpx2.Client(transport=httpx2.MockTransport(lambda _: first()))
        for _ in Relay("http://a", "k", http_client=http).events.rolls():
            break
        self.assertTrue(made[-1].is_closed)


CREATED = {"code": "C0DE", "approvalUrl": "https://relay.example/approve/C0DE", "expiresIn": 600, "expiresAt": "x"}
GRANT: dict[str, Any] = {
    "apiKey": "trk_new",
    "scopes": ["roll:execute"],
    "clientIds": ["world"],
    "actingUserIds": {"world": "cleo"},
    "actingUserId": "cleo",
}
KEY = KeyGrant("trk_new", ["roll:execute"], ["world"], {"world": "cleo"}, "cleo")


def pending() -> httpx2.Response:
    return answer({"status": "pending"})


def approved() -> httpx2.Response:
    return answer({"status": "approved", **GRANT})


class KeyFlows(unittest.TestCase):
    def test_a_request_brings_the_challenge_of_a_verifier_that_stays_here(self) -> None:
        verifiers: set[str] = set()
        wish = {"app_name": "Dice bot", "scopes": ("roll:execute",), "suggested_monthly_limit": 9, "client_ids": {"w"}}
        for found, server, _ in keys_by_both("request_key", lambda: answer(CREATED), **wish):
            digest = hashlib.sha256(found.verifier.encode()).digest()
            challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
            self.assertEqual(
                server.bodies(),
                [
                    {
                        "appName": "Dice bot",
                        "scopes": ["roll:execute"],
                        "suggestedMonthlyLimit": 9,
                        "clientIds": ["w"],
                        "pollChallenge": challenge,
                    }
                ],
            )
            self.assertEqual((found.code, found.approval_url, found.expires_in), ("C0DE", CREATED["approvalUrl"], 600))
            self.assertNotIn("C0DE", repr(found) + str(server.seen[0].headers))
            verifiers.add(found.verifier)
        self.assertEqual(len(verifiers), 2)

    def test_a_poll_goes_on_until_the_key_comes_and_through_temporary_trouble(self) -> None:
        trouble = lambda: problem("unavailable", 503, {"retry-after": "5"}, retryable=True)
        for found, server, told in keys_by_both(
            "poll_key_request", pending, trouble, httpx2.ReadError("reset"), approved, code="C0DE", verifier="secret"
        ):
            self.assertEqual(found, KEY)
            self.assertNotIn("trk_new", repr(found))
            self.assertEqual(told, [3.0, 5.0, 3.0])
            asked = {(one.url.path, one.headers["x-poll-verifier"]) for one in server.seen}
            self.assertEqual(asked, {("/auth/key-request/C0DE/status", "secret")})
            self.assertNotIn("x-api-key", server.seen[0].headers)

    def test_a_poll_ends_at_what_will_not_mend(self) -> None:
        for status in ("denied", "expired", "exchanged"):
            ending = lambda status=status: answer({"status": status})
            for error, _, _ in keys_by_both("poll_key_request", pending, ending, code="C0DE"):
                self.assertEqual(error.code, f"key_request_{status}")
        kept_back = lambda: answer({"status": "approved"})
        for error, _, _ in keys_by_both("poll_key_request", kept_back, code="C0DE"):
            self.assertEqual(error.code, "forbidden")
        for error, server, _ in keys_by_both("poll_key_request", lambda: problem("not_found", 404), code="C0DE"):
            self.assertEqual((error.code, len(server.seen)), ("not_found", 1))

    def test_an_exchange_code_becomes_a_key_and_is_not_sent_twice(self) -> None:
        for found, server, _ in keys_by_both("exchange_key", lambda: answer(GRANT), code="X", verifier="secret"):
            self.assertEqual((found, server.bodies()), (KEY, [{"code": "X"}]))
            self.assertEqual(server.seen[0].headers["x-poll-verifier"], "secret")
        for error, server, _ in keys_by_both("exchange_key", httpx2.ReadError("reset"), code="X"):
            self.assertEqual((error.outcome, len(server.seen)), ("unknown", 1))


if __name__ == "__main__":
    unittest.main()
