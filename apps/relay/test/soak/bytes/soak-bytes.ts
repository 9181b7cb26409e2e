import { readFileSync } from 'node:fs';
import { median, p99 } from '../../attack/floods/neighbour.ts';
import type { HeavyCounts } from './heavy-tenant.ts';
import { startBurners, startRig } from './rig.ts';
import type { Rig } from './rig.ts';

const load = { replyBytes: 8_000_000, atOnce: 30 };
/** The promises. */
const most = { p99Ms: 100, timesBurner: 2, rssMb: 400 };

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

interface Round {
  p99Ms: number;
  calls: number;
  failures: string[];
  /** How many processors worked meanwhile, on the whole machine. */
  processors: number;
}

/**
 * One tenant pulls replies of 8 MB through three relays as fast as it can, while fifty others call. Tells what the others
 * noticed, beside rounds in which a process only burns as much processor time, and which promises were broken.
 */
export async function soakBytes(rounds: number, ms: number): Promise<{ lines: string[]; broken: string[] }> {
  const rig = await startRig(load);
  const counts: HeavyCounts = {};
  const pull = async () => {
    for (const [what, count] of Object.entries(await rig.pull(ms)))
      counts[what] = (counts[what] ?? 0) + count;
  };
  const measured = { alone: [] as Round[], beside: [] as Round[], burning: [] as Round[] };
  // The first rounds warm all of it up, and show what the heavy tenant costs.
  await measure(rig, () => delay(ms));
  const rest = await measure(rig, () => delay(ms));
  const processors = (await measure(rig, pull)).processors - rest.processors;
  const burners = await startBurners(processors);
  for (let round = 0; round < rounds; round++) {
    measured.alone.push(await measure(rig, () => delay(ms)));
    measured.beside.push(await measure(rig, pull));
    measured.burning.push(await measure(rig, () => burners.burn(ms)));
  }
  burners.stop();
  const lostWorlds = rig.others.lostWorlds();
  const trouble = await rig.stop();

  const all = Object.values(measured).flat();
  const failures = all.flatMap((round) => round.failures);
  const middle = (list: readonly Round[]) => median(list.map(({ p99Ms }) => p99Ms));
  const highestMb = rig.highestMb();
  const lost = Object.keys(counts).filter((what) => !/^200$|not_sent/.test(what));
  const rows: Record<string, string | number> = {
    'p99 of the others alone': `${middle(measured.alone).toFixed(1)} ms`,
    'beside the heavy tenant': `${middle(measured.beside).toFixed(1)} ms`,
    [`beside a burner of ${processors.toFixed(2)} processors`]: `${middle(measured.burning).toFixed(1)} ms`,
    'calls of the others': all.reduce((sum, { calls }) => sum + calls, 0),
    'failed calls of the others': failures.length,
    'worlds of the others lost': lostWorlds,
    'replies of the heavy tenant': JSON.stringify(counts),
    'highest memory of the relays': `${highestMb.join(', ')} MB`,
    'warnings and errors in the logs': trouble.length,
  };
  const promises: [isKept: boolean, promise: string][] = [
    [failures.length === 0, 'no call of another tenant fails'],
    [lostWorlds === 0, 'no world of another tenant loses its connection'],
    [lost.length === 0, 'no reply is lost'],
    [middle(measured.beside) <= most.p99Ms, `the others wait for at most ${most.p99Ms} ms`],
    [
      middle(measured.beside) <= most.timesBurner * middle(measured.burning),
      `the others wait at most ${most.timesBurner} times as long as beside the burner`,
    ],
    [Math.max(...highestMb) <= most.rssMb, `no relay takes more than ${most.rssMb} MB`],
  ];
  const odd = new Set([...failures, ...trouble].slice(0, 20));
  return {
    lines: [
      ...Object.entries(rows).map(([name, value]) => `${name.padEnd(38)} ${value}`),
      ...[...odd].map((line) => `  ${line.slice(0, 300)}`),
    ],
    broken: promises.filter(([isKept]) => !isKept).map(([, promise]) => promise),
  };
}

/** What the others notice until `until` settles. */
async function measure({ others }: Rig, until: () => Promise<unknown>): Promise<Round> {
  const before = busyMs();
  const startedAt = performance.now();
  const { latenciesMs, failures } = await others.callUntil(until());
  const processors = (busyMs() - before) / (performance.now() - startedAt);
  return { p99Ms: p99(latenciesMs), calls: latenciesMs.length, failures, processors };
}

/** How long all processors have worked: user, nice and system time. */
function busyMs(): number {
  const [, user, nice, system] = readFileSync('/proc/stat', 'utf8').split(/\s+/, 4);
  return 10 * (Number(user) + Number(nice) + Number(system));
}
