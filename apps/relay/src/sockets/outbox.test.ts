import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { createOutbox } from './outbox.ts';

/** The server's end of a WebSocket, and what its client reads. */
async function connectWebSocket(): Promise<{ ws: WebSocket; transport: Socket; texts: string[] }> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  onTestFinished(() => server.close());
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => client.terminate());
  const texts: string[] = [];
  client.on('message', (data: Buffer) => texts.push(String(data)));
  const [[ws, { socket }]] = (await Promise.all([once(server, 'connection'), once(client, 'open')])) as [
    [WebSocket, IncomingMessage],
    unknown,
  ];
  return { ws, transport: socket, texts };
}

/** As the socket of a world does. */
const sendWith = ({ ws, transport }: { ws: WebSocket; transport: Socket }, { cork } = createOutbox()) =>
  function send(text: string) {
    cork(transport);
    ws.send(text);
  };

test('the frames of one turn arrive whole and in order', async () => {
  const connected = await connectWebSocket();
  const send = sendWith(connected);
  const sent = ['before', 'x'.repeat(300_001), '十二', ''];
  for (const text of sent) send(text);
  await expect.poll(() => connected.texts).toEqual(sent);
});

test('the frames of one turn go out together, at its end', async () => {
  const connected = await connectWebSocket();
  const { transport } = connected;
  const send = sendWith(connected);
  const before = transport.bytesWritten;
  for (const text of ['one', 'two']) send(text);
  expect(transport.writableLength).toBe('..one..two'.length);
  await new Promise(setImmediate);
  expect(transport.writableLength).toBe(0);
  expect(transport.bytesWritten - before).toBe('..one..two'.length);
});

test('after a long turn frames do not wait for the end of theirs, until turns were short for a second', async () => {
  const connected = await connectWebSocket();
  const { transport } = connected;
  let now = 0;
  const send = sendWith(
    connected,
    createOutbox(() => now),
  );
  /** Whether a frame has left before the sockets are read again. */
  const leavesAtOnce = async (): Promise<boolean> => {
    send('x');
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const hasLeft = transport.writableLength === 0;
    now += 50;
    await new Promise(setImmediate);
    return hasLeft;
  };
  expect(await leavesAtOnce()).toBe(false);
  send('x');
  now += 51;
  await new Promise(setImmediate);
  expect(await leavesAtOnce()).toBe(true);
  now += 900;
  expect(await leavesAtOnce()).toBe(true);
  expect(await leavesAtOnce()).toBe(false);
});
