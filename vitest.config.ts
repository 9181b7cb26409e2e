import { defineConfig } from 'vitest/config';

/** A shared CI machine may stand still for seconds. A test that needed it is named in the report, to be mended. */
const retry = process.env['CI'] ? 1 : 0;

const exclude = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['*.test.ts', '{apps,packages,benchmarks,docs}/**/*.test.ts'],
          exclude: [...exclude, '**/*.int.test.ts', '**/*.browser.test.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{apps,packages,docs}/**/*.int.test.ts', 'acceptance/**/*.test.ts'],
          exclude,
          globalSetup: ['packages/testing/src/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          retry,
        },
      },
      {
        test: {
          name: 'browser',
          include: ['{apps,packages}/**/*.browser.test.ts'],
          exclude,
          globalSetup: ['packages/testing/src/global-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 120_000,
          retry,
          fileParallelism: false,
        },
      },
    ],
  },
});
