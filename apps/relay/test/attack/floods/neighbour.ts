import type { FakeModule } from '@tabletop-relay/testing';
import { connectModule, createAccount } from '@tabletop-relay/testing/scenes';
import type { TestAccount } from '@tabletop-relay/testing/scenes';
import { Pool } from 'undici';

/** Another tenant, from another address, whose calls must not notice a flood. */
export interface Neighbour {
  account: TestAccount;
  clientId: string;
  module: FakeModule;
  /** Calls its world so often per second until `until` settles. */
  callUntil(until: Promise<unknown>): Promise<Calls>;
  close(): Promise<void>;
}

export interface Calls {
  latenciesMs: number[];
  /** Answers that were not 200. */
  failures: string[];
}

const localAddress = '127.0.0.2';
const everyMs = 10;

export async function createNeighbour(url: string): Promise<Neighbour> {
  const account = await createAccount(url);
  const pairing = await account.pair();
  const key = await account.createKey();
  const module = await connectModule(url, pairing, () => ({ users: [] }), { socket: { localAddress } });
  const pool = new Pool(url, { localAddress, connections: 16 });
  const path = `/players?clientId=${pairing.clientId}`;

  async function callOnce(calls: Calls): Promise<void> {
    const startedAt = performance.now();
    try {
      const answer = await pool.request({ method: 'GET', path, headers: { 'x-api-key': key } });
      const text = await answer.body.text();
      if (answer.statusCode === 200) calls.latenciesMs.push(performance.now() - startedAt);
      else calls.failures.push(`${answer.statusCode} ${text}`);
    } catch (error) {
      calls.failures.push(String(error));
    }
  }

  return {
    account,
    clientId: pairing.clientId,
    module,
    async callUntil(until) {
      const calls: Calls = { latenciesMs: [], failures: [] };
      const running: Promise<void>[] = [];
      // At its own pace, however long the answers take: who waits for the slow ones measures too few of them.
      const timer = setInterval(() => running.push(callOnce(calls)), everyMs);
      await until.finally(() => clearInterval(timer));
      await Promise.all(running);
      return calls;
    },
    async close() {
      await module.close();
      await pool.close();
    },
  };
}

/** The value that 99 of 100 stay below. */
export function p99(latenciesMs: readonly number[]): number {
  const sorted = [...latenciesMs].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? 0;
}

/** The middle of the values; of an even number the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  return ((sorted[Math.ceil(half) - 1] ?? 0) + (sorted[Math.floor(half)] ?? 0)) / 2;
}
