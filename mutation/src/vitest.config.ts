import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { LikelyFirst } from './likely-first.ts';

const needsStores = process.env['MUTATION_TESTS'] === 'integration';

/**
 * A sandbox shares its node_modules with the checkout, where a workspace package leads back to the checkout and so
 * to code without mutants: imports of our packages are led to the sandbox's own.
 */
const alias = globSync('packages/*/package.json').flatMap((file) => {
  const { name, exports } = JSON.parse(readFileSync(file, 'utf8')) as {
    name: string;
    exports: Record<string, string>;
  };
  return Object.entries(exports).map(([entry, target]) => ({
    find: new RegExp(`^${path.posix.join(name, entry)}$`),
    replacement: path.resolve(path.dirname(file), target),
  }));
});

export default defineConfig({
  resolve: { alias },
  test: {
    include: ['{apps,packages}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/dist/**', '**/*.browser.test.ts'],
    globalSetup: needsStores ? ['packages/testing/src/global-setup.ts'] : [],
    setupFiles: needsStores ? [] : ['mutation/src/impatience.ts'],
    sequence: { sequencer: LikelyFirst },
    isolate: process.env['MUTATION_ISOLATED'] === 'true',
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    hookTimeout: 60_000,
  },
});
