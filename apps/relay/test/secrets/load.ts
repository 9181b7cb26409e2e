import { call } from '@tabletop-relay/testing/scenes';
import type { Answer, Pairing, TestAccount } from '@tabletop-relay/testing/scenes';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';

/** An instance, as callers see it. */
export interface Served {
  readonly url: string;
}

/** A quick action leaves the processor to slow ones, such as a sign-in, which the next step waits for. */
const pauseMs = 10;

type Action = (at: Served, other: Served) => Promise<string | undefined>;

/** Runs the actions again and again, each across the two instances that serve, and collects what fails. */
export function startLoad(serving: readonly [Served, Served], actions: readonly Action[]) {
  let isOver = false;
  let all = 0;
  const failures: string[] = [];
  const loops = actions.map(async (action) => {
    for (let done = 0; !isOver; done++) {
      const [at, other] = done % 2 === 0 ? serving : serving.toReversed();
      const failure = await action(at, other).catch(String);
      if (failure !== undefined) failures.push(failure);
      all++;
      counts.set(action, done + 1);
      await delay(pauseMs);
    }
  });
  const counts = new Map(actions.map((action) => [action, 0]));
  return {
    done: () => all,
    /** Resolves when each action has been begun and ended twice since, once in each direction. */
    async turnOver() {
      const before = new Map(counts);
      const isDone = () => actions.every((one) => (counts.get(one) ?? 0) >= (before.get(one) ?? 0) + 3);
      await expect.poll(isDone, { timeout: 30_000 }).toBe(true);
    },
    async stop() {
      isOver = true;
      await Promise.all(loops);
      return failures;
    },
  };
}

export const unless = (status: number, { status: got, body }: Answer, what: string) =>
  got === status ? undefined : `${what}: ${got} ${JSON.stringify(body)}`;

export async function callWorld(instances: readonly Served[], key: string, { clientId }: Pairing) {
  const headers = { 'x-api-key': key };
  for (const { url } of instances) {
    const failed = unless(200, await call(url, 'GET', `/players?clientId=${clientId}`, { headers }), 'call');
    if (failed) return failed;
  }
  return undefined;
}

/** A code is made on one instance and used on the other. */
export async function pairAcross(at: Served, other: Served, { sessionToken }: TestAccount) {
  const headers = { authorization: `Bearer ${sessionToken}` };
  const made = await call(at.url, 'POST', '/auth/pairing-codes', { headers, body: {} });
  const body = { code: made.body['code'], worldId: 'barovia', worldTitle: 'Barovia', systemId: 'dnd5e' };
  return unless(
    200,
    await call(other.url, 'POST', '/auth/pair', { body }),
    `pair ${JSON.stringify(made.body)}`,
  );
}
