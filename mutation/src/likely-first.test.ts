import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { compare, rankOf, readFilesOfMutants } from './likely-first.ts';

test('the test beside the mutated file comes first, integration tests last, and quick ones before slow ones', () => {
  const before: Record<string, { failed: boolean; duration: number }> = {
    '/calls/slow.test.ts': { failed: false, duration: 900 },
    '/calls/router.test.ts': { failed: false, duration: 2_000 },
    '/keys/failed.test.ts': { failed: true, duration: 700 },
    '/keys/quick.test.ts': { failed: false, duration: 10 },
    '/keys/slow.test.ts': { failed: false, duration: 20 },
    '/calls/router.int.test.ts': { failed: true, duration: 5 },
  };
  const order = (mutated: string | undefined) =>
    Object.keys(before).toSorted((one, other) =>
      compare(rankOf(one, before[one], mutated), rankOf(other, before[other], mutated)),
    );
  expect(order('/calls/router.ts')).toEqual([
    '/calls/router.test.ts',
    '/calls/slow.test.ts',
    '/keys/failed.test.ts',
    '/keys/quick.test.ts',
    '/keys/slow.test.ts',
    '/calls/router.int.test.ts',
  ]);
  expect(order(undefined)[0]).toBe('/keys/failed.test.ts');
});

test('the file of a mutant is found by its number', () => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mutants-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = path.join(folder, 'apps/relay/src/router.ts');
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, 'if (stryMutAct_9fa48("12")) {} else { stryCov_9fa48("13"); }');
  expect([...readFilesOfMutants(folder)]).toEqual([['12', file]]);
});
