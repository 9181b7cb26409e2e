import { createMemoryLedger, createQuotas } from '@tabletop-relay/limits';
import fastify from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { countByAddress, limitRate, registerRateLimit } from './rate-limit.ts';

async function setUp() {
  const app = fastify({ trustProxy: true });
  onTestFinished(() => app.close());
  await registerRateLimit(app, createQuotas({ ledger: createMemoryLedger('test') }));
  const ask = async (url: string, address: string) => {
    const { statusCode, headers } = await app.inject({ url, headers: { 'x-forwarded-for': address } });
    return [statusCode, headers['ratelimit-limit'], headers['ratelimit-remaining']];
  };
  return { app, ask };
}

const limit = { max: 2, windowMs: 60_000 };

test('a request is counted under each of its counts, and told of the one that is nearest to its limit', async () => {
  const { app, ask } = await setUp();
  const both = { windowMs: 60_000, of: () => ({ key: 'all', max: 3 }) };
  app.get('/a', { onRequest: limitRate(app, [...countByAddress('a', limit), both]) }, () => '');
  expect(await ask('/a', '192.0.2.1')).toEqual([200, '2', '1']);
  expect(await ask('/a', '192.0.2.2')).toEqual([200, '2', '1']);
  expect(await ask('/a', '192.0.2.2')).toEqual([200, '2', '0']);
  // What the address is refused does not count for all.
  for (let round = 0; round < 3; round++) expect((await ask('/a', '192.0.2.2')).slice(1)).toEqual(['2', '0']);
  expect(await ask('/a', '192.0.2.3')).toEqual([429, '3', '0']);
});

test('a limit that the plugin would count by itself fails the start', async () => {
  const { app } = await setUp();
  const config = { rateLimit: { max: 1, timeWindow: 1_000 } };
  expect(() => app.get('/b', { config }, () => '')).toThrow('The limit of /b must be a hook');
});
