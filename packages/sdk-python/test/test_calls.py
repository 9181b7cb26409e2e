"""Calls, failures and retries, by both clients."""

from __future__ import annotations

import time
import unittest
from typing import Any

import httpx2
from both import Server, answer, by_both, problem, settled

import tabletop_relay
from tabletop_relay import Relay, RelayError, RelayFile


def check(relay: Any, **options: Any) -> Any:
    return relay.sys5e.skill_check(actor_uuid="Actor.mira", skill="prc", **options)


def soon() -> httpx2.Response:
    return problem("overloaded", 503, {"retry-after": "0"}, retryable=True, outcome="not_sent")


def honours() -> httpx2.Response:
    return answer({"idempotencyKeptMs": 3_600_000})


def done() -> httpx2.Response:
    return answer({"ok": 1})


def key_of(request: httpx2.Request) -> str | None:
    return request.headers.get("idempotency-key")


def keys_of(server: Server) -> list[str | None]:
    return [key_of(one) for one in server.seen if one.url.path != "/api/status"]


class Requests(unittest.TestCase):
    def test_a_command_is_json_and_names_its_world(self) -> None:
        for found, server, _ in by_both(check, lambda: answer({"type": "skill-check-result", "more": 1})):
            self.assertEqual(found, {"type": "skill-check-result", "more": 1})
            self.assertEqual(server.queries(), [{"clientId": "demo"}])
            self.assertEqual(server.bodies(), [{"actorUuid": "Actor.mira", "skill": "prc"}])
            headers = server.seen[0].headers
            self.assertEqual(headers["x-api-key"], "trk_key")
            self.assertNotIn("idempotency-key", headers)
            self.assertRegex(headers["user-agent"], r"^tabletop-relay-python/\d")

    def test_options_name_another_world_a_user_and_a_key(self) -> None:
        def use(relay: Any) -> Any:
            return check(relay, client_id="other", user_id="Ada", idempotency_key="mine")

        for _, server, _ in by_both(use):
            self.assertEqual(server.queries(), [{"clientId": "other"}])
            self.assertEqual(server.bodies()[0]["userId"], "Ada")
            self.assertEqual(server.seen[0].headers["idempotency-key"], "mine")

    def test_an_empty_world_or_user_is_sent_to_be_refused(self) -> None:
        for _, server, _ in by_both(lambda relay: check(relay, client_id="", user_id="")):
            self.assertEqual(server.queries(), [{"clientId": ""}])
            self.assertEqual(server.bodies()[0]["userId"], "")

    def test_a_query_stands_in_the_address_and_lists_as_json(self) -> None:
        def use(relay: Any) -> Any:
            return relay.structure.structure(types=["Actor", "a, b"], include_entity_data=True, user_id="Ada & Bo")

        for _, server, _ in by_both(use):
            self.assertEqual(
                server.queries(),
                [{"clientId": "demo", "types": '["Actor","a, b"]', "includeEntityData": "true", "userId": "Ada & Bo"}],
            )
            self.assertEqual(server.bodies(), [None])

    def test_a_part_of_a_path_is_encoded_and_never_a_step(self) -> None:
        for _, server, _ in by_both(lambda relay: relay.macros.macro_execute(uuid="a/b ü")):
            self.assertEqual(server.seen[0].url.raw_path, b"/macro/a%2Fb%20%C3%BC/execute?clientId=demo")
        for step in ("", ".", ".."):
            with self.assertRaisesRegex(ValueError, "uuid stands in the path"):
                Relay("http://a", "k").macros.macro_execute(uuid=step)

    def test_bytes_go_as_they_are_and_the_rest_into_the_query(self) -> None:
        def use(relay: Any) -> Any:
            return relay.files.upload_file(path="maps", filename="a.bin", file_data=b"\0\1")

        for _, server, _ in by_both(use):
            self.assertEqual(server.seen[0].content, b"\0\1")
            self.assertEqual(server.seen[0].headers["content-type"], "application/octet-stream")
            self.assertEqual(server.queries(), [{"clientId": "demo", "path": "maps", "filename": "a.bin"}])

    def test_a_file_is_bytes_with_type_and_name(self) -> None:
        headers = {"content-type": "image/webp", "content-disposition": "attachment; filename*=UTF-8''Karte%20%C3%BC.webp"}
        for found, server, _ in by_both(
            lambda relay: relay.files.download_file(path="maps/a.webp"), lambda: answer(b"RIFF", headers=headers)
        ):
            self.assertEqual(found, RelayFile(b"RIFF", "image/webp", "Karte ü.webp"))
            self.assertEqual(server.seen[0].headers["accept"], "image/*, */*")
        for found, _, _ in by_both(lambda relay: relay.files.download_file(path="a"), lambda: answer(b"login please")):
            self.assertEqual((found.code, found.status), ("bad_answer", 200))

    def test_what_is_misspelt_or_no_json_is_refused_here(self) -> None:
        relay: Any = Relay("http://127.0.0.1:9", "k")
        with self.assertRaisesRegex(TypeError, "unexpected argument userid"):
            relay.utility.players(userid="Ada")
        with self.assertRaisesRegex(TypeError, "unexpected argument clientid"):
            relay.events.rolls(clientid="a")
        with self.assertRaises(ValueError):
            relay.entities.create(entity_type="Actor", data={"hp": float("nan")})

    def test_worlds_are_listed_and_a_ticket_is_made(self) -> None:
        for found, server, _ in by_both(lambda relay: relay.clients(), lambda: answer({"clients": [], "total": 0})):
            self.assertEqual(found, {"clients": [], "total": 0})
            self.assertEqual((server.seen[0].method, server.seen[0].url.path), ("GET", "/clients"))
        for _, server, _ in by_both(lambda relay: relay.stream_ticket("combat", {"encounterId": "e"})):
            self.assertEqual(
                server.bodies(), [{"path": "/encounters/subscribe", "query": {"clientId": "demo", "encounterId": "e"}}]
            )

    def test_an_address_is_checked_where_it_is_given(self) -> None:
        for url in ("", "relay.example", "ftp://a", "https://", "https://a/?key=x", "https://a:b@c", "http://a:x", "wss://a"):
            with self.assertRaisesRegex(ValueError, "is no address of a relay"):
                Relay(url, "k")
        self.assertNotIn("trk_key", repr(Relay("https://relay.example/relay-1/", "trk_key")))


