import { setTimeout as delay } from 'node:timers/promises';
import { pacedLoad } from '../load.ts';
import type { LoadResult } from '../load.ts';
import { refuseFailures } from '../measure.ts';
import type { Section, Verdict } from '../report/report.ts';
import type { Scale } from '../scale.ts';
import type { Scene } from '../scene.ts';
import { showSpread, spreadOf } from '../report/statistics.ts';

const targets = { local: 1, across: 2 };
const names = { local: 'owner local', across: 'across instances' };

/** What a relayed call waits longer than one to the floor, both at half of what the relayed way can carry. */
export async function measureLatency(
  scene: Scene,
  scale: Scale,
  capacity: Record<'local' | 'across', number>,
): Promise<Section> {
  const rows: string[][] = [];
  const verdicts: Verdict[] = [];
  for (const way of ['local', 'across'] as const) {
    const perSecond = capacity[way] / 2;
    const floor: LoadResult[] = [];
    const relayed: LoadResult[] = [];
    for (let round = 0; round < scale.rounds; round++) {
      floor.push(await atPace(scene, 'floor', perSecond, scale.seconds));
      relayed.push(await atPace(scene, way, perSecond, scale.seconds));
    }
    const added = spreadOf(relayed.map(({ p50Ms }, round) => p50Ms - (floor[round] as LoadResult).p50Ms));
    const of = (results: LoadResult[]) => showSpread(spreadOf(results.map(({ p50Ms }) => p50Ms)), 2);
    rows.push([names[way], perSecond.toFixed(0), of(floor), of(relayed), showSpread(added, 2)]);
    verdicts.push({
      what: `Added latency p50, ${names[way]}`,
      target: targets[way],
      measured: added.median,
      unit: ' ms',
      whyMissed,
    });
  }
  return {
    title: 'Added latency at half load',
    reading: [
      'Calls are sent when they are due, at half of the calls per second measured above with 32 connections, and',
      'wait for nobody. “Added” is the relayed call’s median less that of the floor at the same pace in the same',
      'round; the world’s own process answers within it.',
    ].join('\n'),
    columns: ['Way', 'Calls per second', 'Floor, ms', 'Relayed, ms', 'Added, ms'],
    rows,
    verdicts,
  };
}

const whyMissed =
  'callers, Redis, worlds and instances share the processors here; compare the floor’s own median';

async function atPace(scene: Scene, way: 'floor' | 'local' | 'across', perSecond: number, seconds: number) {
  const result = await pacedLoad(scene.ways[way].targets, { perSecond, until: delay(seconds * 1000) });
  refuseFailures(result);
  return result;
}
