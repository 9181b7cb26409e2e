import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', '**/dist/**'];

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['*.test.ts', '{apps,packages,benchmarks,docs,mutation}/**/*.test.ts'],
          exclude: [...exclude, '**/*.int.test.ts', '**/*.browser.test.ts'],
        },
      },
      {
        test: {
          name: 'integration',
          include: ['{apps,packages,docs}/**/*.int.test.ts'],
          exclude,
          globalSetup: ['packages/testing/src/global-setup.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
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
          fileParallelism: false,
        },
      },
    ],
  },
});
