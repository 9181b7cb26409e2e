import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPrivateParts } from './private-parts.ts';

/** What stays, by file: decision 14 says why, how it fails and which test sees it. */
const known: Record<string, string> = {
  'apps/relay/src/mcp/call-tool.ts': '_meta',
  'docs/generator/observability/metrics.ts': 'metric as unknown as {',
  'packages/process/src/log/log-output.ts': 'output.flushSync',
  'packages/process/src/log/logger.ts': 'log.child',
};

const library = `
export declare class Machine {
  _state: number;
  private secret: number;
  name: string;
  run(): void;
  onStop?: () => void;
}
export declare const machine: Machine;
export declare const either: { ok: true } | { error: string };
`;

const forbidden: [rule: string, code: string, text: string][] = [
  ['member', 'machine._state', '_state'],
  ['member', `machine['_state']`, `'_state'`],
  ['member', 'const { _state } = machine', '_state'],
  ['member', 'const { _state: other } = machine', '_state'],
  ['member', `machine['secret']`, `'secret'`],
  ['member', `Reflect.get(machine, '_state')`, `'_state'`],
  ['assignment', 'machine.run = () => {}', 'machine.run'],
  ['assignment', `machine['run'] = () => {}`, `machine['run']`],
  ['assignment', 'machine.run ??= () => {}', 'machine.run'],
  ['assignment', 'Object.assign(machine, { name: "a", run() {} })', 'machine'],
  ['assignment', `Object.defineProperty(machine, 'run', { value() {} })`, 'machine'],
  ['assignment', 'Object.defineProperties(machine, { run: { value() {} } })', 'machine'],
  ['assignment', `Reflect.set(machine, 'run', () => {})`, 'machine'],
  ['assignment', 'process.stdout.write = () => true', 'process.stdout.write'],
  ['cast', '(machine as unknown as { gear: number }).gear', 'machine as unknown as { gear: number }'],
  ['cast', '(machine as Machine & { gear: number }).gear', 'machine as Machine & { gear: number }'],
  ['cast', '(machine as { gear?: number }).gear', 'machine as { gear?: number }'],
  ['cast', '(machine as unknown as { secret: number }).secret', 'machine as unknown as { secret: number }'],
  [
    'cast',
    `(machine as unknown as Record<string, number>)['secret']`,
    'machine as unknown as Record<string, number>',
  ],
  [
    'cast',
    '(process.stdout as unknown as { _handle: object })._handle',
    'process.stdout as unknown as { _handle: object }',
  ],
];

const allowed = [
  'machine.name = "another"; machine.onStop = () => {}; machine.run()',
  '({ run() {} }) as Machine',
  '({ run() {} }) as unknown as Machine',
  'class Own extends Machine { override run() {} }',
  'Object.assign(machine, { name: "a" })',
  `Reflect.get(machine, 'name'); Object.defineProperty(machine, 'name', { value: 'a' })`,
  `machine['name']`,
  '(either as { error: string }).error',
  '(machine as unknown as { run(): void }).run()',
  '(JSON.parse("{}") as { gear: number }).gear',
  '(new Error("no") as Error & { gear?: number }).gear',
  'const own = { _state: 1 }; own._state = 2',
];

const workspace = mkdtempSync(path.join(os.tmpdir(), 'relay-private-'));

beforeAll(() => {
  const write = (file: string, text: string) => {
    mkdirSync(path.join(workspace, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(workspace, file), text);
  };
  const types = path.join(import.meta.dirname, 'node_modules/@types');
  write(
    'tsconfig.json',
    JSON.stringify({
      compilerOptions: {
        module: 'NodeNext',
        moduleDetection: 'force',
        strict: true,
        noEmit: true,
        types: ['node'],
        typeRoots: [types],
      },
      include: ['src'],
    }),
  );
  write(
    'node_modules/library/package.json',
    JSON.stringify({ name: 'library', types: 'index.d.ts', type: 'module' }),
  );
  write('node_modules/library/index.d.ts', library);
  const head = `import { either, Machine, machine } from 'library'; void either; void Machine;\n`;
  for (const [index, [, code]] of forbidden.entries()) write(`src/wrong-${index}.ts`, `${head}{ ${code} }\n`);
  for (const [index, code] of allowed.entries()) write(`src/right-${index}.ts`, `${head}{ ${code} }\n`);
});
afterAll(() => rmSync(workspace, { recursive: true }));

test('every rule goes red on what it forbids, and on nothing else', () => {
  const found = findPrivateParts(workspace).map(({ rule, at, text }) => `${at} ${rule}: ${text}`);
  const wrong = forbidden.map(([rule, , text], index) => `src/wrong-${index}.ts:2 ${rule}: ${text}`);
  expect(found.toSorted()).toEqual(wrong.toSorted());
});

test('no code of ours touches what a library, or Node, does not promise', { timeout: 120_000 }, () => {
  const found = findPrivateParts(import.meta.dirname);
  const isKnown = ({ at, text }: (typeof found)[number]) =>
    text.startsWith(known[at.split(':')[0] ?? ''] ?? '\0');
  expect(found.filter((finding) => !isKnown(finding))).toEqual([]);
  // What is mended leaves the list.
  const stillThere = found.filter(isKnown).map(({ at }) => at.split(':')[0]);
  expect(new Set(stillThere)).toEqual(new Set(Object.keys(known)));
});
