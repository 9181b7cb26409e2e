import { setTimeout as delay } from 'node:timers/promises';
import type { Usage } from '../processes/child.ts';
import { pacedLoad } from '../load.ts';
import type { LoadResult } from '../load.ts';
import { refuseFailures } from '../measure.ts';
import type { Section } from '../report/report.ts';
import { callTo } from '../rig.ts';
import type { Rig } from '../rig.ts';
import type { Scale } from '../scale.ts';
import type { Seat } from '../seed.ts';
import { residentBytes } from '../resident-bytes.ts';

const warmUpClients = 100;
const connectsAtOnce = 200;
const callsPerSecond = 200;
const callers = 8;

/** What idle worlds cost an instance, and the calls of others. */
// oxlint-disable-next-line max-lines-per-function -- A measurement is read from its first step to its table.
export async function measureIdle(rig: Rig, scale: Scale): Promise<Section> {
  const instance = await rig.startInstance();
  const [busy, idle] = await Promise.all([rig.startWorlds(), rig.startWorlds()]);
  const busySeats = await rig.seat(callers);
  const worldsOf = (seats: readonly Seat[]) => seats.map((seat) => ({ ...seat, url: instance.url }));
  await busy.connect({ worlds: worldsOf(busySeats), atOnce: callers });
  const seats = await rig.seat(scale.idleClients + warmUpClients);
  const callOthers = async (until: Promise<unknown>) => {
    return await pacedLoad(busySeats.map((seat) => callTo(instance, seat)), { perSecond: callsPerSecond, until });
  }; // prettier-ignore

  // What the code itself needs once it has run is not counted as the clients'.
  refuseFailures(await callOthers(delay(scale.seconds * 1000)));
  await idle.connect({ worlds: worldsOf(seats.slice(0, warmUpClients)), atOnce: connectsAtOnce });
  const empty = await residentBytes(instance);
  const worlds = worldsOf(seats.slice(warmUpClients));
  await idle.connect({ worlds, atOnce: connectsAtOnce });
  const after = await instance.ask<Usage>('usage');
  const perClientBefore = (after.rssBytes - empty) / worlds.length;
  const perClient = ((await residentBytes(instance)) - empty) / worlds.length;
  const calm = await callOthers(delay(scale.seconds * 2000));

  await idle.ask('drop');
  await idle.connect({ worlds, atOnce: worlds.length });
  const perClientAfter = ((await residentBytes(instance)) - empty) / worlds.length;

  const count = worlds.length.toLocaleString('en');
  return {
    title: 'Idle worlds',
    reading: [
      `One instance; ${count} worlds that say nothing. Their memory is what the process grew by, after full`,
      'collections before and after; of it, 6 KB are objects of the heap, the rest is native memory and room that the',
      `heap grew by while they connected. Others call ${callsPerSecond} times a second meanwhile, for worlds on the same instance.`,
    ].join('\n'),
    columns: ['What', 'Measured'],
    rows: [
      ['Resident memory per client just after connecting, with its garbage', showKb(perClientBefore)],
      ['Resident memory per idle client', showKb(perClient)],
      ['The same after all of them were cut and came back', showKb(perClientAfter)],
      ['Calls of others while all are idle, p50 / p99', showQuantiles(calm)],
    ],
    verdicts: [
      {
        what: 'Resident memory per idle client',
        target: 15,
        measured: perClient / 1000,
        unit: ' KB',
        whyMissed:
          'objects take 6 KB of it (heap snapshot); the heap gives back little of the room it took while they connected',
      },
    ],
  };
}

function showKb(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} KB`;
}

function showQuantiles({ p50Ms, p99Ms }: LoadResult): string {
  return `${p50Ms.toFixed(1)} ms / ${p99Ms.toFixed(1)} ms`;
}
