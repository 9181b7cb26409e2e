import { connectDatabase } from '@tabletop-relay/database';
import type { Database } from '@tabletop-relay/database';
import { startAttacked } from './attacked.ts';
import type { Attacked } from './attacked.ts';
import { createLogJudge } from './logs.ts';
import { runMatrix } from './matrix/run.ts';
import { runNames } from './names/run.ts';
import type { Ground, Outcome } from './outcome.ts';
import { fuzzSchemas } from './schema/run.ts';
import type { Tally } from './tally.ts';

/** Tenants are made anew after so many tries: their own records grow, and some of them are listed by the attack. */
const triesPerRound = 25_000;
/** The share of the tries that meets the limits as they are documented; the others are let past them. */
const limitedShare = 0.1;
/** The share that goes into bodies by the document. */
const schemaShare = 0.1;

type Round = Pick<Attacked, 'url' | 'routes'> & { db: Database; seed: number; tries: number };

/** Tries against one relay. */
interface Siege {
  what: string;
  tries: number;
  config: Record<string, unknown>;
  /** Resolves with what no log may hold. */
  run(round: Round): Promise<Record<string, string>>;
}

/** Most of the tries past limits that were raised, the others against the documented ones. */
export async function attackRoutes(outcome: Outcome, tally: Tally, ground: Ground): Promise<void> {
  const { tries } = outcome.plan;
  const limited = Math.round(tries * limitedShare);
  const run: Siege['run'] = (round) => runMatrix({ ...round, tally, stride: 3, inFlight: 64 });
  const raised = { what: 'tries of routes', tries: tries - limited - schemaTries(tries), config: {}, run };
  await besiege(outcome, tally, ground, raised);
  const { defaultLimits } = await import('../instances.ts');
  const config = {
    ...defaultLimits,
    limitRegister: '1000 per 1 min',
    limitPair: '1000 per 1 min',
    limitLogin: '1000 per 1 min',
  };
  const documented = { what: 'tries of routes under the documented limits', tries: limited, config, run };
  await besiege(outcome, tally, ground, documented);
  await attackNames(outcome, tally, ground);
}

/** The whole table of names, once. */
async function attackNames({ plan }: Outcome, tally: Tally, { databaseUrl, say }: Ground): Promise<void> {
  const relay = await startAttacked(tally, { databaseUrl });
  try {
    await runNames({ url: relay.url, tally, seed: plan.seed, inFlight: 64 });
  } finally {
    await relay.stop();
  }
  say('the table of names: done');
}

export async function attackSchemas(outcome: Outcome, tally: Tally, ground: Ground): Promise<void> {
  const run: Siege['run'] = (round) => fuzzSchemas({ ...round, tally, inFlight: 64 });
  const tries = schemaTries(outcome.plan.tries);
  await besiege(outcome, tally, ground, { what: 'tries of schemas', tries, config: {}, run });
}

const schemaTries = (tries: number) => Math.round(tries * schemaShare);

/** Attacks, a round at a time while there is time. Each round has a relay of its own, so it meets all limits unused. */
async function besiege({ plan, undone }: Outcome, tally: Tally, ground: Ground, siege: Siege): Promise<void> {
  const { databaseUrl, say, hasTime } = ground;
  const { what, tries, run } = siege;
  const config = { callTimeoutMs: 1_000, ...siege.config };
  const db = connectDatabase({ url: databaseUrl, poolSize: 3, log: { warn: () => {} } });
  try {
    for (let done = 0, round = 0; done < tries; done += triesPerRound, round++) {
      if (!hasTime()) return void undone.push(`${what}: ${done} of ${tries} are done`);
      const count = Math.min(triesPerRound, tries - done);
      const startedAt = performance.now();
      const relay = await startAttacked(tally, { databaseUrl, config });
      try {
        // The lines of a round wait until its secrets are known.
        const lines: string[] = [];
        relay.onLogLine((line) => void lines.push(line));
        const { url, routes } = relay;
        const secrets = await run({ url, routes, db, seed: plan.seed + round, tries: count });
        const judgeLog = createLogJudge(tally, secrets);
        for (const line of lines) judgeLog(line);
      } finally {
        await relay.stop();
      }
      const perSecond = Math.round((1_000 * count) / (performance.now() - startedAt));
      say(`${what}: ${done + count} of ${tries}, ${perSecond} a second`);
    }
  } finally {
    await db.destroy();
  }
}
