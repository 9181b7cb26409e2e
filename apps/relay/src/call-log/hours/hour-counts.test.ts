import { expect, test } from 'vitest';
import { createBodyBounds } from '../bodies/body-bounds.ts';
import { createHourCounts, classOf } from './hour-counts.ts';

const call = {
  accountId: 'a',
  keyId: 'k',
  clientId: 'w',
  outcome: 'ok',
  worldMs: 40,
};
const at = 7_200_000;
const relayMs = 2;

test('calls of an hour are one count, with their times in classes; the next hour has its own', () => {
  const counts = createHourCounts(10);
  counts.add(call, at, relayMs);
  counts.add({ ...call, worldMs: null }, at + 3_599_999, relayMs);
  counts.add(call, at + 3_600_000, relayMs);
  const [first, second] = counts.take();
  expect(first).toMatchObject({ hour: 7_200_000, calls: 2 });
  expect(first?.relayTimes[classOf(2)]).toBe(2);
  expect(first?.worldTimes[classOf(40)]).toBe(1);
  expect(second).toMatchObject({ hour: 10_800_000, calls: 1 });
  expect(counts.size).toBe(0);
});

test('what differs in account, key, world or outcome is counted apart', () => {
  const counts = createHourCounts(10);
  const other = { accountId: 'b', keyId: 'l', clientId: 'v', outcome: 'client_offline' };
  counts.add(call, at, relayMs);
  for (const [field, value] of Object.entries(other)) counts.add({ ...call, [field]: value }, at, relayMs);
  expect(counts.take().map(({ calls }) => calls)).toEqual([1, 1, 1, 1, 1]);
});

test('counts that could not be written are added to those that came meanwhile', () => {
  const counts = createHourCounts(10);
  counts.add(call, at, relayMs);
  const taken = counts.take();
  counts.add(call, at, relayMs);
  counts.putBack(taken);
  const [both] = counts.take();
  expect(both?.calls).toBe(2);
  expect(both?.relayTimes[classOf(2)]).toBe(2);
});

test.each(['client_not_found', 'scope_missing', 'invalid_request', 'rate_limited'])(
  'ids of worlds that callers make up are one count, where the call ends as %s',
  (outcome) => {
    const counts = createHourCounts(10);
    for (let made = 0; made < 100; made++)
      counts.add({ ...call, clientId: `made-up-${made}`, outcome }, at, relayMs);
    expect(counts.take()).toMatchObject([{ clientId: '', calls: 100 }]);
  },
);

test.each(['client_offline', 'operation_failed', 'client_timeout', 'client_lost'])(
  'a call that ends as %s counts for its world',
  (outcome) => {
    const counts = createHourCounts(10);
    counts.add({ ...call, outcome }, at, relayMs);
    expect(counts.take()).toMatchObject([{ clientId: 'w', calls: 1 }]);
  },
);

test('there are no more counts than the bound', () => {
  const counts = createHourCounts(3);
  const added = Array.from({ length: 5 }, (_, key) =>
    counts.add({ ...call, keyId: String(key) }, at, relayMs),
  );
  expect(added).toEqual([true, true, true, false, false]);
  expect(counts.size).toBe(3);
});

test('bodies are kept within the bounds of memory and of an account’s hour', () => {
  let now = 3_600_000;
  const bounds = createBodyBounds({ maxBytesWaiting: 100, maxBytesPerHour: 150, now: () => now });
  const body = { request: 'x'.repeat(40), answer: 'y'.repeat(20), requestLacks: '', answerLacks: '' };
  expect(bounds.hold('a', body)).toBe(true);
  expect(bounds.hold('b', body)).toBe(false);
  bounds.release(body);
  expect(bounds.hold('a', body)).toBe(true);
  bounds.release(body);
  expect(bounds.hold('a', body)).toBe(false);
  expect(bounds.hold('b', body)).toBe(true);
  bounds.release(body);
  now += 3_600_000;
  expect(bounds.hold('a', body)).toBe(true);
});

test('calls that no world answered have no time of a world, and all times are summed', () => {
  const counts = createHourCounts(10);
  const sumOf = (times: number[] = []) => times.reduce((sum, count) => sum + count, 0);
  counts.add({ ...call, worldMs: null }, at, relayMs);
  counts.add(call, at, relayMs);
  const taken = counts.take();
  expect(sumOf(taken[0]?.worldTimes)).toBe(1);
  counts.add(call, at, relayMs);
  counts.putBack(taken);
  const [all] = counts.take();
  expect([sumOf(all?.worldTimes), sumOf(all?.relayTimes)]).toEqual([2, 3]);
});

test('a fault of the relay counts for the world that was called', () => {
  const counts = createHourCounts(10);
  counts.add({ ...call, outcome: 'internal' }, at, relayMs);
  expect(counts.take()).toMatchObject([{ clientId: 'w' }]);
});
