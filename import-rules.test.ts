import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = import.meta.dirname;
const rulesFile = path.join(root, '.dependency-cruiser.mjs');
const { default: rules, rooms } = (await import(rulesFile)) as {
  default: { forbidden: { name: string }[] };
  rooms: string[];
};
const workspace = mkdtempSync(path.join(os.tmpdir(), 'relay-imports-'));

const ours = (name: string) => `import '@tabletop-relay/${name}';`;

const allowed = {
  'packages/contract/src/index.ts': '',
  'packages/process/src/index.ts': '',
  'packages/kit/src/index.ts': '',
  'packages/cluster/src/index.ts': ours('kit'),
  'packages/cluster/src/redis/keys.ts': '',
  'packages/limits/src/index.ts': ours('cluster/redis/keys'),
  'packages/database/src/index.ts': ours('contract'),
  'packages/cli/src/index.ts': `export type * from '../../sdk/src/egg.ts';`,
  'packages/headless/src/index.ts': ours('contract') + ours('database') + ours('cluster/redis/keys'),
  'packages/notifications/src/index.ts': ours('contract'),
  'packages/database/src/query.int.test.ts': ours('testing'),
  'packages/testing/src/index.ts': ours('database'),
  'apps/relay/src/index.ts': ours('contract') + ours('database') + ours('process'),
  'apps/relay/src/config.ts': `import './http/settings.ts'; export type Port = number;`,
  'apps/relay/src/http/settings.ts': '',
  'apps/relay/test/instance.ts': ours('testing') + ours('demo-world'),
  'apps/standalone/src/main.ts': ours('relay'),
  'apps/demo-world/src/index.ts': '',
  'packages/sdk/src/egg.ts': `import type { Chicken } from './chicken.ts'; export interface Egg { from: Chicken }`,
  ...Object.fromEntries(
    rooms.map((room, index) => [
      `apps/relay/src/${room}/room.ts`,
      rooms
        .slice(0, index)
        .map((earlier) => `import '../${earlier}/room.ts';`)
        .join(' '),
    ]),
  ),
};

const forbidden: [rule: string, file: string, text: string][] = [
  ['foundations-import-nothing-of-ours', 'packages/process/src/wrong.ts', ours('contract')],
  ['cluster-imports-only-the-kit', 'packages/cluster/src/wrong.ts', ours('database')],
  ['limits-import-only-the-redis-access-of-cluster', 'packages/limits/src/wrong.ts', ours('cluster')],
  ['headless-imports-what-both-of-its-sides-have', 'packages/headless/src/wrong.ts', ours('process')],
  ['notifications-import-contract-and-outbound', 'packages/notifications/src/wrong.ts', ours('database')],
  ['cli-imports-only-the-sdk', 'packages/cli/src/wrong.ts', ours('contract')],
  ['contract-only', 'packages/database/src/wrong.ts', ours('process')],
  [
    'no-app-imports-an-app',
    'apps/demo-world/src/wrong.ts',
    `export type { Instance } from '@tabletop-relay/relay';`,
  ],
  ['packages-do-not-import-apps', 'packages/testing/src/wrong.ts', `await import('@tabletop-relay/relay');`],
  ['testing-is-for-tests', 'apps/relay/src/wrong.tsx', ours('testing')],
  [
    'rooms-import-few-files-beside-them',
    'apps/relay/src/http/reads-all.ts',
    `export type { Port } from '../config.ts';`,
  ],
  ['browser-code-needs-no-node', 'packages/contract/src/wrong.ts', `import 'node:fs';`],
  [
    'no-cycles',
    'packages/sdk/src/chicken.ts',
    `import type { Egg } from './egg.ts'; export interface Chicken { from: Egg }`,
  ],
  ...rooms
    .slice(0, -1)
    .map((room): [string, string, string] => [
      `${room}-imports-no-later-room`,
      `apps/relay/src/${room}/wrong.ts`,
      `import '../${rooms.at(-1)}/room.ts';`,
    ]),
];

beforeAll(() => {
  const files = {
    ...allowed,
    ...Object.fromEntries(forbidden.map(([, file, text]) => [file, text])),
  };
  mkdirSync(path.join(workspace, 'node_modules/@tabletop-relay'), { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.join(workspace, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(workspace, file), text);
  }
  for (const folder of [
    'apps/relay',
    'apps/demo-world',
    'packages/contract',
    'packages/process',
    'packages/kit',
    'packages/cluster',
    'packages/database',
    'packages/testing',
  ]) {
    const name = `@tabletop-relay/${path.basename(folder)}`;
    const manifest = { name, type: 'module', exports: { '.': './src/index.ts', './*': './src/*.ts' } };
    writeFileSync(path.join(workspace, folder, 'package.json'), JSON.stringify(manifest));
    symlinkSync(path.join(workspace, folder), path.join(workspace, 'node_modules', name));
  }
});
afterAll(() => rmSync(workspace, { recursive: true }));

test('every import rule goes red on what it forbids, and on nothing else', () => {
  const args = ['apps', 'packages', '--config', rulesFile, '--output-type', 'json'];
  const { stdout, stderr } = spawnSync(path.join(root, 'node_modules/.bin/depcruise'), args, {
    cwd: workspace,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  const { summary } = JSON.parse(stdout) as {
    summary: { violations: { rule: { name: string }; from: string }[] };
  };
  const found = summary.violations.map(({ rule, from }) => `${rule.name}: ${from}`);
  const wrongs = forbidden.map(([rule, file]) => `${rule}: ${file}`);
  expect(found.toSorted()).toEqual(wrongs.toSorted());
});

test('no rule is left unproven', () => {
  expect(forbidden.map(([rule]) => rule).toSorted()).toEqual(
    rules.forbidden.map(({ name }) => name).toSorted(),
  );
});
