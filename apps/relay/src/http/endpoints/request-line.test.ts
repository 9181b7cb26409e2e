import type { FastifyReply, FastifyRequest } from 'fastify';
import { expect, test } from 'vitest';
import { createRequestLine } from './request-line.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A connection, by its address and port. */
const connection = (ip: string, remotePort: number) => ({
  ip,
  raw: { socket: { remotePort, destroyed: false } },
});

const one = connection('192.0.2.1', 1);

/** Sends a request through the line; `told` gets its name when it begins. */
function line() {
  const waitInLine = createRequestLine();
  const told: string[] = [];
  const send = (name: string, from = one) =>
    waitInLine.call(
      undefined as never,
      from as unknown as FastifyRequest,
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

test('addresses take turns, and so do the connections of each', async () => {
  const { told, send } = line();
  for (const name of ['a', 'b', 'c', 'd']) send(name);
  send('beside', connection(one.ip, 2));
  send('elsewhere', connection('192.0.2.2', 1));
  for (let turns = 0; turns < 6; turns++) await turn();
  expect(told).toEqual(['a', 'b', 'elsewhere', 'beside', 'c', 'd']);
});

test('requests of a caller who has hung up are left out, and take no turn', async () => {
  const { told, send } = line();
  const gone = connection('192.0.2.3', 3);
  send('a');
  for (let sent = 0; sent < 5; sent++) send('unread', gone);
  send('b');
  gone.raw.socket.destroyed = true;
  await turn();
  expect(told).toEqual(['a', 'b']);
  await turn();
  send('c');
  expect(told).toEqual(['a', 'b', 'c']);
});
