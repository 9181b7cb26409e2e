import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';

/** The module that a package of ours loads, and what it can load itself. */
const requireFrom = (require: NodeJS.Require, name: string) =>
  createRequire(realpathSync(require.resolve(name)));

it('the WebSocket server finds the native code that takes the mask off large frames', () => {
  const server = requireFrom(createRequire(import.meta.url), '@fastify/websocket');
  const { unmask } = requireFrom(server, 'ws')('bufferutil') as { unmask(data: Buffer, mask: Buffer): void };
  const data = Buffer.from('abcd');
  unmask(data, Buffer.from([1, 1, 1, 1]));
  expect(data.toString()).toBe('`cbe');
});
