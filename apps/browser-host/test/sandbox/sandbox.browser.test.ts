import { findChromium } from '@tabletop-relay/chromium';
import { spawnBound } from '@tabletop-relay/testing';
import type { BoundChild } from '@tabletop-relay/testing';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { tellOfSandbox } from '../../src/browser/sandbox.ts';

const script = new URL('start-chromium.ts', import.meta.url).pathname;
const isRoot = process.getuid?.() === 0;
/** Whom no rights are left to, and who owns nothing. */
const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups', '--pdeathsig=KILL'];
const asNobody = isRoot ? ['setpriv', ...nobody] : [];
const hasNamespaces =
  spawnSync([...asNobody, 'unshare'][0] ?? '', [...asNobody, 'unshare', '--user', 'true'].slice(1)).status ===
  0;

/** Resolves with what it printed, once its page is up or it has ended. */
async function startChromium(
  command: string[],
  args: string[] = [],
  env: Record<string, string> = {},
): Promise<{ child: BoundChild; said: string }> {
  const [program = '', ...rest] = [...command, process.execPath, script, ...args];
  const child = spawnBound({ command: program, env: { HOME: '/tmp', ...env } }, rest);
  onTestFinished(() => child.end('SIGKILL'));
  const { promise, resolve } = Promise.withResolvers<void>();
  let said = '';
  for (const stream of [child.process.stdout, child.process.stderr]) {
    stream?.on('data', (data: Buffer) => {
      said += data.toString();
      if (/^up$/m.test(said)) resolve();
    });
  }
  child.process.once('close', () => resolve());
  await promise;
  return { child, said };
}

/** The command lines of a process's descendants, by pid. */
function descendantsOf(pid: number): Map<string, string> {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=']).toString().trim().split('\n');
  const own = new Set([String(pid)]);
  for (let before = 0; before !== own.size;) {
    before = own.size;
    for (const [child = '', parent = ''] of rows.map((row) => row.trim().split(/\s+/)))
      if (own.has(parent)) own.add(child);
  }
  const alive = readdirSync('/proc').filter((name) => own.has(name));
  return new Map(alive.map((name) => [name, readFileSync(`/proc/${name}/cmdline`, 'utf8')]));
}

it.runIf(hasNamespaces)('pages run in the sandbox where the system lets it', async () => {
  // One that was unpacked before may be its owner's alone.
  const { command } = await findChromium();
  if (isRoot && command.includes('node_modules'))
    for (const file of [path.dirname(command), command]) chmodSync(file, 0o755);
  const { child, said } = await startChromium(asNobody, ['--require-sandbox']);
  expect(said).toMatch(/^up$/m);
  expect(said).not.toContain('without its sandbox');
  const renderers = [...descendantsOf(child.pid)].filter(([, line]) => line.includes('--type=renderer'));
  expect(renderers.length).toBeGreaterThan(0);
  for (const [pid] of renderers) {
    expect(readlinkSync(`/proc/${pid}/ns/user`)).not.toBe(readlinkSync('/proc/self/ns/user'));
    // Filtered: the sandbox also takes most system calls away.
    expect(readFileSync(`/proc/${pid}/status`, 'utf8')).toMatch(/^Seccomp:\t2$/m);
  }
});

it.runIf(hasNamespaces)('after one that ran in the sandbox, none runs without it', async () => {
  const { command, env } = await findChromium();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'relay-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o777);
  const program = path.join(folder, 'chromium');
  // In its sandbox it starts once, and then never again, as on a machine that has no more memory.
  writeFileSync(
    program,
    `#!/bin/sh
${Object.entries(env)
  .map(([name, value]) => `export ${name}='${value}'`)
  .join('\n')}
case "$*" in *--no-sandbox*) ;; *) mkdir '${folder}/once' || exit 1 ;; esac
exec '${command}' "$@"
`,
  );
  chmodSync(program, 0o755);
  const { child, said } = await startChromium(asNobody, ['--twice'], { CHROMIUM_PATH: program });
  expect(said).toMatch(/^up$/m);
  // The second was refused, which ends the script.
  await expect.poll(() => child.process.exitCode, { timeout: 20_000 }).toBe(1);
});

it.runIf(isRoot)(
  'root gets a browser without one, which is said, or none where one is asked for',
  async () => {
    const { said } = await startChromium([]);
    expect(said).toMatch(/^warn Chromium runs without its sandbox: .*another user than root/m);
    const refused = await startChromium([], ['--require-sandbox']);
    expect(refused.said).toContain('Chromium cannot run in its sandbox here, and REQUIRE_SANDBOX is on.');
  },
);

it('a host says at its start that the sandbox will be missing, and nothing where it will not', async () => {
  const lines: string[] = [];
  await tellOfSandbox(pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) }));
  const isMissing = isRoot || !hasNamespaces;
  const warning = expect.stringContaining('Chromium will run without its sandbox') as string;
  expect(lines).toEqual(isMissing ? [warning] : []);
});