class Failures(unittest.TestCase):
    def test_carry_what_the_relay_says(self) -> None:
        def refused() -> httpx2.Response:
            return problem(
                "unavailable", 503, {"retry-after": "2"}, retryable=True, outcome="not_sent", requestId="r1", candidates=["a"]
            )

        for error, _, _ in by_both(check, refused):
            self.assertIsInstance(error, RelayError)
            self.assertEqual(str(error), "unavailable: Why.")
            told = (error.status, error.retryable, error.outcome, error.retry_after, error.request_id, error.trace_id)
            self.assertEqual(told, (503, True, "not_sent", 2.0, "r1", "t1"))
            self.assertEqual(error.problem["candidates"], ["a"])

    def test_of_a_proxy_are_told_as_such(self) -> None:
        for body, status in ((b"<h1>Bad gateway</h1>", 502), (b"OK", 200), (b"[" * 100_000, 500), (b"", 302)):

            def other(body: bytes = body, status: int = status) -> httpx2.Response:
                return answer(body, status)

            for error, server, _ in by_both(check, other):
                self.assertEqual((error.code, error.status, error.outcome), ("bad_answer", status, "unknown"))
                self.assertEqual((error.retryable, len(server.seen)), (False, 1))

    def test_are_what_a_redirect_is_whatever_the_client_follows(self) -> None:
        seen: list[str] = []

        def moved(request: httpx2.Request) -> httpx2.Response:
            seen.append(str(request.url))
            return httpx2.Response(307, headers={"location": "https://elsewhere.example/"})

        http = httpx2.Client(transport=httpx2.MockTransport(moved), follow_redirects=True)
        with self.assertRaisesRegex(RelayError, "bad_answer"):
            check(Relay("https://relay.example", "k", http_client=http))
        self.assertEqual(seen, ["https://relay.example/sys5e/skill-check"])

    def test_to_connect_were_not_sent_and_in_mid_call_are_unknown(self) -> None:
        for error, _, _ in by_both(check, httpx2.ConnectError("refused")):
            self.assertEqual((error.code, error.outcome, error.retryable), ("connection_failed", "not_sent", True))
        for broken in (httpx2.ReadError("reset"), httpx2.RemoteProtocolError("no answer")):
            for error, _, _ in by_both(check, broken):
                self.assertEqual((error.code, error.outcome, error.retryable), ("connection_failed", "unknown", False))
            for error, _, _ in by_both(lambda relay: relay.utility.players(), broken):
                self.assertTrue(error.retryable)
        for error, _, _ in by_both(check, httpx2.ReadTimeout("late")):
            self.assertEqual((error.code, error.outcome), ("timeout", "unknown"))
            self.assertEqual(error.detail, "No answer within 15 s.")
        for error, _, _ in by_both(lambda relay: relay.sys5e.long_rest(actor_uuid="a"), httpx2.ReadTimeout("late")):
            self.assertEqual(error.detail, "No answer within 25 s.")
        for error, _, _ in by_both(lambda relay: check(relay, timeout=0.5), httpx2.ReadTimeout("late"), timeout=3):
            self.assertEqual(error.detail, "No answer within 0.5 s.")

    def test_end_an_answer_that_trickles(self) -> None:
        def slow() -> httpx2.Response:
            def pieces() -> Any:
                while True:
                    time.sleep(0.01)
                    yield b" "

            return httpx2.Response(200, content=pieces())

        http = httpx2.Client(transport=httpx2.MockTransport(lambda _: slow()))
        with self.assertRaisesRegex(RelayError, "timeout"):
            check(Relay("https://relay.example", "k", http_client=http), timeout=0.05)


