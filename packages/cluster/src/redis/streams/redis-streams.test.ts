import { expect, test } from 'vitest';
import { createFakeConnection } from '../../../test/fakes/fake-connection.ts';
import { shardIndex } from '../keys.ts';
import { defaultTimes } from '../times.ts';
import { createRedisStreams } from './redis-streams.ts';

test('the streams of a client are asked for on its shard', async () => {
  const urls = ['redis://127.0.0.1:1', 'redis://127.0.0.1:2'];
  const asked: string[] = [];
  const { streams, stop } = createRedisStreams({
    shards: urls,
    boot: 'boot',
    times: defaultTimes,
    connect: (url) => {
      const { connection } = createFakeConnection();
      const send = () => Promise.resolve(void asked.push(url));
      return Object.assign(connection, { send });
    },
  });
  const clients = Array.from({ length: 8 }, (_, index) => `client ${index}`);
  // The answers are none that can be read.
  for (const client of clients) await streams.countListeners(client, ['rolls']).catch(() => {});
  expect(asked).toEqual(clients.map((client) => urls[shardIndex(client, 2)]));
  expect(new Set(asked).size).toBe(2);
  await stop(0);
});
