import { Stryker } from '@stryker-mutator/core';
import os from 'node:os';

/** Runs Stryker in a process of its own, so that it can be ended: `node run-stryker.ts <mutate as JSON> <testFiles as JSON>`. */
const [mutate = '[]', testFiles = '[]'] = process.argv.slice(2);

await new Stryker({
  mutate: JSON.parse(mutate) as string[],
  testFiles: JSON.parse(testFiles) as string[],
  testRunner: 'vitest',
  vitest: { configFile: 'mutation/src/vitest.config.ts', related: false },
  plugins: ['@stryker-mutator/vitest-runner', './mutation/src/plugin.ts'],
  ignorers: ['prose'],
  reporters: ['tell'],
  // TypeScript 7 has no compiler API, and Stryker reads a tsconfig with one: it is led to a file that is not there.
  tsconfigFile: 'no-tsconfig.json',
  disableTypeChecks: false,
  // A mutant that acts at import would need every test once more.
  ignoreStatic: true,
  coverageAnalysis: 'perTest',
  concurrency: os.availableParallelism(),
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 15,
  cleanTempDir: 'always',
  ignorePatterns: ['.cache', '.data', 'dist'],
  allowConsoleColors: false,
}).runMutationTest();
