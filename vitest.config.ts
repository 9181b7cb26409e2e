import { defineConfig } from 'vitest/config';

/** Far above what anything takes: a shared machine may stand still for seconds, and only a test that fails waits so long. */
const patience = { testTimeout: 30_000, hookTimeout: 60_000, expect: { poll: { timeout: 10_000 } } };

const exclude = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...patience,
          name: 'unit',
          include: ['*.test.ts', '{apps,packages,benchmarks,deploy,docs,mutation}/**/*.test.ts'],
          exclude: [...exclude, '**/*.int.test.ts', '**/*.browser.test.ts'],
        },
      },
      {
        test: {
          ...patience,
          name: 'integration',
          include: ['{apps,packages,deploy,docs}/**/*.int.test.ts'],
          exclude,
          globalSetup: ['packages/testing/src/global-setup.ts'],
        },
      },
      {
        test: {
          ...patience,
          name: 'browser',
          include: ['{apps,packages}/**/*.browser.test.ts'],
          exclude,
          globalSetup: ['packages/testing/src/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          fileParallelism: false,
        },
      },
    ],
  },
});
