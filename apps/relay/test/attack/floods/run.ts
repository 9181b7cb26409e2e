import type { Flood } from './flood.ts';
import type { Calls } from './neighbour.ts';
import { median, p99 } from './neighbour.ts';
import type { FloodRig } from './rig.ts';
import type { Sent } from './task.ts';

/** What a flood did, beside what it broke. */
export interface FloodFigures {
  title: string;
  sent: Sent;
  /** Of the neighbour's calls, the median over the rounds, while the flood went to the relay and while it went to the bare listener. */
  relayP99Ms: number;
  bareP99Ms: number | undefined;
  calls: number;
  failedCalls: number;
  rssGrowthMb: number;
}

/** The neighbour's calls are answered within it while there is a flood. */
const maxP99Ms = 100;
/** Where it is above that while the flood goes elsewhere, the machine has no room to measure anything. */
const maxBareP99Ms = 50;
const keysDuringFlood = 5;

/** Floods the relay once and judges all but how fast the neighbour was answered. */
export async function runFlood(rig: FloodRig, flood: Flood, ms: number): Promise<FloodFigures> {
  const memory = watchMemory(rig);
  try {
    const keysMade = makeKeys(rig);
    const { sent, calls } = await floodOnce(rig, flood, { url: rig.url, ms });
    judgeCalls(rig, flood, calls);
    await judgeKeys(rig, flood, await keysMade);
    const rssGrowthMb = Math.round(memory.growthMb());
    if (flood.maxGrowthMb !== undefined && rssGrowthMb > flood.maxGrowthMb)
      rig.tally.found(
        'unbounded',
        `${flood.title}: memory grew by more than ${flood.maxGrowthMb} MB`,
        `${rssGrowthMb} MB`,
      );
    await flood.judge?.(rig, sent);
    return {
      title: flood.title,
      sent,
      relayP99Ms: p99(calls.latenciesMs),
      bareP99Ms: undefined,
      calls: calls.latenciesMs.length,
      failedCalls: calls.failures.length,
      rssGrowthMb,
    };
  } finally {
    memory.stop();
  }
}

function watchMemory({ rssBytes }: FloodRig): { growthMb(): number; stop(): void } {
  const before = rssBytes();
  let highest = before;
  const timer = setInterval(() => (highest = Math.max(highest, rssBytes())), 50);
  return { growthMb: () => (highest - before) / 1e6, stop: () => clearInterval(timer) };
}

/**
 * Rounds of the flood, by turns at the bare listener and at the relay, and how the two compare for the neighbour: by
 * the median of the rounds' p99, so that what else the machine did in one of them does not decide. Only the flood's target
 * differs: what rightful people do meanwhile, they do at the relay in both.
 */
export async function compareFlood(
  rig: FloodRig,
  flood: Flood,
  { rounds, ms }: { rounds: number; ms: number },
): Promise<FloodFigures> {
  const figures = await runFlood(rig, flood, ms);
  const atBare: number[] = [];
  const atRelay: number[] = [];
  const judged: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const bare = await floodOnce(rig, flood, { url: rig.bare.url, ms });
    atBare.push(p99(bare.calls.latenciesMs));
    const relay = await floodOnce(rig, flood, { url: rig.url, ms });
    judgeCalls(rig, flood, relay.calls);
    await flood.judge?.(rig, relay.sent);
    figures.failedCalls += relay.calls.failures.length;
    figures.calls += relay.calls.latenciesMs.length;
    figures.sent.sent += relay.sent.sent;
    atRelay.push(p99(relay.calls.latenciesMs));
    if (atBare.at(-1)! <= maxBareP99Ms) judged.push(atRelay.at(-1)!);
  }
  figures.relayP99Ms = median(atRelay);
  figures.bareP99Ms = median(atBare);
  if (judged.length === 0) rig.tally.found('slowed', `${flood.title}: the machine was too busy to judge it`);
  else if (median(judged) > maxP99Ms)
    rig.tally.found(
      'slowed',
      `${flood.title}: p99 of ${median(judged).toFixed(1)} ms, beside a bare listener ${figures.bareP99Ms.toFixed(1)} ms`,
    );
  return figures;
}

async function floodOnce(
  rig: FloodRig,
  flood: Flood,
  { url, ms }: { url: string; ms: number },
): Promise<{ sent: Sent; calls: Calls }> {
  const flooding = rig.flooder.run({ ...flood.task(rig), url, ms, network: rig.nextNetwork() });
  const isOver = Promise.all([flooding, flood.meanwhile?.(rig)]);
  const calls = await rig.neighbour.callUntil(isOver);
  return { sent: await flooding, calls };
}

function judgeCalls({ tally, neighbour }: FloodRig, { title }: Flood, calls: Calls): void {
  for (const failure of calls.failures) tally.found('failed call', title, failure);
  if (neighbour.module.socket.readyState !== neighbour.module.socket.OPEN)
    tally.found('lock-out', `${title}: the neighbour’s world lost its connection`);
}

/** The neighbour makes keys while the flood goes on: each is recorded, and the records stay. */
async function makeKeys({ neighbour }: FloodRig): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < keysDuringFlood; index++) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { body } = await neighbour.account.as('POST', '/auth/api-keys', {
      name: 'during a flood',
      scopes: ['clients:read'],
    });
    ids.push(String(body['id']));
  }
  return ids;
}

async function judgeKeys({ db, tally }: FloodRig, { title }: Flood, ids: readonly string[]): Promise<void> {
  const deadline = performance.now() + 10_000;
  for (;;) {
    const rows = await db
      .selectFrom('auditLog')
      .select('subjectId')
      .where('event', '=', 'api_key.created')
      .where('subjectId', 'in', ids)
      .execute();
    if (rows.length === ids.length) return;
    if (performance.now() > deadline)
      return tally.found(
        'lost record',
        `${title}: ${ids.length - rows.length} of ${ids.length} keys have no record`,
      );
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
