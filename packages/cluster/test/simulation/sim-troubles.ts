import type { SimClock } from './sim-clock.ts';
import type { SimInstance } from './sim-instance.ts';
import type { SimWorld } from './sim-world.ts';
import { running } from './sim-world.ts';

type Trouble = (victim: SimInstance) => void;

/** Runs `repair` after a random time between `low` and `high` ms, or when the troubles end. */
type ForAWhile = (low: number, high: number, repair: () => void) => void;

/**
 * Starts random faults until `end` is called, which repairs those that last. `losesData`: Redis loses data too, and its clock
 * is set.
 */
export function startTroubles(clock: SimClock, world: SimWorld, losesData: boolean): { end: () => void } {
  let isOver = false;
  const repairs = new Set<() => void>();
  const forAWhile: ForAWhile = (low, high, repair) => {
    repairs.add(repair);
    clock.after(clock.between(low, high), () => repairs.delete(repair) && repair());
  };

  const troubles = [
    ...networkTroubles(clock, forAWhile),
    ...processTroubles(clock, world, forAWhile),
    ...storeTroubles(world, forAWhile),
    ...(losesData ? [...dataLosses(clock, world), clockStep(clock, world)] : []),
  ];

  const next = (): void => {
    if (isOver) return;
    const victim = clock.pick(running(world));
    if (victim) clock.pick(troubles)(victim);
    clock.after(clock.between(200, 6_000), next);
  };
  clock.after(5_000, next);
  return {
    end: () => {
      isOver = true;
      for (const repair of repairs) repair();
    },
  };
}

function networkTroubles(clock: SimClock, forAWhile: ForAWhile): Trouble[] {
  return [
    ({ network }) => network.connections.forEach((connection) => clock.random() < 0.6 && connection.cut()),
    ({ network }) => {
      network.isHole = true;
      forAWhile(100, 12_000, () => (network.isHole = false));
    },
    ({ network }) => {
      network.isCutFromPostgres = true;
      forAWhile(500, 12_000, () => (network.isCutFromPostgres = false));
    },
    ({ network }) => {
      // Redis is lost first and Postgres later, so that the holds expire and others may see it.
      network.isHole = true;
      clock.after(clock.between(2_000, 6_000), () => (network.isCutFromPostgres = true));
      forAWhile(12_000, 20_000, () => {
        network.isHole = false;
        network.isCutFromPostgres = false;
      });
    },
  ];
}

function processTroubles(clock: SimClock, world: SimWorld, forAWhile: ForAWhile): Trouble[] {
  return [
    ({ host }) => {
      clock.stop(host);
      forAWhile(100, 9_000, () => clock.wake(host));
    },
    ({ host }) => {
      clock.suspend(host);
      forAWhile(100, 20_000, () => clock.wake(host));
    },
    ({ host, network }) => {
      host.state = 'dead';
      for (const connection of network.connections) connection.cut();
      world.addInstance();
    },
    (instance) => {
      // Modules need another instance to come over to.
      if (!instance.isDraining && running(world).some((other) => other !== instance && !other.isDraining))
        void world.drain(instance);
    },
  ];
}

function storeTroubles(world: SimWorld, forAWhile: ForAWhile): Trouble[] {
  return [
    () => {
      world.redis.isUp = false;
      cutAll(world);
      forAWhile(50, 10_000, () => (world.redis.isUp = true));
    },
    () => {
      world.postgres.isAway = true;
      forAWhile(500, 10_000, () => (world.postgres.isAway = false));
    },
  ];
}

/** Somebody sets the clock of the machine of Redis: what is to end at a time ends early or late. */
function clockStep(clock: SimClock, world: SimWorld): Trouble {
  return () => (world.redis.skewMs += clock.between(-30_000, 30_000));
}

function dataLosses(clock: SimClock, world: SimWorld): Trouble[] {
  return [
    () => {
      world.redis.empty();
      cutAll(world);
    },
    () => {
      const fallBack = world.redis.snapshot();
      clock.after(clock.between(10, 1_500), () => {
        fallBack();
        world.redis.skewMs += clock.between(-400, 400);
        cutAll(world);
      });
    },
  ];
}

function cutAll(world: SimWorld): void {
  for (const { network } of world.instances) for (const connection of network.connections) connection.cut();
}
