import { startRedis, waitFor } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { call, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startInstances } from '../instances.ts';
import type { TestInstance, TestInstances } from '../instances.ts';
import { allowedOf, callAll, header, list } from './call-all.ts';

let redis: TestRedis;
beforeAll(async () => {
  redis = await startRedis();
});
afterAll(() => redis.stop());

describe('the limit per minute and key, over two instances', () => {
  let cluster: TestInstances;
  let account: TestAccount;
  const limit = 80;
  beforeEach(async () => {
    await redis.restart();
    cluster = await startInstances({ count: 2, redis: [redis.url], config: { callsPerMinute: limit } });
    account = await createAccount(cluster.instances[0].url);
    // Each has heard of the other.
    await waitFor(() => countedTogether() >= 2);
  });
  afterEach(() => cluster.stop());
  const countedTogether = () => cluster.logs.filter(({ instances }) => instances === 2).length;

  it('is never exceeded by calls at once, is early by at most an eighth, and says so in headers', async () => {
    const key = await account.createKey();
    const answers = await callAll(cluster.instances, key, 3 * limit);
    const allowed = allowedOf(answers);
    expect(allowed).toBeLessThanOrEqual(limit);
    expect(allowed).toBeGreaterThanOrEqual(limit - limit / 8);
    for (const answer of answers) {
      expect(header(answer, 'ratelimit-limit')).toBe(limit);
      expect(header(answer, 'ratelimit-remaining')).toBeLessThan(limit);
      expect(header(answer, 'ratelimit-reset')).toSatisfy((s: number) => s >= 45 && s <= 60);
    }
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect(answer.status).toBe(429);
      expect(answer.body).toMatchObject({ code: 'rate_limited', retryable: true });
      expect(header(answer, 'ratelimit-remaining')).toBe(0);
      expect(header(answer, 'retry-after')).toBe(header(answer, 'ratelimit-reset'));
    }
  });

  it('counts each key by itself, and down to the last call one after the other', async () => {
    const [one, other] = [await account.createKey(), await account.createKey()];
    const [first] = cluster.instances;
    for (let number = 1; number <= limit; number++) {
      const answer = await list(first, one);
      expect([answer.status, header(answer, 'ratelimit-remaining')]).toEqual([200, limit - number]);
    }
    expect((await list(first, one)).status).toBe(429);
    expect((await list(first, other)).status).toBe(200);
  });

  it('is shared by halves while Redis is away, and by all again when it is back', async () => {
    const before = countedTogether();
    await redis.kill();
    const key = await account.createKey();
    const answers = await callAll(cluster.instances, key, 2 * limit);
    expect(allowedOf(answers)).toBe(limit);
    for (const instance of cluster.instances) {
      const answer = await list(instance, key);
      expect([answer.status, answer.body['code']]).toEqual([429, 'rate_limited']);
    }
    await redis.restart();
    const fresh = await account.createKey();
    await expect.poll(countedTogether, { timeout: 15_000 }).toBeGreaterThanOrEqual(2 + before);
    expect(allowedOf(await callAll(cluster.instances, fresh, 2 * limit))).toBeLessThanOrEqual(limit);
    // What was spent meanwhile still counts.
    expect(allowedOf(await callAll(cluster.instances, key, 10))).toBe(0);
  });

  it('is not exceeded by what runs while Redis dies', async () => {
    const key = await account.createKey();
    const before = allowedOf(await callAll(cluster.instances, key, 20));
    const during = callAll(cluster.instances, key, 40);
    await redis.kill();
    const after = await callAll(cluster.instances, key, 2 * limit);
    expect(before + allowedOf(await during) + allowedOf(after)).toBeLessThanOrEqual(limit + limit / 2);
  });
});

describe('limits per address, over two instances', () => {
  it('hold over both, and in each by itself while Redis is away: never off, never 500', async () => {
    await redis.restart();
    const cluster = await startInstances({
      count: 2,
      redis: [redis.url],
      config: { limitForgotPassword: '5 per 15 min', limitUnknownKeys: '6 per 1 min' },
    });
    const account = await createAccount(cluster.instances[0].url);
    const ask = (instance: TestInstance) =>
      call(instance.url, 'POST', '/auth/forgot-password', { body: { email: 'nobody@example.org' } });
    const statuses = async (count: number) => {
      const found: number[] = [];
      for (let index = 0; index < count; index++) {
        found.push((await ask(cluster.instances[index % 2] as TestInstance)).status);
      }
      return found;
    };
    expect(await statuses(7)).toEqual([200, 200, 200, 200, 200, 429, 429]);
    const key = await account.createKey();
    const { body } = await account.as('GET', '/auth/api-keys');
    for (const { id } of body['items'] as { id: string }[])
      await account.as('DELETE', `/auth/api-keys/${id}`);
    const tries: number[] = [];
    for (let index = 0; index < 12; index++) {
      tries.push((await list(cluster.instances[index % 2] as TestInstance, key)).status);
    }
    // The sixth is the last; an instance that did not see it hears of it with its own next try.
    expect(tries.filter((status) => status === 401).length).toBeLessThanOrEqual(7);
    expect(tries.slice(7)).toEqual([429, 429, 429, 429, 429]);

    await redis.kill();
    const alone = await statuses(12);
    expect(alone.filter((status) => status === 200)).toHaveLength(10);
    expect(alone.filter((status) => status === 429)).toHaveLength(2);
    await cluster.stop();
    await redis.restart();
  });
});
