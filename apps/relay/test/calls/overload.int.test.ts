import { command, listOperations, operations } from '@tabletop-relay/contract';
import type { OperationGroup } from '@tabletop-relay/contract';
import { measureRunningTime } from '@tabletop-relay/testing';
import type { FakeModule } from '@tabletop-relay/testing';
import { call, connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drivers, startTwo } from '../drivers.ts';
import type { TwoInstances } from '../drivers.ts';

const places = ['same instance', 'another instance'] as const;

const hurried = {
  name: 'hurried',
  title: 'Hurried',
  prefix: '',
  definitions: {
    hurry: command({
      effect: 'changes',
      summary: 'Answer soon',
      scope: 'roll:execute',
      timeoutMs: 300,
      parameters: { text: Type.String() },
      result: Type.Object({ done: Type.Boolean() }),
      example: { parameters: { text: 'x' }, result: { done: true } },
    }),
  },
} as const satisfies OperationGroup;

const inFlight = 5;

describe.each(drivers)('with the %s drivers', (driver) => {
  let two: TwoInstances;
  let urls: readonly [owner: string, other: string];
  let account: TestAccount;
  let key: string;

  beforeAll(async () => {
    two = await startTwo(driver, {
      operations: [...operations, ...listOperations(hurried)],
      config: { callsInFlightPerClient: inFlight, callsInFlightPerKey: 8, maxSendQueueBytes: 200_000 },
    });
    urls = [two.first.url, two.second.url];
    account = await createAccount(urls[0]);
    key = await account.createKey();
  });
  afterAll(() => two.stop());

  const players = (pairing: Pairing, at = urls[0], apiKey = key) =>
    call(at, 'GET', `/players?clientId=${pairing.clientId}`, { headers: { 'x-api-key': apiKey } });
  const hurry = (pairing: Pairing, at: string, text = 'x') =>
    call(at, 'POST', `/hurry?clientId=${pairing.clientId}`, {
      body: { text },
      headers: { 'x-api-key': key },
    });

  describe('a world', () => {
    it('with its calls in flight at the cap refuses further ones, which are safe to repeat', async () => {
      const pairing = await account.pair();
      const module = await connectModule(urls[0], pairing);
      const open = Array.from({ length: inFlight }, (_, index) =>
        players(pairing, index % 2 ? urls[0] : urls[1]),
      );
      await expect.poll(() => module.count('players')).toBe(inFlight);
      for (const at of urls) {
        const refused = await players(pairing, at);
        expect(refused.status).toBe(503);
        expect(refused.body).toMatchObject({ code: 'overloaded', outcome: 'not_sent', retryable: true });
        expect(refused.headers.get('retry-after')).toBe('1');
      }
      expect(module.count('players')).toBe(inFlight);
      answerAll(module);
      for (const answer of await Promise.all(open)) expect(answer.status).toBe(200);
      const after = players(pairing);
      await expect.poll(() => module.count('players')).toBe(inFlight + 1);
      answerAll(module);
      expect((await after).status).toBe(200);
      await module.close();
    });

    it('that does not read is overloaded before much is kept for it, and others are not slowed', async () => {
      const [pairing, otherPairing] = [await account.pair(), await account.pair()];
      const module = await connectModule(urls[0], pairing);
      const other = await connectModule(urls[0], otherPairing, () => ({}));
      module.pause();
      const text = 'x'.repeat(900_000);
      const codes: unknown[] = [];
      for (let sent = 0; sent < 40 && !codes.includes('overloaded'); sent++) {
        const { body } = await hurry(pairing, urls[0], text);
        codes.push(body['code']);
        const ranMs = measureRunningTime();
        expect((await players(otherPairing)).status).toBe(200);
        expect(ranMs()).toBeLessThan(1_000);
      }
      expect(new Set(codes)).toEqual(new Set(['client_timeout', 'overloaded']));
      module.cut();
      await other.close();
    });

    it.each(places)('that does not answer in time is told that nobody waits (%s)', async (where) => {
      const at = urls[where === 'same instance' ? 0 : 1];
      const pairing = await account.pair();
      const module = await connectModule(urls[0], pairing);
      const startedAt = performance.now();
      const { status, body } = await hurry(pairing, at);
      expect(performance.now() - startedAt).toBeGreaterThan(299);
      expect(status).toBe(504);
      const { requestId } = await module.next('hurry');
      expect(body).toMatchObject({
        code: 'client_timeout',
        outcome: 'unknown',
        retryable: false,
        detail: 'The world did not answer within 0.3 s.',
        requestId,
      });
      expect(await module.next('cancel')).toEqual({ type: 'cancel', requestId });
      await module.close();
    });

    it.each(places)('is told when its caller hangs up (%s)', async (where) => {
      const at = urls[where === 'same instance' ? 0 : 1];
      const pairing = await account.pair();
      const module = await connectModule(urls[0], pairing);
      const caller = new AbortController();
      const answer = call(at, 'GET', `/players?clientId=${pairing.clientId}`, {
        headers: { 'x-api-key': key },
        signal: caller.signal,
      });
      const { requestId } = await module.next('players');
      caller.abort();
      await expect(answer).rejects.toThrow('aborted');
      expect(await module.next('cancel', 2_000)).toEqual({ type: 'cancel', requestId });
      await module.close();
    });
  });

  it('a key with its calls in flight at the cap gets 429, and another key goes on', async () => {
    const worlds = [await account.pair(), await account.pair()] as const;
    const modules = await Promise.all(worlds.map((pairing) => connectModule(urls[0], pairing)));
    const busy = await account.createKey();
    const open = Array.from({ length: 8 }, (_, index) => players(worlds[index % 2]!, urls[0], busy));
    await expect.poll(() => modules.reduce((sum, module) => sum + module.count('players'), 0)).toBe(8);
    const refused = await players(worlds[0], urls[0], busy);
    expect(refused.status).toBe(429);
    expect(refused.body).toMatchObject({ code: 'rate_limited', outcome: 'not_sent', retryable: true });
    const headers = ['retry-after', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'];
    expect(headers.map((name) => refused.headers.get(name))).toEqual(['1', '8', '0', '1']);
    const another = players(worlds[0], urls[0]);
    await expect.poll(() => modules[0]?.count('players')).toBe(5);
    for (const module of modules) answerAll(module);
    for (const answer of await Promise.all([...open, another])) expect(answer.status).toBe(200);
    await Promise.all(modules.map((module) => module.close()));
  });
});

/** Answers every call that came in and was not answered yet. */
function answerAll(module: FakeModule): void {
  for (const frame of module.received) {
    if (frame['requestId'] !== undefined && frame.type === 'players')
      module.send({ type: 'players-result', requestId: frame['requestId'], users: [] });
  }
}
