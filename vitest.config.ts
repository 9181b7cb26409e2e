import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

// What each group is for: docs/tests.md.

const integration = ['{apps,packages,deploy,docs}/**/*.int.test.ts'];
const browser = ['{apps,packages}/**/*.browser.test.ts'];
const unit = ['*.test.ts', '{apps,packages,benchmarks,deploy,docs}/**/*.test.ts'];

/** In `pnpm test:slow` alone. */
export const slow = [
  'apps/browser-host/test/{growth,life}.browser.test.ts',
  'apps/dashboard/test/speed/*.test.ts',
  'apps/relay/src/instances/tune-collector.test.ts',
  'apps/relay/test/{shapes,versions}/*.test.ts',
  'packages/sdk/test/published.int.test.ts',
];

const exclude = ['**/node_modules/**', '**/dist/**', ...slow];

/** Of integration, after all others and one at a time. */
const alone = [
  // A right password must come in within seconds, though the processor is kept busy by wrong ones.
  'apps/relay/test/accounts/{sign-in,second-factors/second-factor}-attack.int.test.ts',
];

/** Far above what anything takes: a shared machine may stand still for seconds, and only a test that fails waits so long. */
export const patience = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } };

export const globalSetup = ['packages/testing/src/global-setup.ts', 'apps/dashboard/test/build-pages.ts'];

/** Tests wait more than they work, so that two files at once are sooner through, even where Vitest would run one. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          ...patience,
          name: 'unit',
          include: unit,
          exclude: [...exclude, ...integration, ...browser],
        },
      },
      {
        test: {
          ...patience,
          name: 'integration',
          include: integration,
          exclude: [...exclude, ...alone],
          globalSetup,
        },
      },
      {
        test: {
          ...patience,
          name: 'browser',
          include: browser,
          exclude,
          globalSetup,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          // Chromium has processes of its own.
          maxWorkers: 2,
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
