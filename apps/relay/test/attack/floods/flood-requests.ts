import { Pool } from 'undici';
import { addressesOf, createCount, pace } from './task.ts';
import type { FloodTask, Sent } from './task.ts';

const maxInFlight = 256;

/** Requests at a pace, from many addresses in turn; what the target does not keep up with is not sent. */
export async function floodRequests(task: FloodTask): Promise<Sent> {
  const { url, method = 'GET', path = '/', headers = {} } = task;
  const bodyOf = bodies(task);
  const pools = addressesOf(task).map((localAddress) => new Pool(url, { localAddress, connections: 8 }));
  const count = createCount();
  const running = new Set<Promise<void>>();

  async function send(pool: Pool, index: number): Promise<void> {
    count.sent++;
    try {
      const answer = await pool.request({
        method,
        path: path.replace('{n}', String(index)),
        headers: number(headers, index),
        body: bodyOf(index),
      });
      await answer.body.dump();
      count.add(answer.statusCode);
    } catch (error) {
      count.add((error as { code?: string }).code ?? 'failed');
    }
  }

  await pace(task, (index) => {
    if (running.size >= maxInFlight) return;
    const sending: Promise<void> = send(pools[index % pools.length] as Pool, index).finally(() =>
      running.delete(sending),
    );
    running.add(sending);
  });
  await Promise.all(running);
  await Promise.all(pools.map((pool) => pool.destroy()));
  return { sent: count.sent, outcomes: count.outcomes };
}

/** Bodies are made once where they are all the same: some are long. */
function bodies({ body, size }: FloodTask): (index: number) => Buffer | string | null {
  if (body === undefined) return () => null;
  if (body.includes('{n}')) return (index) => body.replaceAll('{n}', String(index));
  const bytes = size === undefined ? Buffer.from(body) : Buffer.alloc(size, body);
  return () => bytes;
}

const number = (headers: Record<string, string>, index: number) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, value.replace('{n}', String(index))]),
  );
