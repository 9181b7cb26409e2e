import { expect, test } from 'vitest';
import { isMet, renderReport } from './report.ts';
import type { Section, Verdict } from './report.ts';

const verdict: Verdict = {
  what: 'Local, 32 connections',
  target: 2,
  measured: 2,
  unit: 'x',
  whyMissed: 'the cat sat on the processor',
};

const section = (verdicts: Verdict[]): Section => ({
  title: 'Processor time per call',
  reading: 'Read it so.',
  columns: ['Way', 'µs'],
  rows: [['floor', '19']],
  verdicts,
});

const render = (verdicts: Verdict[], warnings: string[] = []) =>
  renderReport({ facts: ['Date: today'], warnings, sections: [section(verdicts)] });

test('a bound is met up to a fifth more, and not by a hair more than that or by nothing measured', () => {
  expect(isMet({ ...verdict, measured: 2.4 })).toBe(true);
  expect(isMet({ ...verdict, measured: 2.401 })).toBe(false);
  expect(isMet({ ...verdict, measured: Number.NaN })).toBe(false);
});

test('a missed bound stands in the page with its reason, a met one without', () => {
  expect(render([verdict])).toContain('| Local, 32 connections | ≤ 2.00x | 2.00x | yes |');
  expect(render([{ ...verdict, measured: 2.71 }])).toContain(
    '| Local, 32 connections | ≤ 2.00x | 2.71x | **no**: the cat sat on the processor |',
  );
});

test('the page carries facts, warnings, and each section with its table', () => {
  const page = render([verdict], ['The machine was busy.']);
  expect(page).toContain('- Date: today');
  expect(page).toContain('> **Warning.** The machine was busy.');
  expect(page).toContain(
    '## Processor time per call\n\nRead it so.\n\n| Way | µs |\n| --- | --- |\n| floor | 19 |\n',
  );
});
