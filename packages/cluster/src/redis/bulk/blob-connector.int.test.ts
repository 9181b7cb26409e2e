import { startRedis } from '@tabletop-relay/testing';
import type { TestRedis } from '@tabletop-relay/testing';
import { Redis } from 'ioredis';
import { once } from 'node:events';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { createBlobConnector } from './blob-connector.ts';

let server: TestRedis;
beforeAll(async () => void (server = await startRedis()));
afterAll(() => server.stop());

const psk = Buffer.from('only for this test');

/** Redis behind TLS, with a key that both know in place of a certificate. */
async function startTls(port: number): Promise<number> {
  const proxy = tls.createServer(
    { pskCallback: () => psk, ciphers: 'PSK', maxVersion: 'TLSv1.2' },
    (socket) => {
      const behind = net.connect(port, '127.0.0.1');
      for (const one of [socket, behind]) one.on('error', () => {});
      socket.pipe(behind).pipe(socket);
    },
  );
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  return (proxy.address() as AddressInfo).port;
}

async function subscribe(port: number, secure?: tls.ConnectionOptions) {
  const taken: Buffer[][] = [];
  const messages: Buffer[] = [];
  const Connector = createBlobConnector(16_384, () => ({
    begin: () => void taken.push([]),
    // The same memory is read into again.
    take: (part) => void taken.at(-1)?.push(Buffer.from(part)),
  }));
  const subscriber = new Redis(port, '127.0.0.1', {
    Connector,
    lazyConnect: true,
    ...(secure ? { tls: secure } : {}),
  });
  onTestFinished(() => subscriber.disconnect());
  subscriber.on('error', () => {});
  subscriber.on('messageBuffer', (_channel, message: Buffer) => messages.push(message));
  await subscriber.connect();
  await subscriber.subscribe('channel');
  return { subscriber, messages, taken: () => taken.map((parts) => Buffer.concat(parts)) };
}

test.each(['plain', 'TLS'])(
  'over %s large messages are taken as they come, and others come as ever',
  async (kind) => {
    const port = Number(new URL(server.url).port);
    const secure = {
      ciphers: 'PSK',
      maxVersion: 'TLSv1.2' as const,
      checkServerIdentity: () => undefined,
      pskCallback: () => ({ psk, identity: 'test' }),
    };
    const { subscriber, messages, taken } =
      kind === 'plain' ? await subscribe(port) : await subscribe(await startTls(port), secure);
    const publisher = new Redis(server.url);
    onTestFinished(() => publisher.disconnect());
    const large = [300_000, 16_384, 1_000_000].map((bytes, index) =>
      Buffer.alloc(bytes, `${index}\r\n$20000\r\n`),
    );
    const small = Buffer.alloc(16_383, '\n');
    for (const message of [...large, small]) await publisher.publish('channel', message);
    await vi.waitFor(() => expect(messages).toHaveLength(4));
    expect(messages).toEqual([...large.map(() => Buffer.alloc(0)), small]);
    expect(taken().map((blob, index) => blob.equals(large[index] ?? small))).toEqual([true, true, true]);

    // A dial begins anew, whatever came of a message before.
    const closed = once(subscriber, 'close');
    subscriber.disconnect(true);
    await closed;
    await vi.waitFor(async () => expect(await publisher.publish('channel', small)).toBe(1));
    await vi.waitFor(() => expect(messages).toHaveLength(5));
    expect(messages.at(-1)).toEqual(small);
  },
);

test('who disconnects before the dial dials nowhere, and a port without a server is told', async () => {
  const Connector = createBlobConnector(1, () => ({ begin: () => {}, take: () => {} }));
  const port = Number(new URL(server.url).port);
  const hasty = new Redis({ host: '127.0.0.1', port, Connector, lazyConnect: true, retryStrategy: null });
  const connecting = hasty.connect();
  hasty.disconnect();
  await expect(connecting).rejects.toThrow('Connection is closed');
  const nobody = new Redis({ host: '127.0.0.1', port: 1, Connector, lazyConnect: true, retryStrategy: null });
  const refused = once(nobody, 'error');
  nobody.connect().catch(() => {});
  expect(String((await refused)[0])).toContain('ECONNREFUSED');
});
