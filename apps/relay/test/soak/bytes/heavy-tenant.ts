import { once } from 'node:events';
import { connectModule } from '../../account.ts';
import type { Pairing } from '../../account.ts';

// A process of its own, because its parent measures the calls of others meanwhile.

export interface HeavyTask {
  /** One of its worlds on each instance, and the instance at which the caller asks for it. */
  worlds: { pairing: Pairing; ownerUrl: string; askerUrl: string }[];
  key: string;
  replyBytes: number;
  /** Calls in flight to each world. */
  atOnce: number;
}

/** What it tells when a round ends: how often each status and outcome came. */
export type HeavyCounts = Record<string, number>;

const [task] = (await once(process, 'message')) as [HeavyTask];
const filling = 'x'.repeat(task.replyBytes);
for (const { pairing, ownerUrl } of task.worlds) {
  // Written once: the world is to cost less than the relay.
  await connectModule(
    ownerUrl,
    pairing,
    ({ requestId }) =>
      `{"type":"players-result","requestId":"${String(requestId)}","users":[],"filling":"${filling}"}`,
  );
}
process.on('disconnect', () => process.exit());
process.on(
  'message',
  (message: { ms: number }) => void pull(message.ms).then((counts) => process.send?.(counts)),
);
process.send?.('ready');

/** Pulls replies for so long, as fast as they come. */
async function pull(ms: number): Promise<HeavyCounts> {
  const counts: HeavyCounts = {};
  const until = performance.now() + ms;
  const callers = task.worlds.flatMap((world) => Array.from({ length: task.atOnce }, () => world));
  await Promise.all(
    callers.map(async ({ askerUrl, pairing }) => {
      while (performance.now() < until) {
        const what = await ask(`${askerUrl}/players?clientId=${pairing.clientId}`);
        counts[what] = (counts[what] ?? 0) + 1;
      }
    }),
  );
  return counts;
}

async function ask(url: string): Promise<string> {
  try {
    const answer = await fetch(url, { headers: { 'x-api-key': task.key } });
    if (answer.status !== 200) {
      const { code, outcome } = (await answer.json()) as { code: string; outcome?: string };
      // Whoever is refused asks again a little later, as the answer says.
      await new Promise((resolve) => setTimeout(resolve, 100));
      return `${answer.status} ${code} ${outcome ?? ''}`;
    }
    let bytes = 0;
    for await (const chunk of answer.body ?? []) bytes += (chunk as Uint8Array).length;
    return bytes > task.replyBytes ? '200' : '200 cut';
  } catch (error) {
    return String(error);
  }
}
