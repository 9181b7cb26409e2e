import { describe, expect, test } from 'vitest';
import { defaultBulkBounds } from '../../src/redis/bulk-bounds.ts';
import { defaultTimes } from '../../src/redis/times.ts';
import type { SimClock } from './sim-clock.ts';
import { installSimClock } from './sim-clock.ts';
import { startTroubles } from './sim-troubles.ts';
import type { SimCall } from './sim-instance.ts';
import type { SimWorld } from './sim-world.ts';
import { createSimWorld, running } from './sim-world.ts';

/**
 * Runs the whole Redis driver in simulated time: three instances and eight worlds, with networks, machines, a Redis and a
 * Postgres that fail at random. Redis keeps its data with even seeds and loses it with odd ones. `SIM_SEED` repeats one
 * seed both ways, `SIM_RUNS` sets the number of seeds, and `SIM_SECONDS` the time until the faults end.
 */
const { SIM_SEED, SIM_RUNS, SIM_SECONDS } = process.env;
const firstSeed = Number(SIM_SEED ?? Math.floor(Math.random() * 1e9));
const runs = Number(SIM_RUNS ?? (SIM_SEED ? 1 : 15));
const troubledMs = Number(SIM_SECONDS ?? (SIM_SEED || SIM_RUNS ? 120 : 25)) * 1_000;
/** About 23 calls are made per second, and most of them are answered. */
const expectedReplies = troubledMs / 240;
const seeds = Array.from({ length: runs }, (_, index) => firstSeed + index);
/**
 * Seeds by which a fault was found once. 653454880: an asker that was suspended looked the owner up again, and the command
 * started late. 22245308: two machines that woke asserted their claims on a client whose last owner had gone.
 */
const knownSeeds = [653454880, 22245308];
const seedsOf = (parity: number): number[] =>
  SIM_SEED ? seeds : [...knownSeeds, ...seeds].filter((seed) => seed % 2 === parity);

describe('simulated', () => {
  test.each(seedsOf(0))(
    'one instance acts for a client, whatever fails but the data of Redis: seed %i',
    async (seed) => {
      const found = await simulate(seed, false);
      expect(found).toMatchObject({
        rivals: [],
        dishonest: [],
        unhealedCalls: [],
        unhealedClients: [],
        heldCalls: [],
        lateCalls: [],
      });
      expect(found.repliedCalls).toBeGreaterThan(expectedReplies);
    },
    60_000,
  );

  test.each(seedsOf(1))(
    'calls run at most once and all heals, even when Redis loses its data: seed %i',
    async (seed) => {
      const found = await simulate(seed, true);
      expect(found).toMatchObject({ dishonest: [], unhealedCalls: [], unhealedClients: [], heldCalls: [] });
      expect(found.repliedCalls).toBeGreaterThan(expectedReplies);
    },
    60_000,
  );
});

/** A shorter suspension is not noticed, and asker and owner each know Redis' time by half a round trip at worst. */
const latestMs = defaultTimes.leaseMs - defaultTimes.leaseUsableMs + defaultTimes.answerMs;
/** The longest time that a reply in chunks takes. */
const { transferMs } = defaultBulkBounds;

interface Findings {
  /** Clients for which two instances would have acted at the same time, with that time. */
  rivals: string[];
  /** Calls that ran twice, that ran though reported as not sent, or that did not run though they were answered. */
  dishonest: SimCall[];
  repliedCalls: number;
  /** Calls that began later after their deadline than can be. */
  lateCalls: SimCall[];
  /** Old calls whose reply still counts as in flight at the end, on an instance that lives. */
  heldCalls: SimCall[];
  /** After all faults have ended: calls without an answer, and clients without exactly one owner. */
  unhealedCalls: SimCall[];
  unhealedClients: string[];
}

async function simulate(seed: number, losesData: boolean): Promise<Findings> {
  const clock = installSimClock(losesData ? seed ^ 0x5bd1e995 : seed);
  try {
    const world = createSimWorld(clock);
    for (let index = 0; index < 3; index++) world.addInstance();
    for (let index = 0; index < 8; index++)
      world.addModules(`client-${index}`, {
        browsers: index % 2 === 0 ? 2 : 3,
        ignoresReconnect: index % 4 === 0,
        isStandby: index % 2 === 1,
      });
    const rivals = new Map<string, string>();
    let latestSkewMs = 0;
    const watchOwners = (): void => {
      latestSkewMs = Math.max(latestSkewMs, world.redis.skewMs);
      for (const clientId of rivalsIn(world)) rivals.set(clientId, `${clientId} at ${clock.now()} ms`);
    };
    const troubles = startTroubles(clock, world, losesData);
    startCallers(clock, world);
    await clock.runFor(troubledMs, watchOwners);
    troubles.end();
    world.calmDown();
    // What ends at a time of Redis' clock ends later by as much as that was set back.
    await clock.runFor(50_000 + latestSkewMs - world.redis.skewMs, watchOwners);
    const healed = await callEveryone(clock, world);
    const calls = [...world.calls.values()];
    return {
      rivals: [...rivals.values()],
      dishonest: calls.filter(isDishonest),
      lateCalls: calls.filter(({ lateMs }) => lateMs > latestMs),
      heldCalls: calls.filter(
        ({ deadline, holders }) =>
          clock.now() > deadline + transferMs && [...holders].some(({ state }) => state === 'running'),
      ),
      repliedCalls: calls.filter(({ outcome }) => outcome === 'replied').length,
      unhealedCalls: healed.filter(({ outcome }) => outcome !== 'replied'),
      unhealedClients: world.clientIds.filter((clientId) => world.actingFor(clientId).length !== 1),
    };
  } finally {
    clock.uninstall();
  }
}

function rivalsIn(world: SimWorld): string[] {
  return world.connectedTwice().filter((clientId) => world.actingAloneFor(clientId).length > 1);
}

function isDishonest({ outcome, deliveries }: SimCall): boolean {
  if (deliveries.length > 1) return true;
  if (outcome === 'not_sent') return deliveries.length > 0;
  return outcome === 'replied' && deliveries.length === 0;
}

/** One call from every instance to every client. */
async function callEveryone(clock: SimClock, world: SimWorld): Promise<SimCall[]> {
  const calls = world.clientIds.flatMap((clientId) =>
    running(world).map((instance) => world.call(instance, clientId, 3_000)),
  );
  await clock.runFor(4_000, () => {});
  return calls;
}

/** Makes calls from any instance to any client as long as the simulation runs. */
function startCallers(clock: SimClock, world: SimWorld): void {
  const next = (): void => {
    const from = clock.pick(running(world));
    if (from) world.call(from, clock.pick(world.clientIds), clock.between(100, 5_000));
    clock.after(clock.between(5, 80), next);
  };
  clock.after(1_000, next);
}
