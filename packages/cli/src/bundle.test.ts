import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { makeFolderOfFile } from '../test/run-cli.ts';

const root = path.join(import.meta.dirname, '..');
const folder = makeFolderOfFile();
const file = path.join(folder, 'tabletop.mjs');

beforeAll(() => {
  const rolldown = path.join(root, 'node_modules/.bin/rolldown');
  const { status, stderr } = spawnSync(rolldown, ['--config', '--logLevel', 'silent', '--dir', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
});

it('the program is one small file, with no schemas and nothing of elsewhere', () => {
  const code = readFileSync(file, 'utf8');
  expect(code.length).toBeLessThan(400_000);
  expect(code).toMatch(/^#!\/usr\/bin\/env node\n/);
  expect(code).not.toMatch(/typebox|additionalProperties|from ?["'][^n]/i);
});

it('help comes without any environment and home', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--help'], {
    env: {},
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Usage: tabletop <command> [flags]');
});

it('a reader that stops early ends it in silence', () => {
  const line = `"$0" "$1" sys5e --help | head -c 1; exit "\${PIPESTATUS[0]}"`;
  const given = ['-c', line, process.execPath, file];
  const { status, stdout, stderr } = spawnSync('bash', given, { encoding: 'utf8' });
  expect([status, stdout.length, stderr]).toEqual([0, 1, '']);
});
