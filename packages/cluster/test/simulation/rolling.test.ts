import { expect, test } from 'vitest';
import { installSimClock } from './sim-clock.ts';
import type { SimCall } from './sim-instance.ts';
import { createSimWorld, running } from './sim-world.ts';

/** `SIM_SEED` repeats one seed. */
const { SIM_SEED } = process.env;
const seeds = SIM_SEED ? [Number(SIM_SEED)] : Array.from({ length: 4 }, (_, seed) => seed);
const worlds = 12;
const obeys = (clientId: string): boolean => Number(clientId.slice('client-'.length)) % 4 !== 0;

test.each(seeds)(
  'three instances are replaced in turn and no call fails, with seed %i',
  async (seed) => {
    const clock = installSimClock(seed);
    try {
      const world = createSimWorld(clock);
      for (let index = 0; index < 3; index++) world.addInstance();
      for (let index = 0; index < worlds; index++) {
        const clientId = `client-${index}`;
        world.addModules(clientId, { browsers: 1, ignoresReconnect: !obeys(clientId) });
      }
      world.calmDown();
      await clock.runFor(10_000, () => {});

      const called = new Map<string, SimCall[]>(world.clientIds.map((clientId) => [clientId, []]));
      let isOver = false;
      const callNext = (): void => {
        if (isOver) return;
        const from = clock.pick(running(world).filter(({ isDraining }) => !isDraining));
        const clientId = clock.pick(world.clientIds);
        called.get(clientId)?.push(world.call(from, clientId, 10_000));
        clock.after(clock.between(1, 40), callNext);
      };
      clock.after(0, callNext);

      const rivalSince = new Map<string, number>();
      let longestRivalryMs = 0;
      const watchOwners = (): void => {
        for (const clientId of world.clientIds) {
          if (world.actingFor(clientId).length < 2) rivalSince.delete(clientId);
          const since = rivalSince.get(clientId) ?? clock.now();
          if (world.actingFor(clientId).length > 1) rivalSince.set(clientId, since);
          longestRivalryMs = Math.max(longestRivalryMs, clock.now() - since);
        }
      };
      for (const leaving of world.instances.slice()) {
        let isGone = false;
        void world.drain(leaving).then(() => (isGone = true));
        while (!isGone) await clock.runFor(100, watchOwners);
        await clock.runFor(3_000, watchOwners);
      }

      isOver = true;
      await clock.runFor(10_000, () => {});
      const outcomesOf = (clientIds: string[]): Set<unknown> =>
        new Set(clientIds.flatMap((clientId) => called.get(clientId) ?? []).map(({ outcome }) => outcome));
      expect(outcomesOf(world.clientIds.filter(obeys))).toEqual(new Set(['replied']));
      const ignoring = world.clientIds.filter((clientId) => !obeys(clientId));
      expect(outcomesOf(ignoring)).toEqual(new Set(['replied', 'not_sent']));
      expect(longestRivalryMs).toBeLessThan(50);
    } finally {
      clock.uninstall();
    }
  },
  60_000,
);
