import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findDebianProgram } from '@tabletop-relay/testing';
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

describe('completion', () => {
  const lines = [
    ['tabletop', 'sys5'],
    ['tabletop', 'sys5e', 'skill-'],
    ['tabletop', 'sys5e', 'skill-check', '--act'],
    ['tabletop', 'sys5e', 'skill-check', '--actor-uuid', 'Actor.mira', '--skill', 'p'],
    ['tabletop', 'listen', 'rolls', '--until', 'ro'],
    ['tabletop', 'call', 'skill'],
    ['tabletop', 'completion', ''],
  ];
  const offered = [
    ['sys5e'],
    ['skill-check'],
    ['--actor-uuid'],
    ['prc', 'prf', 'per'],
    ['roll'],
    ['skill-check'],
    ['bash', 'zsh'],
  ];
  // A machine may have neither it nor the distribution's packages.
  const zsh = findDebianProgram('zsh').catch(() => undefined);

  beforeAll(() => {
    const command = path.join(folder, 'tabletop');
    symlinkSync(file, command);
    chmodSync(file, 0o755);
  });

  it('in bash offers commands, operations, flags, values, events and shells', () => {
    expect(offers('bash', {}, lines)).toEqual(offered);
  });

  it('in zsh offers what it does in bash', { timeout: 90_000 }, async ({ skip }) => {
    const { command, env } = (await zsh) ?? skip('there is no zsh here');
    expect(offers(command, env, lines)).toEqual(offered);
  });

  it('of files is left to the shell', () => {
    expect(
      offers('bash', {}, [
        ['tabletop', 'upload', 'ch'],
        ['tabletop', 'worlds', '--profile', ''],
      ]),
    ).toEqual([[], []]);
  });
});

/** What a shell offers behind each of these lines, by the completion that the program prints. */
function offers(command: string, env: Record<string, string>, lines: readonly string[][]): string[][] {
  const quote = (word: string) => `'${word}'`;
  const asked = lines.map((words) => `offer ${words.map(quote).join(' ')}`).join('\n');
  const setUp = command.includes('zsh')
    ? `compdef() { :; }; compadd() { shift; print -l -- \${(P)\${@[-1]}}; }; _files() { print FILES; }
offer() { local words=("$@") CURRENT=$#; _tabletop; print -- --; }`
    : `offer() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tabletop; printf '%s\\n' "\${COMPREPLY[@]}" --; }`;
  const shell = path.basename(command).replace(/\d$/, '');
  const script = `${setUp}\nsource <(tabletop completion ${shell})\n${asked}`;
  const own = { ...env, PATH: `${folder}:${path.dirname(process.execPath)}:${process.env['PATH']}` };
  const { stdout, stderr } = spawnSync(command, [...(shell === 'zsh' ? ['-f'] : ['--norc']), '-c', script], {
    env: own,
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return stdout
    .split('--\n')
    .slice(0, -1)
    .map((part) => part.split('\n').filter((word) => word !== ''));
}
