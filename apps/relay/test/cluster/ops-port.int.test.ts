import { createTestDatabase, findFreePort } from '@tabletop-relay/testing';
import { expect, it, onTestFinished } from 'vitest';
import { startRelayProcess } from '../process.ts';

it('an instance that drains is not ready, and tells operators of its drain until the end', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const opsPort = await findFreePort();
  const relay = await startRelayProcess({
    port: await findFreePort(),
    databaseUrl: database.url,
    instanceId: 'drains',
    env: { OPS_PORT: String(opsPort), DRAIN_WAIT_MS: '3000', DRAIN_SPREAD_MS: '0', DRAIN_GRACE_MS: '0' },
  });
  onTestFinished(() => relay.end('SIGKILL').then(() => {}));
  const ask = (path: string) => fetch(`http://127.0.0.1:${opsPort}${path}`);
  expect((await ask('/readyz')).status).toBe(200);
  const ended = relay.end('SIGTERM');
  await expect.poll(async () => (await ask('/readyz')).status, { interval: 20 }).toBe(503);
  expect((await ask('/livez')).status).toBe(200);
  expect(await (await ask('/metrics')).text()).toContain('relay_connected_clients 0');
  await ended;
  await expect(ask('/livez')).rejects.toThrow('fetch failed');
}, 90_000);
