import { globSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Outcome } from './messages.ts';
import { findStale, findUnexplained, linesOf, readReasons } from './reasons.ts';

const sources = globSync('{apps,packages}/*/src/**/*.{ts,tsx}');

test.each(readReasons())('the mutant of $file at "$line" has a line there still, and a reason', (reason) => {
  const files = sources.filter((source) => `/${source}`.endsWith(`/${reason.file}`));
  expect(files.flatMap(linesOf).map((line) => line.trim())).toContain(reason.line);
  expect(reason.reason).toMatch(/^[A-Z].{20,}\.$/);
});

const file = 'mutation/src/reasons.test.ts';
const place = { file, start: { line: 1, column: 1 }, end: { line: 1, column: 7 } };
const survivor: Outcome = { ...place, replacement: '""', mutator: 'StringLiteral', status: 'Survived' };
const reason = { file, line: linesOf(file)[0] as string, reason: '' };

test('a survivor that no reason names is told with its place and text', () => {
  const found = [{ at: `${file}:1:1 StringLiteral`, from: 'import', to: '""' }];
  expect(findUnexplained([survivor], [])).toEqual(found);
  expect(findUnexplained([survivor], [{ ...reason, replacement: 'false' }])).toEqual(found);
  expect(findUnexplained([survivor], [reason])).toEqual([]);
  expect(findUnexplained([{ ...survivor, status: 'Killed' }], [])).toEqual([]);
});

test('a reason whose mutants all die by now is told', () => {
  expect(findStale([{ ...survivor, status: 'Killed' }], [reason])).toEqual([reason]);
  expect(findStale([survivor, { ...survivor, status: 'Killed' }], [reason])).toEqual([]);
  expect(findStale([{ ...survivor, status: 'NoCoverage' }], [reason])).toEqual([]);
});
