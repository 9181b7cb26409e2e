import { waitFor } from '@tabletop-relay/testing';
import type { BoundChild } from '@tabletop-relay/testing';
import { createAccount, sessionCaller } from '@tabletop-relay/testing/scenes';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readUsage } from '../src/browser/process-usage.ts';
import { servePage } from './door.ts';
import { liveSessions } from './live-sessions.ts';
import type { LiveSessions } from './live-sessions.ts';
import { browserPids, spawnHost } from './processes.ts';
import { startRig } from './rig.ts';
import type { Rig, Tabletop } from './rig.ts';

/** Attacks on neighbours by a page in the same browser host. The neighbour is another account, with a session of its own there. */
let rig: Rig;
let host: BoundChild;
let live: LiveSessions;
let running: { clientId: string };
let further: Tabletop;
let attacker: ReturnType<typeof sessionCaller>;
beforeAll(async () => {
  rig = await startRig();
  host = spawnHost(rig, 'main', { HEADLESS_MEMORY_MB: '512' });
  live = liveSessions(rig);
  running = await live.start(await rig.startWorld());
  further = await rig.startWorld();
  attacker = sessionCaller(rig.first.url, await (await createAccount(rig.first.url)).createKey());
});
afterAll(async () => {
  await host.end('SIGKILL');
  await rig.stop();
});

/** A page that passes for a demo world that has begun to load, and runs a script. */
async function serveAttack(script: string): Promise<{ tabletopUrl: string; hasBegun(): boolean }> {
  let hasBegun = false;
  const url = await servePage((request, response) => {
    if (request.url === '/play') hasBegun = true;
    response.setHeader('content-type', 'text/html');
    response.end(`<meta name=tabletop content=demo-world>
      <body><script>if (location.pathname === '/play') setTimeout(() => { ${script} }, 100)</script>`);
  });
  return { tabletopUrl: `${url}login`, hasBegun: () => hasBegun };
}

const hostBytes = () =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${host.pid}/status`, 'utf8'))?.[1]) * 1024;

/** Which of them comes first depends on how fast the host reads. */
const bounds = /sent more than 1000 messages a second|took more than (512 MiB of memory|400 threads)/;

/** Of attacks that end at one bound, one is made in each run of all tests, and the others in `pnpm test:slow`. */
const slowOnes = new Set([
  'writes to its console without end',
  'floods it with errors',
  'makes frames without end',
]);
const attacks: [what: string, script: string, detail: RegExp][] = [
  ['floods its console', 'for (;;) console.log("x".repeat(200), {})', bounds],
  [
    'writes to its console without end',
    'setInterval(() => { for (let line = 0; line < 100; line++) console.log("x") }, 20)',
    bounds,
  ],
  ['floods it with errors', 'for (;;) reportError(new Error("x"))', bounds],
  [
    'writes one line of 160 MiB',
    'console.log("x".repeat(160 * 1_048_576))',
    /sent one message of more than 64 MiB|took more than 512 MiB/,
  ],
  [
    'fills its memory with buffers',
    'globalThis.kept = []; for (;;) kept.push(new Uint8Array(32 * 1_048_576).fill(1))',
    /took more than 512 MiB of memory/,
  ],
  [
    'opens windows',
    'setInterval(() => { for (let i = 0; i < 50; i++) open("about:blank") }, 1)',
    /its page opened more than 100 windows/,
  ],
  [
    'makes frames without end',
    'setInterval(() => { for (let i = 0; i < 50; i++) document.body.append(document.createElement("iframe")) }, 1)',
    bounds,
  ],
  [
    'starts workers that never rest',
    'for (let i = 0; i < 5_000; i++) new Worker(URL.createObjectURL(new Blob(["for(;;);"])))',
    bounds,
  ],
];

it.each(attacks.filter(([what]) => process.env['HOSTILE'] === 'all' || !slowOnes.has(what)))(
  'while a page %s, another account’s session answers and its start succeeds',
  async (_what, script, detail) => {
    const before = hostBytes();
    const { tabletopUrl, hasBegun } = await serveAttack(script);
    const attack = attacker.logIn({ tabletopUrl, username: 'Ada', password: 'p' });
    await waitFor(hasBegun, { timeoutMs: 30_000 });
    const begun = performance.now();
    const [checks, started] = await Promise.all([checkUntilDone(attack), live.start(further)]);
    await rig.sessions.end(started.sessionId);
    expect(checks.every((status) => status === 200)).toBe(true);
    expect((await attack).body).toMatchObject({
      code: 'session_failed',
      detail: expect.stringMatching(detail),
    });
    // Long before the stage of a log-in is given up.
    expect(performance.now() - begun).toBeLessThan(30_000);
    expect(hostBytes() - before).toBeLessThan(400 * 1_048_576);
  },
);

it('a host that is killed leaves no browser, though a page never rests', async () => {
  const { tabletopUrl, hasBegun } = await serveAttack('for (;;);');
  const attack = attacker.logIn({ tabletopUrl, username: 'Ada', password: 'p' });
  attack.catch(() => {});
  await waitFor(hasBegun, { timeoutMs: 30_000 });
  const browsers = new Set(browserPids(host.pid));
  expect(browsers.size).toBe(2);
  await host.end('SIGKILL');
  const alive = () => [...readUsage(browsers).values()].filter(({ bytes }) => bytes > 0);
  await expect.poll(alive).toEqual([]);
});

/** The statuses of the neighbour's calls, one after the other, for as long as the attack runs. */
async function checkUntilDone(attack: Promise<unknown>): Promise<number[]> {
  const statuses: number[] = [];
  let isDone = false;
  void attack.finally(() => (isDone = true));
  while (!isDone) statuses.push((await live.skillCheck(running.clientId)).status);
  return statuses;
}
