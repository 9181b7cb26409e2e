import { createTestDatabase, findFreePort } from '@tabletop-relay/testing';
import { createAccount } from '@tabletop-relay/testing/scenes';
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startRelayProcess } from '../../process.ts';
import { openCaller } from '../caller.ts';
import type { Caller } from '../caller.ts';

const sockets = 5_000;
const mostKiBEach = 60;

/** In a process of its own, so that the memory is that of the relay alone. */
it(`${sockets} idle sockets take at most ${mostKiBEach} KB each`, { timeout: 300_000 }, async () => {
  const database = await createTestDatabase();
  const relay = await startRelayProcess({
    port: await findFreePort(),
    databaseUrl: database.url,
    instanceId: 'idle',
    env: {
      STREAMS_PER_KEY: '10000', STREAMS_PER_ACCOUNT: '10000', MAX_CONNECTIONS_PER_ADDRESS: '10000',
      MAX_CONNECTIONS: '20000',
    }, // prettier-ignore
  });
  const key = await (await createAccount(relay.url)).createKey();
  const rssOf = (): number =>
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${relay.pid}/status`, 'utf8'))?.[1]);
  const open: Caller[] = [];
  const openMore = async (count: number) => {
    for (let done = 0; done < count; done += 50)
      open.push(...(await Promise.all(Array.from({ length: 50 }, () => openOne(relay.url, key)))));
  };
  // The first ones bring what is loaded once.
  await openMore(500);
  const before = rssOf();
  await openMore(sockets);
  const each = (rssOf() - before) / sockets;
  expect(each, 'KB a socket').toBeLessThan(mostKiBEach);
  for (const { ws } of open) ws.terminate();
  await relay.end('SIGTERM');
  await database.drop();
});

async function openOne(url: string, key: string): Promise<Caller> {
  const caller = await openCaller(url, { token: key });
  expect(await caller.next()).toMatchObject({ type: 'connected' });
  return caller;
}
