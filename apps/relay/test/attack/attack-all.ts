import { startPostgres } from '@tabletop-relay/testing';
import { attackRoutes, attackSchemas } from './attack-relay.ts';
import { floods } from './floods/list.ts';
import { startFloodRig } from './floods/rig.ts';
import { compareFlood } from './floods/run.ts';
import type { Ground, Outcome, Say } from './outcome.ts';
import { endsOfParts } from './plan.ts';
import type { Part } from './plan.ts';
import { races } from './races/index.ts';
import { startArena } from './races/start-arena.ts';
import { renderFindings, renderFlood, renderTries } from './report.ts';
import { createTally } from './tally.ts';
import type { Tally } from './tally.ts';

/** The part of all tries that no limit may turn away. */
const leastPastLimits = 0.3;

type Attack = (outcome: Outcome, tally: Tally, ground: Ground) => Promise<void>;

const attacks: Record<Part, Attack> = {
  matrix: attackRoutes,
  schema: attackSchemas,
  races: raceAll,
  floods: floodAll,
};

/** Attacks on a Postgres of its own, one part after the other. Says of each what it found as soon as it ends. */
export async function attackAll(outcome: Outcome, say: Say): Promise<void> {
  const { plan, startedAt } = outcome;
  const ends = endsOfParts(plan);
  const postgres = await startPostgres();
  try {
    for (const part of plan.parts) {
      const tally = (outcome.tallies[part] = createTally());
      const hasTime = () => performance.now() - startedAt < ends[part];
      await attacks[part](outcome, tally, { databaseUrl: postgres.url, say, hasTime });
      for (const line of [...renderTries([[part, tally]]), ...renderFindings([[part, tally]])]) say(line);
    }
  } finally {
    await postgres.stop();
  }
  if (plan.parts.includes('matrix')) judgePastLimits(outcome);
}

/** What only met limits says little of what lies behind them. */
function judgePastLimits({ plan, tallies, undone }: Outcome): void {
  const past = Object.values(tallies).reduce((sum, { pastLimits }) => sum + pastLimits, 0);
  const least = plan.tries * leastPastLimits;
  if (past < least) undone.push(`tries past the limits: ${past} of ${least} are done`);
}

async function raceAll({ plan, undone }: Outcome, tally: Tally, ground: Ground): Promise<void> {
  const limited = new Set(races.filter(({ once }) => once));
  const arena = await startArena(ground.databaseUrl);
  try {
    for (let round = 0; round < plan.raceRounds; round++) {
      if (!ground.hasTime())
        return void undone.push(`rounds of races: ${round} of ${plan.raceRounds} are done`);
      for (const race of races) if (round === 0 || !limited.has(race)) await race.run({ ...arena, tally });
      ground.say(`races: round ${round + 1} of ${plan.raceRounds}`);
    }
  } finally {
    await arena.stop();
  }
}

async function floodAll(
  { plan, floods: done, undone }: Outcome,
  tally: Tally,
  ground: Ground,
): Promise<void> {
  const rig = await startFloodRig(ground.databaseUrl, tally);
  try {
    for (const flood of floods.filter(({ title }) => title.includes(plan.flood))) {
      if (!ground.hasTime()) {
        undone.push(`flood: ${flood.title}`);
        continue;
      }
      const figures = await compareFlood(rig, flood, { rounds: plan.rounds, ms: plan.floodMs });
      done.push(figures);
      ground.say(renderFlood(figures));
    }
  } finally {
    await rig.stop();
  }
}
