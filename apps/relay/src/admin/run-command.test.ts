import { expect, it } from 'vitest';
import { readArguments, readHelp } from './run-command.ts';

it.each([
  [['list', 'too-much']],
  [['end-sessions', '--unknown']],
  [[]],
  [['disable']],
  [['disable', '']],
  [['unknown', 'a@b.example']],
])('what is no command gets the usage: %j', (args: string[]) => {
  expect(() => readArguments(args)).toThrow('usage: pnpm admin');
});

it('help is given to whoever asks, without settings', () => {
  expect(readHelp(['--help'])).toContain('usage: pnpm admin <command>');
  expect(readHelp(['help'])).toContain('remove-administrator <e-mail>');
  expect(readHelp(['doctor', '--help'])).toMatch(/^usage: pnpm admin doctor \[--session <token>\]/);
  expect(readHelp(['drain', '-h'])).toMatch(
    /^usage: pnpm admin drain <instance> \[--boot <boot>\] \[--json\]/,
  );
  expect(readHelp(['help', 'list'])).toContain('all accounts');
  expect(readHelp(['list'])).toBeUndefined();
});

it('a boot is read for the command that takes one', () => {
  expect(readArguments(['drain', 'a', '--boot', 'b'])).toMatchObject({ values: ['a'], boot: 'b' });
  expect(() => readArguments(['list', '--boot', 'b'])).toThrow('usage: pnpm admin list');
});
