import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { UsageError } from '../terminal/failures.ts';
import { readLocal } from '../arguments/flags.ts';
import { note } from '../terminal/io.ts';
import type { Io } from '../terminal/io.ts';
import { writeOwn } from '../profiles.ts';
import { version } from '../version.ts';

interface Forwarded {
  event: string;
  id: string | undefined;
  data: unknown;
}

/** Posts one event. Resolves when the receiver has taken it, and not before: order is kept, and nothing is left out in silence. */
export type Forward = (event: Forwarded) => Promise<void>;

/** As long as the relay's history reaches: then the program ends, and the next run goes on by `--state`. */
const patienceMs = 5 * 60_000;
const attemptMs = 15_000;
const longestWaitMs = 30_000;

export interface ForwardOptions {
  to: string;
  secretFile: string;
  /** Until the first repeat; each later one waits twice as long. */
  firstWaitMs?: number;
}

/** Forwards events as Standard Webhooks has them: see standardwebhooks.com. */
export async function createForward(
  { to, secretFile, firstWaitMs = 1_000 }: ForwardOptions,
  io: Io,
): Promise<Forward> {
  if (!URL.canParse(to) || !/^https?:$/.test(new URL(to).protocol))
    throw new UsageError(`--forward-to takes an address such as http://localhost:8080/events.`);
  const webhook = webhookOf(await readSecret(secretFile, io));

  return async ({ event, id = `msg_${crypto.randomUUID()}`, data }) => {
    const body = JSON.stringify({ type: event, timestamp: timeOf(data).toISOString(), data });
    const until = Date.now() + patienceMs;
    for (let failures = 0; ; failures += 1) {
      const fault = await post(id, body);
      if (fault === undefined) return;
      const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** failures);
      if (Date.now() + waitMs > until) throw new Error(`${new URL(to).host} did not take an event: ${fault}`);
      await note(
        io,
        `tabletop: ${new URL(to).host} did not take an event (${fault}). Again in ${waitMs / 1000} s.`,
      );
      await setTimeout(waitMs, undefined, { signal: io.signal });
    }
  };

  async function post(id: string, body: string): Promise<string | undefined> {
    const now = new Date();
    try {
      const response = await io.fetch(to, {
        method: 'POST',
        redirect: 'error',
        signal: AbortSignal.any([io.signal, AbortSignal.timeout(attemptMs)]),
        headers: {
          'content-type': 'application/json',
          'user-agent': `tabletop/${version}`,
          'webhook-id': id,
          'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
          'webhook-signature': webhook.sign(id, now, body),
        },
        body,
      });
      await response.body?.cancel();
      if (response.status === 410) throw new UsageError(`${new URL(to).host} wants no more events (410).`);
      return response.ok ? undefined : `status ${response.status}`;
    } catch (error) {
      io.signal.throwIfAborted();
      if (error instanceof UsageError) throw error;
      const { cause, message } = error as Error & { cause?: { code?: string } };
      return cause?.code ?? message;
    }
  }
}

/** The relay says when, in most events. */
function timeOf(data: unknown): Date {
  const { timestamp } = (data ?? {}) as { timestamp?: unknown };
  return typeof timestamp === 'number' && Number.isFinite(timestamp) ? new Date(timestamp) : new Date();
}

function webhookOf(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw new UsageError('--secret-file holds no secret of Standard Webhooks, such as whsec_ and base64.');
  }
}

async function readSecret(file: string, io: Io): Promise<string> {
  if (existsSync(file)) return readLocal(file).toString('utf8').trim();
  const secret = `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('base64')}`;
  writeOwn(file, `${secret}\n`);
  await note(io, `A secret to sign with was made in ${file}: give it to the receiver.`);
  return secret;
}
