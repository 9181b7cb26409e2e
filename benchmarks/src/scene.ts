import type { Child } from './processes/child.ts';
import type { LoadTarget } from './load.ts';
import { bareCallTo, callTo } from './rig.ts';
import type { Rig } from './rig.ts';
import type { Seat } from './seed.ts';
import type { World } from './processes/worlds.ts';

/** The four ways that are compared, each with what to call and whose time counts. */
export interface Way {
  targets: readonly LoadTarget[];
  watched: readonly Child[];
}

export type WayName = 'floor' | 'pipe' | 'local' | 'across';

export interface Scene {
  rig: Rig;
  /** Short bodies. */
  ways: Record<WayName, Way>;
}

/** So many that no world's and no key's calls in flight reach their bounds at 256 connections. */
const worldsPerScene = 8;

/** Worlds on an instance, of a process of their own, that answer so many bytes of items; 0: a short answer. */
export async function seatWorlds(rig: Rig, instance: Child, answerBytes: number): Promise<Seat[]> {
  const worlds = await rig.startWorlds();
  const seats = await rig.seat(worldsPerScene);
  await worlds.connect({
    worlds: seats.map((seat) => ({ ...seat, url: instance.url, answerBytes })),
    atOnce: worldsPerScene,
  });
  return seats;
}

/** A floor, the least relay, and two instances with worlds on the second. */
export async function setScene(rig: Rig): Promise<Scene> {
  const [floor, pipe, first, second, worlds] = await Promise.all([
    rig.startServer('./floor.ts'),
    rig.startServer('./pipe.ts'),
    rig.startInstance(),
    rig.startInstance(),
    rig.startWorlds(),
  ]);

  const seats = await rig.seat(worldsPerScene);
  const at = ({ url }: Child): World[] => seats.map(({ clientId, token }) => ({ url, clientId, token }));
  await worlds.connect({ worlds: [...at(pipe), ...at(second)], atOnce: worldsPerScene });
  const through = (server: Child) => seats.map((seat: Seat) => callTo(server, seat));
  const ways = {
    floor: { targets: [bareCallTo(floor)], watched: [floor] },
    pipe: { targets: seats.map(({ clientId }) => bareCallTo(pipe, clientId)), watched: [pipe] },
    local: { targets: through(second), watched: [second] },
    across: { targets: through(first), watched: [first, second] },
  };
  return { rig, ways };
}
