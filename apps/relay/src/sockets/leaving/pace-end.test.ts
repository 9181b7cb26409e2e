import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createPaceEnd } from './pace-end.ts';

/** Both sides of a connection that each side ends by itself, as HTTP servers have them. */
async function connectPair(): Promise<{ near: Socket; far: Socket }> {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const far = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [near] = (await once(server, 'connection')) as [Socket];
  near.resume();
  onTestFinished(() => {
    far.destroy();
    near.destroy();
    server.close();
  });
  return { near, far };
}

/** A connection that the far side has just ended, and what was handled of that end. */
async function endFromAfar() {
  const { near, far } = await connectPair();
  const handled: string[] = [];
  near.on('end', () => handled.push('closed'));
  createPaceEnd()(near);
  const ended = once(near, 'end');
  far.end();
  await ended;
  return { near, handled };
}

test('the end of a connection is handled in a later turn of the event loop, and known before', async () => {
  const { near, handled } = await endFromAfar();
  expect(near.readableEnded).toBe(true);
  expect(handled).toEqual([]);
  await expect.poll(() => handled).toEqual(['closed']);
});

test('a connection that was destroyed meanwhile is not handled', async () => {
  const { near, handled } = await endFromAfar();
  near.destroy();
  // Its slice would run in the next turn of the event loop.
  for (const _turn of [1, 2]) await new Promise<void>((resolve) => setImmediate(resolve));
  expect(handled).toEqual([]);
});
