import { call } from '@tabletop-relay/testing/scenes';
import type { Answer } from '@tabletop-relay/testing/scenes';
import type { Proxy } from '../../balancer/configurations.ts';
import type { KeptWorld } from './worlds.ts';

export interface CallTally {
  ok: number;
  /** 503 with `not_sent` and `Retry-After`. */
  notSent: number;
  /** Got no answer, and no world saw them: a reload of nginx closed the connection on which they came. */
  cut: number;
  /** Any other answer, and other calls that got none. */
  failed: string[];
}

/** Calls to worlds on our SDK, and to the others, by what they were answered. */
export interface Tallies {
  sdk: CallTally;
  bare: CallTally;
  slowestCallMs: number;
}

/** Calls the worlds in turn at a steady rate, however long the answers take. */
export function startCalling(
  url: string,
  headers: Record<string, string>,
  worlds: readonly KeptWorld[],
  { callsPerSecond, proxy }: { callsPerSecond: number; proxy?: Proxy | undefined },
): { stop(): Promise<Tallies> } {
  const tallies: Tallies = { sdk: newTally(), bare: newTally(), slowestCallMs: 0 };
  const running = new Set<Promise<void>>();
  const unanswered: (() => void)[] = [];
  const since = performance.now();
  let made = 0;

  async function callOne({ clientId, isOnSdk, sawCall }: KeptWorld, number: number): Promise<void> {
    const tally = isOnSdk ? tallies.sdk : tallies.bare;
    const calledAt = performance.now();
    const actorUuid = `${clientId}.${number}`;
    try {
      const path = `/sys5e/skill-check?clientId=${clientId}`;
      const body = { actorUuid, skill: 'prc' };
      count(tally, actorUuid, await call(url, 'POST', path, { body, headers }));
    } catch (error) {
      // Looked at in the end: a world may see a call later than its caller fails.
      unanswered.push(() => {
        if (proxy === 'nginx' && isCut(error) && !sawCall(actorUuid)) tally.cut++;
        else tally.failed.push(`${String(error)}: ${String((error as Error).cause)}`);
      });
    }
    tallies.slowestCallMs = Math.max(tallies.slowestCallMs, performance.now() - calledAt);
  }

  const timer = setInterval(() => {
    const due = ((performance.now() - since) / 1_000) * callsPerSecond;
    for (; made < due; made++) {
      const calling = callOne(worlds[made % worlds.length] as KeptWorld, made);
      running.add(calling);
      void calling.finally(() => running.delete(calling));
    }
  }, 5);
  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(running);
      for (const judge of unanswered) judge();
      return tallies;
    },
  };
}

const newTally = (): CallTally => ({ ok: 0, notSent: 0, cut: 0, failed: [] });

/** The other side closed a connection that was open before the call. */
function isCut(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: string };
  return code === 'UND_ERR_SOCKET' || code === 'ECONNRESET' || code === 'EPIPE';
}

function count(tally: CallTally, calledUuid: string, { status, headers, body }: Answer): void {
  const { actorUuid } = (body['data'] ?? {}) as { actorUuid?: string };
  const isNotSent = status === 503 && headers.get('retry-after') !== null && body['outcome'] === 'not_sent';
  if (status === 200 && actorUuid === calledUuid) tally.ok++;
  else if (isNotSent) tally.notSent++;
  else tally.failed.push(`${status} ${JSON.stringify(body)}`);
}
