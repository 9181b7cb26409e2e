import { WebSocket } from 'ws';
import { addressesOf, createCount, pace } from './task.ts';
import type { FloodTask, Sent } from './task.ts';

/** Connections for a world of somebody else, with a token that is none. Resolves when each has had its answer. */
export async function floodAttempts(task: FloodTask): Promise<Sent> {
  const { url, clientId = '', token = '' } = task;
  const addresses = addressesOf(task);
  const count = createCount();
  const running: Promise<void>[] = [];

  async function attempt(index: number): Promise<void> {
    const socket = new WebSocket(`${url.replace('http', 'ws')}/relay?id=${clientId}`, {
      localAddress: addresses[index % addresses.length] ?? '',
      perMessageDeflate: false,
    });
    const outcome = await new Promise<string>((resolve) => {
      socket.once('open', () => socket.send(JSON.stringify({ type: 'auth', token })));
      socket.once('unexpected-response', (request, response) => {
        resolve(String(response.statusCode));
        request.destroy();
      });
      socket.once('close', (code) => resolve(`closed ${code}`));
      socket.on('error', (error) => resolve((error as { code?: string }).code ?? 'failed'));
    });
    count.add(outcome);
    socket.terminate();
  }

  await pace(task, (index) => {
    count.sent++;
    running.push(attempt(index));
  });
  await Promise.all(running);
  return { sent: count.sent, outcomes: count.outcomes };
}
