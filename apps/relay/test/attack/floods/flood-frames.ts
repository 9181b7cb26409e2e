import { once } from 'node:events';
import { WebSocket } from 'ws';
import { addressesOf, createCount, pace } from './task.ts';
import type { FloodTask, Sent } from './task.ts';

/** More than this is not piled up for a target that reads slowly. */
const maxBufferedBytes = 32_000_000;

/** Frames at a pace on one authenticated socket, which comes back when it is closed. */
export async function floodFrames(task: FloodTask): Promise<Sent> {
  const { url, clientId = '', token = '', frame = '{"type":"ping"}', size } = task;
  const { path = `/relay?id=${clientId}` } = task;
  const [localAddress = ''] = addressesOf(task);
  const data = Buffer.from(size ? lengthen(frame, size) : frame);
  const count = createCount();
  let socket: WebSocket | undefined;
  let isOver = false;

  async function connect(): Promise<void> {
    while (!isOver) {
      const fresh = new WebSocket(`${url.replace('http', 'ws')}${path}`, {
        localAddress,
        perMessageDeflate: false,
      });
      fresh.on('error', () => {});
      const closed = new Promise<number>((resolve) => fresh.once('close', resolve));
      fresh.once('open', () => fresh.send(JSON.stringify({ type: 'auth', token })));
      fresh.once('message', () => (socket = fresh));
      fresh.on('message', () => {});
      count.add(`closed ${await closed}`);
      socket = undefined;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  const connecting = connect();
  while (!socket) await new Promise((resolve) => setTimeout(resolve, 5));
  await pace(task, () => {
    if (socket?.readyState !== WebSocket.OPEN || socket.bufferedAmount > maxBufferedBytes) return;
    socket.send(data, { binary: false });
    count.sent++;
  });
  isOver = true;
  const last = socket as WebSocket | undefined;
  if (last) {
    last.terminate();
    await once(last, 'close').catch(() => {});
  }
  await connecting;
  return { sent: count.sent, outcomes: count.outcomes };
}

function lengthen(frame: string, size: number): string {
  return frame.replace('{fill}', 'x'.repeat(Math.max(0, size - frame.length)));
}
