import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { addressesOf, createCount, pace } from './task.ts';
import type { FloodTask, Sent } from './task.ts';

/** A little less than the largest body, unless the task says how long. */
const largestBytes = 1_000_000;
/** The rest never comes. */
const sentShare = 0.96;

/** So many connections, each with a body that does not end; a refused one is opened again. */
export async function floodBodies(task: FloodTask): Promise<Sent> {
  const { url, method = 'POST', path = '/', perSecond: held, ms, size: announcedBytes = largestBytes } = task;
  const port = Number(new URL(url).port);
  const addresses = addressesOf(task);
  const count = createCount();
  const sockets = new Set<Socket>();
  let isOver = false;
  const head =
    `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
    `content-type: application/json\r\ncontent-length: ${announcedBytes}\r\n\r\n"`;
  const fill = Buffer.alloc(announcedBytes * sentShare, 'x');

  function open(index: number): void {
    const socket = connect({
      port,
      host: '127.0.0.1',
      localAddress: addresses[index % addresses.length] ?? '',
    });
    sockets.add(socket);
    count.sent++;
    socket.on('error', () => {});
    socket.once('data', (data: Buffer) =>
      count.add(/^HTTP\/1\.1 (\d+)/.exec(data.toString())?.[1] ?? 'other'),
    );
    socket.once('close', () => {
      sockets.delete(socket);
      if (!isOver) setTimeout(() => (isOver ? undefined : open(index)), 100);
    });
    socket.write(head);
    socket.write(fill);
  }

  // Opened over half of the time and held for the other half: it is about what is held.
  await pace({ ...task, ms: ms / 2, perSecond: (held * 2_000) / ms }, open);
  await delay(ms / 2);
  isOver = true;
  for (const socket of sockets) socket.destroy();
  return { sent: count.sent, outcomes: count.outcomes };
}
