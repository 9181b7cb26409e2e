import { expect, test } from 'vitest';
import type { Outcome } from './messages.ts';
import { countTried, renderReport } from './report.ts';

const outcomes = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'Ignored'].map((status): Outcome => ({
  file: 'mutation/src/report.ts',
  start: { line: 1, column: 1 },
  end: { line: 1, column: 2 },
  replacement: '',
  mutator: 'BlockStatement',
  status,
}));
const result = { name: 'calls', outcomes, planned: 5, hasFailed: false };

test('only mutants that a test decided about count as tried', () => {
  expect(countTried(result)).toBe(3);
});

test('the report tells time-outs, survivors without a reason and mutants not reached apart from the rest', () => {
  expect(renderReport([result], []).split('\n')[1]).toBe('calls | 3 | 2 | 1 | 1 | 1 | 2 | 1 | 1');
});
