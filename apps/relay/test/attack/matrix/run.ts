import type { Database } from '@tabletop-relay/database';
import { createRandom } from '@tabletop-relay/testing';
import { existsSync } from 'node:fs';
import { Pool } from 'undici';
import type { Tally } from '../tally.ts';
import { createJudge } from './judge.ts';
import { createAttackers } from './principals.ts';
import type { AttackedRoute } from './routes.ts';
import { compareRows, readRows } from './rows.ts';
import { sendTry } from './send.ts';
import { listTries } from './tries.ts';
import type { Try } from './tries.ts';
import { createVictim } from './victim.ts';

export interface MatrixOptions {
  url: string;
  db: Database;
  routes: readonly AttackedRoute[];
  tally: Tally;
  seed: number;
  tries: number;
  /** See `listTries`. */
  stride?: number;
  inFlight?: number;
}

/** Attacks every route with fresh tenants, and judges answers, rows and frames. Resolves with what no log may hold. */
export async function runMatrix(options: MatrixOptions): Promise<Record<string, string>> {
  const { url, db, tally, tries, inFlight = 32 } = options;
  const random = createRandom(options.seed);
  const victim = await createVictim(url);
  const attackers = await createAttackers(url, db);
  const routes = options.routes.filter(isTried);
  const pool = new Pool(url, { connections: inFlight });
  const judge = createJudge(tally, victim);
  // Records are written soon after what they tell of.
  const before = await settledRows(db, victim.account.accountId);
  const framesBefore = victim.module.received.length;

  const all = listTries({ routes, attackers, victim }, random, options.stride);
  let sent = 0;
  async function work(): Promise<void> {
    while (sent < tries) {
      sent++;
      // A route may end the session that asks: whoever comes after needs one that works.
      if (sent % 1_000 === 0) await attackers.renew();
      const { value } = all.next();
      await attempt(pool, value as Try, tally, judge);
    }
  }
  await Promise.all(Array.from({ length: inFlight }, work));

  compareRows(tally, before, await settledRows(db, victim.account.accountId));
  for (const frame of victim.module.received.slice(framesBefore))
    tally.found('leak', `the frame ${frame.type} reached the victim’s world`);
  for (const command of attackers.unbound)
    tally.found('leak', `a key that is bound to a user had ${command}`);
  await expectService(url, victim.key, victim.clientId, tally);
  await pool.close();
  await victim.close();
  await attackers.close();
  const email = victim.account.email;
  return { ...victim.secrets, ...victim.names, email, ...attackers.secrets };
}

const isDashboardBuilt = existsSync(new URL('../../../../dashboard/dist/index.html', import.meta.url));

/** Pages that are not built say so with a 503. */
function isTried({ pattern }: AttackedRoute): boolean {
  return isDashboardBuilt || !/^\/(dashboard|approve|docs|guides|errors)/.test(pattern);
}

async function attempt(
  pool: Pool,
  one: Try,
  tally: Tally,
  judge: ReturnType<typeof createJudge>,
): Promise<void> {
  try {
    // Who is refused in the middle of a body loses the connection, and with it the next request that was on its way.
    const answer = await sendTry(pool, one).catch(() => sendTry(pool, one));
    tally.answered(answer.status);
    judge(one, answer);
  } catch (error) {
    tally.answered(undefined);
    tally.found(
      'crash',
      `${one.method} ${one.route.pattern}: ${String(error)}, twice`,
      `${one.path} ${one.body?.name ?? ''}`,
    );
  }
}

/** The rows once two readings agree. */
async function settledRows(db: Database, accountId: string) {
  let rows = await readRows(db, accountId);
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    const again = await readRows(db, accountId);
    if (JSON.stringify([...again]) === JSON.stringify([...rows])) return again;
    rows = again;
  }
}

/** After all of it, the victim’s own call works. */
async function expectService(url: string, key: string, clientId: string, tally: Tally): Promise<void> {
  const answer = await fetch(`${url}/players?clientId=${clientId}`, { headers: { 'x-api-key': key } });
  if (answer.status !== 200)
    tally.found('failed call', `the victim’s own: ${answer.status} ${await answer.text()}`);
}
