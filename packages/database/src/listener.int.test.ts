import { createTestDatabase, execute, startPostgres, startPostgresProxy } from '@tabletop-relay/testing';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectDatabase } from './connect.ts';
import { createListener } from './listener.ts';

const channel = 'a_channel';

/** A listener on a server of its own, and how often each payload was heard. */
async function listen() {
  const server = await startPostgres();
  const log = { warn: vi.fn<(detail: object, message: string) => void>() };
  const listener = createListener({ url: server.url, channel, log });
  const db = connectDatabase({ url: server.url, poolSize: 1, log: { warn: () => {} } });
  onTestFinished(async () => {
    await listener.close();
    await db.destroy();
    await server.stop();
  });
  const connections = async () => {
    const found = sql`select from pg_stat_activity where query = ${`listen ${channel}`}`;
    return (await found.execute(db)).rows.length;
  };
  const notify = (payload: string) => execute(server.url, `select pg_notify('${channel}', '${payload}')`);
  return { server, log, listener, notify, connections };
}

test('a notice reaches those who listen for its payload, over one connection that the first of them opens', async () => {
  const { listener, notify, connections } = await listen();
  expect(await connections()).toBe(0);
  const [one, two, other] = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()];
  const leave = listener.on('a', one);
  listener.on('a', two);
  listener.on('b', other);
  // They are called when the connection hears: notices may have been lost before.
  await vi.waitFor(() => expect([one, two, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 1]));
  await notify('a');
  await vi.waitFor(() => expect([one, two, other].map(({ mock }) => mock.calls.length)).toEqual([2, 2, 1]));
  leave();
  await notify('a');
  await notify('b');
  await vi.waitFor(() => expect([one, two, other].map(({ mock }) => mock.calls.length)).toEqual([2, 3, 2]));
  expect(await connections()).toBe(1);
});

test('a server that dies is warned of once, and whoever listens is called when notices are heard again', async () => {
  const { server, log, listener, notify } = await listen();
  const heard = vi.fn<() => void>();
  listener.on('a', heard);
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(1));
  await server.kill();
  await vi.waitFor(() => expect(log.warn).toHaveBeenCalledTimes(1));
  await server.restart();
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2), 10_000);
  await notify('a');
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(3));
  expect(log.warn).toHaveBeenCalledTimes(1);
});

test('a listener that is closed while the server is away ends, and calls nobody', async () => {
  const { server, listener } = await listen();
  await server.kill();
  const heard = vi.fn<() => void>();
  listener.on('a', heard);
  await listener.close();
  listener.on('a', heard);
  expect(heard).not.toHaveBeenCalled();
});

test('a function that listens twice and leaves once is called on', async () => {
  const { listener, notify } = await listen();
  const heard = vi.fn<() => void>();
  const leave = listener.on('a', heard);
  listener.on('a', heard);
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(2));
  leave();
  await notify('a');
  await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(3));
});

describe('closing waits for nobody', () => {
  test.each([
    ['has not answered yet', 0],
    ['has gone without a word', 1],
  ])('where the server %s', async (_what, times) => {
    const database = await createTestDatabase();
    const proxy = await startPostgresProxy(database.url);
    const listener = createListener({ url: proxy.url, channel, log: { warn: () => {} } });
    onTestFinished(async () => {
      await proxy.network.close();
      await database.drop();
    });
    const heard = vi.fn<() => void>();
    listener.on('a', heard);
    await vi.waitFor(() => expect(heard).toHaveBeenCalledTimes(times));
    proxy.network.blackHole();
    await listener.close();
    expect(heard).toHaveBeenCalledTimes(times);
  });
});
