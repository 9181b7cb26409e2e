import { globSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { defineConfig } from 'vitest/config';

// What each group is for: docs/tests.md.

// What a program of ours is compiled to is kept for its next start, which then takes half of the processor's time.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, 'node_modules/.cache/compiled');

const integration = ['{apps,packages,deploy,docs}/**/*.int.test.ts'];
const browser = ['{apps,packages}/**/*.browser.test.ts'];
const unit = ['*.test.ts', '{apps,packages,benchmarks,deploy,docs}/**/*.test.ts'];

/** In `pnpm test:slow` alone. */
export const slow = [
  'apps/browser-host/test/{growth,life}.browser.test.ts',
  'apps/dashboard/test/speed/*.test.ts',
  'apps/foundry-module/test/every-pair.browser.test.ts',
  'apps/relay/test/call-path/*.test.ts',
  'apps/relay/test/caller-sockets/slow/*.test.ts',
  'apps/relay/test/mcp/slow/*.test.ts',
  'apps/relay/test/versions/*.test.ts',
  'packages/cli/test/start-time.test.ts',
  'deploy/test/acceptance/*.test.ts',
  'packages/sdk{,-python}/test/published.int.test.ts',
  'packages/testing/src/foundry-world/every-pair.browser.test.ts',
];

const exclude = ['**/node_modules/**', '**/dist/**', ...slow];

/** What replaces clocks or modules, or looks at all that is loaded, takes a process for itself. */
const changesProcess = /vi\.(mock|useFakeTimers)\(|installSimClock\(|node:inspector|--expose-gc/;
const changingIn = (include: string[], others: string[] = []): string[] =>
  globSync(include, { cwd: import.meta.dirname, exclude: [...exclude, ...others] }).filter((file) =>
    changesProcess.test(readFileSync(path.join(import.meta.dirname, file), 'utf8')),
  );

const unitOwn = changingIn(unit, [...integration, ...browser]);

/** Of integration, after all others and one at a time. */
const alone = [
  // A right password must come in within seconds, though the processor is kept busy by wrong ones.
  'apps/relay/test/accounts/{sign-in,second-factors/second-factor}-attack.int.test.ts',
  // Leases end in real time.
  'packages/cluster/test/redis-{claims,owner-faults}.int.test.ts',
];

const integrationOwn = changingIn(integration, alone);

/** Far above what anything takes: a shared machine may stand still for seconds, and only a test that fails waits so long. */
export const patience = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } };

export const globalSetup = ['packages/testing/src/global-setup.ts', 'apps/dashboard/test/build-pages.ts'];

/** The files of a worker run one after the other in one process, which loads our modules once. */
const shared = {
  isolate: false,
  setupFiles: ['packages/testing/src/clean-process.ts'],
  // What a hundred files leave behind ends the run here, and not the machine.
  execArgv: ['--max-old-space-size=2048'],
};

/** Tests wait more than they work: on two cores, three files at once leave a third of the processor unused. */
const maxWorkers = Math.max(4, availableParallelism());

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          ...patience,
          ...shared,
          name: 'unit',
          include: unit,
          exclude: [...exclude, ...integration, ...browser, ...unitOwn],
        },
      },
      { test: { ...patience, name: 'unit-own', include: unitOwn } },
      {
        test: {
          ...patience,
          ...shared,
          name: 'integration',
          include: integration,
          exclude: [...exclude, ...alone, ...integrationOwn],
          globalSetup,
        },
      },
      { test: { ...patience, name: 'integration-own', include: integrationOwn, globalSetup } },
      {
        test: {
          ...patience,
          ...shared,
          name: 'browser',
          include: browser,
          exclude,
          globalSetup,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Chromium has processes of its own.
          maxWorkers: Math.max(3, Math.floor(maxWorkers / 2)),
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...patience,
          name: 'alone',
          include: alone,
          globalSetup,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
