import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** Far above what anything takes: a shared machine may stand still for seconds, and only a test that fails waits so long. */
const patience = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } };

const globalSetup = ['packages/testing/src/global-setup.ts', 'apps/dashboard/test/build-pages.ts'];

/** Tests wait more than they work, so that two files at once are sooner through, even where Vitest would run one. */
const maxWorkers = Math.max(2, availableParallelism() - 1);

const exclude = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    maxWorkers,
    projects: [
      {
        test: {
          ...patience,
          name: 'unit',
          include: ['*.test.ts', '{apps,packages,benchmarks,deploy,docs}/**/*.test.ts'],
          exclude: [...exclude, '**/*.int.test.ts', '**/*.browser.test.ts'],
        },
      },
      {
        test: {
          ...patience,
          name: 'integration',
          include: ['{apps,packages,deploy,docs}/**/*.int.test.ts'],
          exclude,
          globalSetup,
        },
      },
      {
        test: {
          ...patience,
          name: 'browser',
          include: ['{apps,packages}/**/*.browser.test.ts'],
          exclude,
          globalSetup,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
