import { expect, it } from 'vitest';
import { readArguments } from './run-command.ts';

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
