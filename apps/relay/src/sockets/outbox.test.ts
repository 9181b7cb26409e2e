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

const lengths = [0, 1, 125, 126, 127, 65_535, 65_536, 300_001];
const texts = lengths.flatMap((bytes) => [
  { bytes, of: 'ASCII', text: 'x'.repeat(bytes) },
  { bytes, of: 'others', text: 'é'.repeat(bytes >> 1) + 'x'.repeat(bytes % 2) },
]);

test.each(texts)(
  'a text of $bytes bytes of $of arrives whole, in order with what the WebSocket itself sends',
  async ({ text }) => {
    const { ws, transport, texts } = await connectWebSocket();
    const { sendText } = createOutbox();
    sendText(transport, 'before');
    sendText(transport, text);
    ws.send('between');
    sendText(transport, 'behind');
    await expect.poll(() => texts).toEqual(['before', text, 'between', 'behind']);
  },
);

test('what waits is counted in bytes, whatever characters it has', async () => {
  const { transport } = await connectWebSocket();
  const { sendText } = createOutbox();
  for (const text of ['one', 'zwölf', '十二']) sendText(transport, text);
  expect(transport.writableLength).toBe('..one'.length + '..zwoelf'.length + '..123456'.length);
});

test('the frames of one turn go out together, at its end', async () => {
  const { transport } = await connectWebSocket();
  const { sendText } = createOutbox();
  const before = transport.bytesWritten;
  for (const text of ['one', 'two']) sendText(transport, text);
  expect(transport.writableLength).toBe('..one..two'.length);
  await new Promise(setImmediate);
  expect(transport.writableLength).toBe(0);
  expect(transport.bytesWritten - before).toBe('..one..two'.length);
});

test('after a long turn frames do not wait for the end of theirs, until turns were short for a second', async () => {
  const { transport } = await connectWebSocket();
  let now = 0;
  const { sendText } = createOutbox(() => now);
  /** Whether a frame has left before the sockets are read again. */
  const leavesAtOnce = async (): Promise<boolean> => {
    sendText(transport, 'x');
    await new Promise<void>((resolve) => process.nextTick(resolve));
    const hasLeft = transport.writableLength === 0;
    now += 50;
    await new Promise(setImmediate);
    return hasLeft;
  };
  expect(await leavesAtOnce()).toBe(false);
  sendText(transport, 'x');
  now += 51;
  await new Promise(setImmediate);
  expect(await leavesAtOnce()).toBe(true);
  now += 900;
  expect(await leavesAtOnce()).toBe(true);
  expect(await leavesAtOnce()).toBe(false);
});
