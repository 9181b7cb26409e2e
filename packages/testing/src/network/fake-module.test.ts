import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { WebSocket } from 'ws';
import { WebSocketServer } from 'ws';
import { connectFakeModule, UpgradeRefused } from './fake-module.ts';
import { waitFor } from '../time/wait-for.ts';

const http = createServer();
const sockets = new WebSocketServer({ noServer: true });
let url: string;
let relaySide: WebSocket;
let asked: string | undefined;

beforeEach(async () => {
  http.removeAllListeners('upgrade').on('upgrade', (request, socket, head) => {
    asked = request.url;
    if (asked?.includes('token=') === true) socket.end('HTTP/1.1 400 Bad Request\r\n\r\n');
    else sockets.handleUpgrade(request, socket, head, (open) => (relaySide = open));
  });
  await once(http.listen(0, '127.0.0.1'), 'listening');
  url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
});

afterEach(async () => {
  for (const socket of sockets.clients) socket.terminate();
  http.close();
  await once(http, 'close');
});

test('it authenticates first and answers commands with their id', async () => {
  const fake = await connectFakeModule({ url, clientId: 'c', token: 't', answer: () => ({ total: 7 }) });
  const frames: unknown[] = [];
  relaySide.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString())));
  relaySide.send(JSON.stringify({ type: 'skill-check', requestId: 'skill-check_1' }));
  await waitFor(() => frames.length === 2);
  expect(asked).toBe('/relay?id=c');
  expect(frames).toEqual([
    { type: 'auth', token: 't' },
    { type: 'skill-check-result', requestId: 'skill-check_1', total: 7 },
  ]);
  expect(await fake.next('skill-check')).toEqual(fake.received[0]);
  await fake.close();
});

test('a paused one reads nothing until it resumes', async () => {
  const fake = await connectFakeModule({ url, clientId: 'c' });
  fake.pause();
  const big = JSON.stringify({ type: 'big', text: 'x'.repeat(1_000_000) });
  for (let i = 0; i < 20; i++) relaySide.send(big);
  await waitFor(() => relaySide.bufferedAmount > 1_000_000);
  expect(fake.count('big')).toBe(0);
  fake.resume();
  await waitFor(() => fake.count('big') === 20);
  fake.cut();
  expect((await fake.closed).code).toBe(1006);
});

test('a wait for a frame ends at once when the socket closes without it', async () => {
  const fake = await connectFakeModule({ url, clientId: 'c' });
  relaySide.terminate();
  await expect(fake.next('pong', 60_000)).rejects.toThrow('before the socket closed');
});

test('a refused upgrade is an error with its status', async () => {
  const connecting = connectFakeModule({ url, clientId: 'c', metadata: { token: 't' } });
  await expect(connecting).rejects.toEqual(new UpgradeRefused(400));
});
