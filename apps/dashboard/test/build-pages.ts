import path from 'node:path';
import { build } from 'vite';

/** Vitest loads this file once per project, and all projects share the pages. */
const shared = globalThis as { testPages?: Promise<unknown> };

/** Builds the pages and the module that a relay serves, before any test asks for one. */
export async function setup(): Promise<void> {
  shared.testPages ??= buildAsShipped();
  await shared.testPages;
}

/** Under Vitest's own NODE_ENV the pages would be those for development, half as large again. */
async function buildAsShipped(): Promise<void> {
  const { NODE_ENV } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    for (const app of ['dashboard', 'foundry-module']) {
      const configFile = path.join(import.meta.dirname, '../..', app, 'vite.config.ts');
      await build({ configFile, logLevel: 'warn' });
    }
  } finally {
    process.env['NODE_ENV'] = NODE_ENV;
  }
}
