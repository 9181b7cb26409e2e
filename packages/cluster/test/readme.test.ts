import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

test('the example in the README runs, and its assertions hold', async () => {
  const example = readFileSync(path.join(import.meta.dirname, 'readme-example.ts'), 'utf8');
  expect(readFileSync(path.join(import.meta.dirname, '../README.md'), 'utf8')).toContain(example);
  await import('./readme-example.ts');
});
