import { connectDatabase } from '@tabletop-relay/database';
import { startPostgres } from '@tabletop-relay/testing';
import { startAttacked } from './attacked.ts';
import { floods } from './floods/list.ts';
import { startFloodRig } from './floods/rig.ts';
import { compareFlood } from './floods/run.ts';
import type { FloodFigures } from './floods/run.ts';
import { createLogJudge } from './logs.ts';
import { runMatrix } from './matrix/run.ts';
import type { Part, Plan } from './plan.ts';
import { races } from './races/index.ts';
import { startArena } from './races/start-arena.ts';
import { fuzzSchemas } from './schema/run.ts';
import { createTally } from './tally.ts';
import type { Tally } from './tally.ts';

export interface Outcome {
  plan: Plan;
  /** One tally for each part that was run. */
  tallies: Partial<Record<Part, Tally>>;
  floods: readonly FloodFigures[];
  seconds: number;
}

export type Say = (line: string) => void;

/** Tenants are made anew after so many tries: their own records grow, and some of them are listed by the attack. */
const triesPerRound = 25_000;
/** The share that meets the limits as they are documented; the rest is let past them. */
const limitedShare = 0.1;

/** Attacks on a Postgres of its own, one part after the other. */
export async function attackAll(plan: Plan, say: Say): Promise<Outcome> {
  const startedAt = performance.now();
  const postgres = await startPostgres();
  const tallies: Outcome['tallies'] = {};
  let figures: FloodFigures[] = [];
  try {
    const run = async <T>(part: Part, attack: (tally: Tally) => Promise<T>): Promise<T | undefined> => {
      if (!plan.parts.includes(part)) return undefined;
      const tally = (tallies[part] = createTally());
      const result = await attack(tally);
      say(`${part}: ${tally.tries} tries, ${tally.findings().length} kinds of findings`);
      return result;
    };
    await run('matrix', (tally) => attackRoutes(plan, tally, { databaseUrl: postgres.url, say }));
    await run('schema', (tally) => attackSchemas(plan, tally, { databaseUrl: postgres.url, say }));
    await run('races', (tally) => raceAll(plan, tally, { databaseUrl: postgres.url, say }));
    figures =
      (await run('floods', (tally) => floodAll(plan, tally, { databaseUrl: postgres.url, say }))) ?? [];
  } finally {
    await postgres.stop();
  }
  return { plan, tallies, floods: figures, seconds: (performance.now() - startedAt) / 1000 };
}

interface Ground {
  databaseUrl: string;
  say: Say;
}

/** The share of the tries that goes into bodies by the document. */
const schemaShare = 0.1;

/** Most of the tries past limits that were raised, the others against the documented ones. */
async function attackRoutes(plan: Plan, tally: Tally, ground: Ground): Promise<void> {
  const limited = Math.round(plan.tries * limitedShare);
  await attackRelay(plan, tally, {
    ...ground,
    tries: plan.tries - limited,
    config: { callTimeoutMs: 1_000 },
  });
  const { defaultLimits } = await import('../instances.ts');
  const config = {
    ...defaultLimits,
    limitRegister: '1000 per 1 min',
    limitPair: '1000 per 1 min',
    limitLogin: '1000 per 1 min',
    callTimeoutMs: 1_000,
  };
  await attackRelay(plan, tally, { ...ground, tries: limited, config });
}

async function attackRelay(
  plan: Plan,
  tally: Tally,
  { databaseUrl, say, tries, config }: Ground & { tries: number; config: Record<string, unknown> },
): Promise<void> {
  const relay = await startAttacked(tally, { databaseUrl, config });
  const db = connectDatabase({ url: databaseUrl, poolSize: 3, log: { warn: () => {} } });
  try {
    for (let done = 0, round = 0; done < tries; done += triesPerRound, round++) {
      // The lines of a round wait until its secrets are known.
      const lines: string[] = [];
      relay.onLogLine((line) => void lines.push(line));
      const secrets = await runMatrix({
        url: relay.url,
        db,
        routes: relay.routes,
        tally,
        seed: plan.seed + round,
        tries: Math.min(triesPerRound, tries - done),
        stride: 3,
        inFlight: 64,
      });
      const judgeLog = createLogJudge(tally, secrets);
      for (const line of lines) judgeLog(line);
      say(`matrix: ${tally.tries} tries`);
    }
  } finally {
    await relay.stop();
    await db.destroy();
  }
}

async function attackSchemas(plan: Plan, tally: Tally, { databaseUrl, say }: Ground): Promise<void> {
  const tries = Math.round(plan.tries * schemaShare);
  const relay = await startAttacked(tally, { databaseUrl, config: { callTimeoutMs: 1_000 } });
  const db = connectDatabase({ url: databaseUrl, poolSize: 3, log: { warn: () => {} } });
  try {
    const attack = { url: relay.url, db, routes: relay.routes, tally, inFlight: 64 };
    for (let done = 0, round = 0; done < tries; done += triesPerRound, round++) {
      const lines: string[] = [];
      relay.onLogLine((line) => void lines.push(line));
      const secrets = await fuzzSchemas({
        ...attack,
        seed: plan.seed + round,
        tries: Math.min(triesPerRound, tries - done),
      });
      const judgeLog = createLogJudge(tally, secrets);
      for (const line of lines) judgeLog(line);
      say(`schema: ${tally.tries} tries`);
    }
  } finally {
    await relay.stop();
    await db.destroy();
  }
}

async function raceAll(plan: Plan, tally: Tally, { databaseUrl, say }: Ground): Promise<void> {
  const limited = new Set(races.filter(({ once }) => once));
  const arena = await startArena(databaseUrl);
  try {
    for (let round = 0; round < plan.raceRounds; round++) {
      for (const race of races) if (round === 0 || !limited.has(race)) await race.run({ ...arena, tally });
      say(`races: round ${round + 1} of ${plan.raceRounds}`);
    }
  } finally {
    await arena.stop();
  }
}

async function floodAll(plan: Plan, tally: Tally, { databaseUrl, say }: Ground): Promise<FloodFigures[]> {
  const rig = await startFloodRig(databaseUrl, tally);
  const figures: FloodFigures[] = [];
  try {
    for (const flood of floods.filter(({ title }) => title.includes(plan.flood))) {
      const figure = await compareFlood(rig, flood, { rounds: plan.rounds, ms: plan.floodMs });
      figures.push(figure);
      say(`flood: ${flood.title}`);
    }
  } finally {
    await rig.stop();
  }
  return figures;
}
