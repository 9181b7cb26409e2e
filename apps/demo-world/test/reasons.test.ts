import { operations } from '@tabletop-relay/contract';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const sources = globSync('**/*.ts', { cwd: path.join(import.meta.dirname, '../src') })
  .filter((file) => !file.endsWith('.test.ts'))
  .map((file) => readFileSync(path.join(import.meta.dirname, '../src', file), 'utf8'));

/** Every code that this world refuses with: the first argument of a refusal, which may be one of two. */
const given = new Set(
  sources.flatMap((source) =>
    [...source.matchAll(/new Refusal\(\s*([^,]+),/g)].flatMap(([, code = '']) =>
      [...code.matchAll(/'([a-z_]+)'/g)].map(([, word = '']) => word),
    ),
  ),
);
given.delete('dead');

const promised = new Set(operations.flatMap(({ reasons = [] }) => reasons));

/** Reasons of tabletops that have what this world has not: settings of a module. */
const ofTabletops = ['not_allowed'];

/** What any call can be refused with. */
const common = ['invalid_parameters', 'user_not_found'];

/** What the world's own page is told, which asks for no operation. */
const ofPage = ['bad_message', 'internal'];

test('each reason that the reference promises is given by this world, but for those that only tabletops have', () => {
  expect([...promised].filter((reason) => !given.has(reason)).toSorted()).toEqual(ofTabletops);
});

test('this world gives no reason that the reference does not promise', () => {
  const listed = [...promised, ...common, ...ofPage];
  expect([...given].filter((reason) => !listed.includes(reason))).toEqual([]);
});
