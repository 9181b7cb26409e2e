import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createRequestLine } from './request-line.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Sends a request through the line; `told` gets its name when it begins. */
function line() {
  const waitInLine = createRequestLine();
  const told: string[] = [];
  const send = (name: string) =>
    waitInLine.call(
      undefined as never,
      undefined as unknown as FastifyRequest,
      undefined as unknown as FastifyReply,
      () => void told.push(name),
    );
  return { told, send };
}

test('of requests that come at once one begins in each turn of the event loop, in their order', async () => {
  const { told, send } = line();
  for (const name of ['a', 'b', 'c']) send(name);
  expect(told).toEqual(['a']);
  await turn();
  expect(told).toEqual(['a', 'b']);
  // Behind the one that waits, although nothing of this turn has begun.
  send('d');
  await turn();
  expect(told).toEqual(['a', 'b', 'c']);
  await turn();
  expect(told).toEqual(['a', 'b', 'c', 'd']);
});

test('a request that comes alone begins at once, also after others', async () => {
  const { told, send } = line();
  send('a');
  send('b');
  for (let turns = 0; turns < 3; turns++) await turn();
  send('c');
  expect(told).toEqual(['a', 'b', 'c']);
});
