import type { FastifyReply } from 'fastify';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { watchCaller } from './operation-routes.ts';

/** More than the system keeps for a connection that is not read. */
const bytes = 16_000_000;

/** A caller that has read the beginning of a large answer, and no more. */
async function setUp(readMs: number) {
  const release = vi.fn<() => void>();
  const server = createServer((_request, raw) => {
    const body = Buffer.alloc(bytes);
    raw.setHeader('content-length', bytes);
    watchCaller({ raw } as FastifyReply, { body, release }, readMs);
    raw.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  caller.on('error', () => {});
  onTestFinished(() => {
    caller.destroy();
    server.close();
  });
  caller.write('GET / HTTP/1.1\r\nhost: relay\r\n\r\n');
  let received = 0;
  caller.on('data', (chunk: Buffer) => (received += chunk.length));
  await once(caller, 'data');
  caller.pause();
  return { caller, release, received: () => received };
}

const ended = (release: () => void) => vi.waitFor(() => expect(release).toHaveBeenCalled(), 5_000);

test('an answer is let go when its caller has read it, not before', async () => {
  const { caller, release, received } = await setUp(5_000);
  expect(release).not.toHaveBeenCalled();
  caller.resume();
  await ended(release);
  expect(release).toHaveBeenCalledOnce();
  await vi.waitFor(() => expect(received()).toBeGreaterThan(bytes));
});

test('the answer of a caller that reads nothing, or goes away, is let go', async () => {
  const slow = await setUp(100);
  const gone = await setUp(5_000);
  gone.caller.destroy();
  await ended(slow.release);
  await ended(gone.release);
  expect([slow, gone].map(({ release }) => release.mock.calls.length)).toEqual([1, 1]);
});

test('the next answer on the connection may take longer than the caller may read nothing', async () => {
  let answered = 0;
  const server = createServer((_request, raw) => {
    if (answered++ > 0) {
      setTimeout(() => raw.end('second'), 300);
      return;
    }
    const body = Buffer.from('first');
    watchCaller({ raw } as FastifyReply, { body, release: () => {} }, 100);
    raw.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const caller = connect((server.address() as AddressInfo).port, '127.0.0.1');
  onTestFinished(() => {
    caller.destroy();
    server.close();
  });
  let received = '';
  caller.on('data', (chunk: Buffer) => (received += chunk.toString()));
  // Both at once: the second waits for its turn.
  caller.write('GET / HTTP/1.1\r\nhost: relay\r\n\r\n'.repeat(2));
  await vi.waitFor(() => expect(received).toMatch(/first[^]*second/), 2_000);
});
