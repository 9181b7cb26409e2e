import { execFileSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { startRig } from './rig.ts';
import type { Rig, Tabletop } from './rig.ts';

const inARow = 20;
const atOnce = 5;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
const mib = (bytes: number) => `${Math.round(bytes / 1_048_576)} MiB`;

/** Of all processes of the browser, shared pages counted once. */
function browserMemory(): number {
  const lines = execFileSync('ps', ['-eo', 'pid,ppid,comm', '--no-headers']).toString().trim().split('\n');
  const processes = lines.map((line) => line.trim().split(/\s+/));
  const own = new Set([String(process.pid)]);
  for (let grown = -1; grown !== own.size;) {
    grown = own.size;
    for (const [pid = '', ppid = '', comm = ''] of processes) {
      if (own.has(ppid) && /chrom/.test(comm)) own.add(pid);
    }
  }
  own.delete(String(process.pid));
  return [...own].reduce((sum, pid) => sum + proportionalBytes(pid), 0);
}

function proportionalBytes(pid: string): number {
  try {
    const text = execFileSync('cat', [`/proc/${pid}/smaps_rollup`], { stdio: ['ignore', 'pipe', 'ignore'] });
    return Number(/^Pss: +(\d+) kB/m.exec(text.toString())?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}

async function startOne(rig: Rig, { login }: Tabletop): Promise<{ ms: number; sessionId: string }> {
  const begun = performance.now();
  const { status, body } = await rig.sessions.logIn(login);
  if (status !== 200) throw new Error(`a start failed: ${JSON.stringify(body)}`);
  return { ms: performance.now() - begun, sessionId: String(body['sessionId']) };
}

/** How many a second, and the processor time of one: that of this process, callers and relays together. */
async function measureHandshakes(rig: Rig): Promise<{ perSecond: number; cpuMs: number }> {
  const seconds = 10;
  const login = { tabletopUrl: 'http://127.0.0.1:9', username: 'Ada' };
  const before = process.cpuUsage();
  const begun = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (; performance.now() - begun < seconds * 1000; done++) {
        const { status } = await rig.sessions.handshake(login);
        if (status !== 200) throw new Error(`a handshake answered ${status}`);
      }
    }),
  );
  const tookS = (performance.now() - begun) / 1000;
  const { user, system } = process.cpuUsage(before);
  return { perSecond: done / tookS, cpuMs: (user + system) / 1000 / done };
}

/** `pnpm soak:headless` alone runs it: it takes minutes, and prints the figures of docs/headless.md. */
const isLong = process.env['SOAK'] === '1';

it.runIf(isLong)('twenty sessions in a row leave nothing behind', { timeout: 600_000 }, async () => {
  const rig = await startRig();
  try {
    await rig.startHost({ headlessAtOnce: atOnce });
    const world = await rig.startWorld();
    const times: number[] = [];
    let early = 0;
    for (let index = 0; index < inARow; index++) {
      const { ms, sessionId } = await startOne(rig, world);
      times.push(ms);
      await rig.sessions.end(sessionId);
      if (index === 4) early = browserMemory();
    }
    const late = browserMemory();
    const worlds = await Promise.all(Array.from({ length: atOnce }, () => rig.startWorld()));
    await Promise.all(worlds.map((one) => startOne(rig, one)));
    const full = browserMemory();
    process.stdout.write(
      [
        `time to online: ${Math.round(median(times.slice(0, 10)))} ms, median of 10; the first ${Math.round(times[0] ?? 0)} ms`,
        `browser after 5 sessions ${mib(early)}, after ${inARow} ${mib(late)}`,
        `memory per session: ${mib((full - late) / atOnce)}, of ${atOnce} at once`,
      ].join('\n') + '\n',
    );
    const tokens = await rig.cluster.db.selectFrom('connectionTokens').select('id').execute();
    expect(tokens).toHaveLength(atOnce);
    expect(late).toBeLessThan(early * 1.3);
  } finally {
    await rig.stop();
  }
});

it.runIf(isLong)('handshakes, each with a key pair of its own', { timeout: 120_000 }, async () => {
  const rig = await startRig();
  try {
    const { perSecond, cpuMs } = await measureHandshakes(rig);
    process.stdout.write(
      `handshakes: ${perSecond.toFixed(1)} a second, ${Math.round(cpuMs)} ms of processor each\n`,
    );
    expect(perSecond).toBeGreaterThan(0);
  } finally {
    await rig.stop();
  }
});
