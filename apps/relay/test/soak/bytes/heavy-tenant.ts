import type { WireFrame } from '@tabletop-relay/testing';
import { connectModule } from '@tabletop-relay/testing/scenes';
import type { Pairing } from '@tabletop-relay/testing/scenes';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { NetConnectOpts, Socket } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ClientOptions } from 'ws';
import { onTheWire } from '../../sockets/wire/sent-frames.ts';

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
/** Room for a reply's beginning, which names its call. */
const headBytes = 200;
const mask = Buffer.of(0x9d, 0x3a, 0x51, 0xc7);
// Masked once, but for their beginnings: replies that are made anew cost the machine more than the relays do.
const filling = `${' '.repeat(headBytes)},"users":[],"filling":"${'x'.repeat(task.replyBytes)}"}`;
const frame = onTheWire({ opcode: 1, payload: Buffer.from(filling), mask });
const beginsAt = frame.length - filling.length;
const [frameHead, rest] = [frame.subarray(0, beginsAt), frame.subarray(beginsAt + headBytes)];

for (const { pairing, ownerUrl } of task.worlds) {
  let connection: Socket | undefined;
  const reply = ({ requestId }: WireFrame): undefined => {
    const head = `{"type":"players-result","requestId":"${String(requestId)}"`.padEnd(headBytes);
    connection?.cork();
    connection?.write(frameHead);
    connection?.write(Buffer.from(head).map((byte, at) => byte ^ (mask[at & 3] as number)));
    connection?.write(rest);
    connection?.uncork();
  };
  const createConnection: ClientOptions['createConnection'] = (options) =>
    (connection = connect(options as NetConnectOpts));
  await connectModule(ownerUrl, pairing, reply, { socket: { createConnection } });
}
const agent = new Agent({ keepAlive: true });
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

/** By hand, because `fetch` takes as long for 8 MB as a relay. */
async function ask(url: string): Promise<string> {
  try {
    const request = get(url, { agent, headers: { 'x-api-key': task.key } });
    const [answer] = (await once(request, 'response')) as [IncomingMessage];
    if (answer.statusCode !== 200) {
      const { code, outcome } = (await json(answer)) as { code: string; outcome?: string };
      // Whoever is refused asks again a little later, as the answer says.
      await new Promise((resolve) => setTimeout(resolve, 100));
      return `${answer.statusCode} ${code} ${outcome ?? ''}`;
    }
    let bytes = 0;
    answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
    await once(answer, 'end');
    return bytes > task.replyBytes ? '200' : '200 cut';
  } catch (error) {
    return String(error);
  }
}
