import { channels, endpoints, operations } from '@tabletop-relay/contract';
import type { Endpoint } from '@tabletop-relay/contract';
import { call } from '@tabletop-relay/testing/scenes';
import { beforeAll, expect, it } from 'vitest';
import { startPausedWorlds } from './paused-worlds.ts';

const start = startPausedWorlds();
const { newKey, pauseKey, pauseWorld, roll, expectSoon } = start;

const filled = (path: string) => path.replaceAll(/:\w+/g, 'x');
interface Way {
  name: string;
  method: string;
  path: string;
}

const asked: Way[] = operations.map(({ name, method, path }) => ({ name, method, path: filled(path) }));
const followed = Object.entries(channels).map(([name, { path }]) => ({ name, method: 'GET', path }));
const withKey = Object.entries<Endpoint>(endpoints)
  .filter(([, { auth }]) => auth === 'apiKey')
  .map(([name, { method, path }]) => ({ name, method, path: filled(path) }));

let paused: string;
let free: string;
beforeAll(async () => {
  const { id, key } = await newKey();
  free = start.account.masterKey;
  paused = key;
  await pauseKey(id);
  await pauseWorld();
  await expectSoon((at) => roll(paused, at), { status: 403 });
  await expectSoon((at) => roll(free, at), { status: 403 });
});

/** What was answered otherwise than as paused, on both instances. */
async function others(ways: readonly Way[], key: string): Promise<string[]> {
  const found: string[] = [];
  for (const { url } of [start.two.first, start.two.second])
    for (const { name, method, path } of ways) {
      const address = `${path}?clientId=${start.world.clientId}`;
      const { status, body } = await call(url, method, address, {
        headers: { 'x-api-key': key },
        ...(method === 'GET' || method === 'DELETE' ? {} : { body: {} }),
      });
      if (status !== 403 || body['code'] !== 'paused')
        found.push(`${name}: ${status} ${String(body['code'])}`);
    }
  return found;
}

it('no operation, stream or endpoint takes a paused key', async () => {
  expect(await others([...asked, ...followed, ...withKey], paused)).toEqual([]);
  expect(withKey.length).toBeGreaterThan(4);
});

it('no operation or stream reaches a paused world, not with the master key either', async () => {
  // A filter that a stream needs is asked for first, and then nothing was reached either.
  const open = await others([...asked, ...followed.filter(({ name }) => name !== 'actor')], free);
  expect(open).toEqual([]);
  expect(start.module.received.filter(({ requestId }) => requestId !== undefined)).toEqual([]);
});