class Retries(unittest.TestCase):
    def test_are_off_unless_asked_for(self) -> None:
        for _, server, _ in by_both(check, soon):
            self.assertEqual(len(server.seen), 1)

    def test_repeat_what_was_not_sent_as_often_as_asked(self) -> None:
        for found, server, _ in by_both(check, soon, soon, lambda: answer({"ok": 1}), retries=2):
            self.assertEqual((found, len(server.seen)), ({"ok": 1}, 3))
        for error, server, _ in by_both(check, soon, retries=2):
            self.assertEqual((error.code, len(server.seen)), ("overloaded", 3))

    def test_never_repeat_a_pause(self) -> None:
        def paused() -> httpx2.Response:
            return problem("paused", 403, outcome="not_sent", pause={"of": "key"})

        for error, server, _ in by_both(check, paused, retries=5):
            self.assertEqual((error.code, len(server.seen)), ("paused", 1))

    def test_repeat_a_query_after_a_lost_connection_without_a_key(self) -> None:
        for _, server, _ in by_both(lambda relay: relay.utility.players(), httpx2.ReadError("reset"), answer, retries=1):
            self.assertEqual([key_of(request) for request in server.seen], [None, None])

    def test_never_repeat_a_command_blindly_where_the_relay_knows_no_keys(self) -> None:
        def lost() -> httpx2.Response:
            return problem("client_lost", 502, outcome="unknown")

        for status in (
            lambda: answer({"version": "0.1.0"}),
            lambda: answer(b"<h1>Welcome</h1>"),
            lambda: problem("not_found", 404),
        ):
            for error, server, _ in by_both(check, lost, status, retries=5):
                self.assertEqual(error.code, "client_lost")
                self.assertEqual([one.url.path for one in server.seen], ["/sys5e/skill-check", "/api/status"])
                self.assertNotIn("x-api-key", server.seen[1].headers)

    def test_repeat_each_command_under_a_key_of_its_own_and_ask_the_relay_once(self) -> None:
        async def use(relay: Any) -> Any:
            return [await settled(check(relay)), await settled(check(relay))]

        for broken in (httpx2.ReadError("reset"), httpx2.ReadTimeout("late")):
            for found, server, _ in by_both(use, broken, honours, done, broken, done, retries=1):
                self.assertEqual(found, [{"ok": 1}, {"ok": 1}])
                paths = [one.url.path for one in server.seen]
                self.assertEqual((len(paths), paths.count("/api/status")), (5, 1))
                one, again, two, last = keys_of(server)
                self.assertRegex(str(one), r"^[0-9a-f]{32}$")
                self.assertEqual([again, last], [one, two])
                self.assertNotEqual(one, two)

    def test_wait_for_a_command_that_still_runs_which_is_no_repeat(self) -> None:
        def running() -> httpx2.Response:
            return problem("idempotency_running", 409, {"retry-after": "1"}, outcome="not_sent", retryable=True)

        lost = httpx2.ReadError("reset")
        for found, _, told in by_both(check, lost, honours, running, running, running, done, retries=1):
            self.assertEqual((found, told[1:]), ({"ok": 1}, [1.0, 1.0, 1.0]))

    def test_that_were_not_sent_leave_the_outcome_before_them_unknown(self) -> None:
        for error, server, _ in by_both(check, httpx2.ReadError("reset"), honours, soon, retries=2):
            told = (error.code, error.outcome, error.retryable)
            self.assertEqual((told, len(keys_of(server))), (("connection_failed", "unknown", False), 3))

    def test_end_where_nobody_knows_what_became_of_the_command(self) -> None:
        def unknown() -> httpx2.Response:
            return problem("outcome_unknown", 409, outcome="unknown")

        def use(relay: Any) -> Any:
            return check(relay, idempotency_key="mine")

        for error, server, _ in by_both(use, httpx2.ReadError("reset"), honours, unknown, retries=5):
            self.assertEqual((error.code, keys_of(server)), ("outcome_unknown", ["mine", "mine"]))

    def test_wait_as_long_as_they_are_told_but_not_for_minutes(self) -> None:
        def later(seconds: str) -> Any:
            return lambda: problem("overloaded", 503, {"retry-after": seconds}, retryable=True)

        for _, _, told in by_both(check, later("7"), answer, retries=1):
            self.assertEqual(told, [7.0])
        for error, server, told in by_both(check, later("86400"), retries=1):
            self.assertEqual((error.retry_after, len(server.seen), told), (86_400.0, 1, []))

    def test_come_later_each_time(self) -> None:
        for _, _, told in by_both(check, lambda: problem("overloaded", 503, retryable=True), retries=99):
            self.assertEqual(len(told), 99)
            self.assertTrue(all(0 <= wait <= min(30, 0.25 * 2 ** min(turn, 7)) for turn, wait in enumerate(told)))


class Keys(unittest.TestCase):
    def test_are_named_by_the_package_alone_and_loaded_late(self) -> None:
        self.assertLessEqual({"request_key", "AsyncRelay"}, set(dir(tabletop_relay)))
        with self.assertRaises(AttributeError):
            tabletop_relay.nothing  # noqa: B018


if __name__ == "__main__":
    unittest.main()
