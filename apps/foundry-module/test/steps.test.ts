import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { contractWords } from '../src/words/contract-words.ts';
import { english } from '../src/words/english.ts';

test('the steps to try the module are 25, and name what stands in its window', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/try-in-foundry.md'), 'utf8');
  const steps = [...page.matchAll(/^\| (\d+) /gm)].map(([, number]) => Number(number));
  expect(steps).toEqual(Array.from({ length: 25 }, (_, index) => index + 1));
  const words = new Set<string>([...Object.values(english), ...Object.values(contractWords())]);
  const named = [...page.matchAll(/\*\*([^*]+)\*\*/g)].map(([, label = '']) => label);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((label) => !words.has(label))).toEqual([]);
});
