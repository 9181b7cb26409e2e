import { createTestDatabase, findFreePort, startRedis } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startRelayProcess } from '../process.ts';
import { openSse } from './sse.ts';

const within = { timeout: 15_000, interval: 5 };

async function startRelay(env: Record<string, string>): Promise<string> {
  const [redis, database] = await Promise.all([startRedis(), createTestDatabase()]);
  const relay = await startRelayProcess({
    port: await findFreePort(),
    databaseUrl: database.url,
    redisUrl: redis.url,
    instanceId: 'one',
    env: { DATABASE_POOL: '5', ...env },
  });
  onTestFinished(async () => {
    await relay.end('SIGKILL');
    await Promise.all([redis.stop(), database.drop()]);
  });
  return relay.url;
}

it('a relay keeps as many events of a stream as its settings say', { timeout: 90_000 }, async () => {
  const url = await startRelay({ STREAM_HISTORY_EVENTS: '3' });
  const account = await createAccount(url);
  const [key, world] = [await account.createKey(), await account.pair()];
  const module = await connectModule(url, world);
  const path = `${url}/hooks/subscribe?clientId=${world.clientId}`;
  const first = await openSse(path, { key });
  let sent = 0;
  const send = () => module.send({ type: 'hook-event', data: { hook: 'updateActor', args: [++sent] } });
  await vi.waitUntil(() => {
    if (first.data().length === 0) send();
    return first.data().length > 0;
  }, within);
  for (let more = 0; more < 5; more++) send();
  await vi.waitFor(() => expect(first.data().at(-1)).toMatchObject({ args: [sent] }), within);
  const ids = first.events.filter(({ event }) => event === 'updateActor').map(({ id }) => id);
  const isRecovered = async (lastId: string | undefined) => {
    const reader = await openSse(path, { key, lastId: String(lastId) });
    const { data } = await reader.next('connected');
    reader.close();
    return data['recovered'];
  };
  expect(await isRecovered(ids.at(-4))).toBe(true);
  expect(await isRecovered(ids.at(-5))).toBe(false);
  first.close();
  await module.close();
});
